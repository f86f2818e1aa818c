package startscreen

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"dashboard/render/text"
)

// Each language has all words. A question without a known language is in English.
func TestAskWords(t *testing.T) {
	for language, w := range askWords {
		for i, s := range []string{w.Edit, w.Control, w.asked, w.until, w.MayEdit, w.MayControl, w.enter, w.refuse, w.orRefuse} {
			if s == "" || strings.Contains(s, "%s") != (i < 4) {
				t.Errorf("%s: got %q", language, s)
			}
		}
	}
	if got := With(WordsOf("ja").Edit, "Anna’s phone"); got != "Allow Anna’s phone to edit?" {
		t.Errorf("got %q", got)
	}
}

// A question fits into every wall, and its button fits into the card. The button is at least as large as a finger. Without a touchscreen or
// a remote there is no button.
func TestQuestion(t *testing.T) {
	cache := text.NewCache(8 << 20)
	for _, size := range append(guideSizes, image.Pt(320, 240)) {
		for _, refuse := range []bool{true, false} {
			c := Content{Name: "482 917", Version: "Allow Anna’s phone to edit?", Ask: &Ask{From: "Safari on iPhone", At: "10:24", Until: "10:26", Refuse: refuse, Language: "fr"}}
			pic, card, button := Question(size, c, refuse, cache)
			save(t, fmt.Sprintf("ask-%dx%d-%v", size.X, size.Y, refuse), pic)
			if pic.Rect.Size() != size || !card.In(pic.Rect) {
				t.Errorf("%v: got a card at %v", size, card)
			}
			switch {
			case !refuse && !button.Empty():
				t.Errorf("%v: got a button at %v", size, button)
			case refuse && (!button.In(card) || button.Dy() < 44 || button.Dx() < 44):
				t.Errorf("%v: got a button at %v in %v", size, button, card)
			}
			if got := pic.RGBAAt(0, 0); got.A != askShade || got.R != 0 {
				t.Errorf("%v: the wall is not darkened: %v", size, got)
			}
		}
	}
}

// A question with a button beside its last lines has the design's size.
func TestQuestionSize(t *testing.T) {
	c := Content{Name: "482 917", Version: "Allow Anna’s phone to edit?", Ask: &Ask{At: "10:24", Until: "10:26", Refuse: true}}
	_, card, button := Question(image.Pt(1280, 720), c, true, text.NewCache(8<<20))
	if want := image.Rect(250, 143, 1030, 577); card != want {
		t.Errorf("got a card at %v, want %v", card, want)
	}
	if want := image.Rect(806, 487, 990, 543); button != want {
		t.Errorf("got a button at %v, want %v", button, want)
	}
	if _, card, _ = Question(image.Pt(320, 240), c, true, text.NewCache(8<<20)); card.Dx() != askLeast {
		t.Errorf("on a small wall: got a card at %v, want %d px", card, askLeast)
	}
}

// The question "Not expected?" has the color of titles, and the rest of its line has a muted color.
func TestQuestionBold(t *testing.T) {
	c := Content{Name: "482 917", Version: "Allow Anna’s phone to edit?", Ask: &Ask{At: "10:24", Until: "10:26", Refuse: true}}
	pic, _, _ := Question(image.Pt(1280, 720), c, true, text.NewCache(8<<20))
	ink := newPainter(image.Pt(1280, 720), text.NewCache(1<<20), true).color("text")
	var found image.Rectangle
	for y := 487; y < 515; y++ { // the line's height
		for x := 290; x < 800; x++ {
			if pic.RGBAAt(x, y) == ink {
				found = found.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if found.Empty() || found.Max.X > 440 {
		t.Errorf("got letters in the color of titles in %v, want only the question at the left", found)
	}
}

// A question names the browser in the language of the wall, if the line has room for it.
func TestQuestionFrom(t *testing.T) {
	for _, tc := range []struct {
		from, language string
		width          int
		want           string
	}{
		{"Safari on iPhone", "en", 1280, "Safari on iPhone · asked at 10:24"},
		{"Chrome on Android", "de", 1280, "Chrome auf Android · gefragt um 10:24"},
		{"Samsung Internet on Android", "es", 320, "pedido a las 10:24"},
		{"Browser", "fr", 1280, "Browser · demandé à 10:24"},
		{"", "en", 1280, "asked at 10:24"},
	} {
		q := &question{guidePainter: guidePainter{painter: newPainter(image.Pt(tc.width, 720), text.NewCache(8<<20), true)}, words: WordsOf(tc.language)}
		q.caption = q.font(20, 16, 400, false)
		if got := q.origin(&Ask{From: tc.from, At: "10:24"}, tc.width-60); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.from, got, tc.want)
		}
	}
}
