package notice

import (
	"image"
	"strings"
	"testing"

	"dashboard/control/notify"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestRunTextOfALongWord checks that a word as long as the longest message is cut to one line without trying each letter.
func TestRunTextOfALongWord(t *testing.T) {
	e := walltest.TestEnv()
	e.Look, e.Picture = look.Calm(true), image.Pt(1280, 720)
	b := walltest.Builder(e)
	for _, letter := range []string{"x", "é", "文", "e\u0301"} {
		m := newRunText(b, b.Look.Styles["body"], b.Face("body"), []notify.Run{{Text: strings.Repeat(letter, 16<<10)}}, 200, 3)
		if len(m.words) != 1 || m.words[0].line.Width() > 200 || m.words[0].line.Width() < 150 {
			t.Errorf("%s: got %d words, the first %d px wide, want one that fills 200", letter, len(m.words), m.words[0].line.Width())
		}
	}
}
