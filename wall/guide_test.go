package wall

import (
	"bytes"
	"image"
	"image/png"
	"testing"
	"testing/fstest"

	"dashboard/appliance/about"
	"dashboard/wall/outputs"
)

// A guide with a picture shows the picture. If the picture cannot be read, the wall itself is shown.
func TestGuideOfTheSetup(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 64, 36))); err != nil {
		t.Fatal(err)
	}
	s := newService(parts{opts: Options{}, stderr: &bytes.Buffer{}, devices: outputs.ThisMachine()})
	s.builder.Machine = fstest.MapFS{about.GalleryFolder + "/family/wall.png": {Data: b.Bytes()}}
	for name, c := range map[string]struct {
		guide       *about.Guide
		none, shown bool
	}{
		"none":              {nil, true, false},
		"words":             {&about.Guide{Title: "Your phone is connected."}, false, false},
		"a picture":         {&about.Guide{Picture: "/" + about.GalleryFolder + "/family/wall.png"}, false, true},
		"a missing picture": {&about.Guide{Picture: "/" + about.GalleryFolder + "/none/wall.png"}, true, false},
		"another folder":    {&about.Guide{Picture: "../../etc/shadow"}, true, false},
	} {
		got := s.guideOf(t.Context(), c.guide)
		if (got == nil) != c.none || got != nil && (got.Shown != nil) != c.shown {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// For a file that is not a guide, the wall is shown. The same is true for a guide with more codes than fit on a picture.
func TestReadGuide(t *testing.T) {
	for text, want := range map[string]bool{
		`{"title": "x"}`: true, `{"codes": [{}, {}]}`: true, `{"codes": [{}, {}, {}]}`: false, `{"codes": 1}`: false, ``: false,
	} {
		if got := about.ReadGuide(fstest.MapFS{about.GuideFile: {Data: []byte(text)}}); (got != nil) != want {
			t.Errorf("%s: got %+v", text, got)
		}
	}
	if about.ReadGuide(fstest.MapFS{}) != nil {
		t.Error("without a file: got a guide")
	}
}
