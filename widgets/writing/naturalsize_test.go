package writing

import (
	"image"
	"testing"

	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestNaturalTextKeepsItsSize checks that a text in a box of its natural width is not smaller than usual.
func TestNaturalTextKeepsItsSize(t *testing.T) {
	for _, words := range []string{"edit", "widgets.yaml", "http://127.0.0.1:5000/", "1.2 of 4 GB", "Memory", "processor", "hello WWW world", "9 – 17"} {
		for _, style := range []string{"label", "caption", "body", "title"} {
			e := walltest.TestEnv()
			e.Picture = image.Pt(1280, 720)
			file := "{widget: text, card: false, margin: 0, padding: 0, style: " + style + ", text: '" + words + "'}"
			wide := walltest.BuildOne[*kit.Frame](t, e, file, image.Pt(800, 60)).Inner.(*liveText)
			w := walltest.BuildOne[*kit.Frame](t, e, file, wide.Natural(800)).Inner.(*liveText)
			if got := w.para.Block.Size(); got != w.para.Face.Size {
				t.Errorf("%s, %q: got a text of %d px in a box of %v, want %d px", style, words, got, w.para.Size, w.para.Face.Size)
			}
		}
	}
}
