package arrange

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestConditionsAreNoColorAlone checks that a state is not shown by a color alone. The title line shows the word of the range, the number
// keeps its unit, and the color "bad" tints the card.
func TestConditionsAreNoColorAlone(t *testing.T) {
	const range1 = `thresholds: [{above: 65, color: warn, text: damp}, {above: 80, color: bad, text: wet}]`
	for _, test := range []struct {
		widget, want string
		tinted       bool
	}{
		{`{widget: card, title: Cellar, value: 68, unit: "%", ` + range1 + `}`, "Cellar|damp|68|%|above 65", false},
		{`{widget: card, title: Cellar, value: 88, unit: "%", ` + range1 + `}`, "Cellar|wet|88|%|above 80", true},
		{`{widget: card, title: Cellar, value: 50, unit: "%", ` + range1 + `}`, "Cellar|50|%", false},
		{`{widget: card, value: 68, unit: "°", ` + range1 + `}`, "damp|above 65", false}, // no unit after a word
		{`{widget: gauge, title: Cellar, value: 88, ` + range1 + `}`, "Cellar|wet|88", true},
		{`{widget: card, title: Door, value: "on", unit: "%", map: {"on": {text: open, color: bad}}}`, "Door|open", true},
	} {
		for _, night := range []bool{true, false} {
			e := walltest.TestEnv()
			e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
			shown := walltest.ShowThemed(t, e, "calm", night, test.widget, image.Pt(360, 240))
			if got := strings.Join(shown.Words(), "|"); got != test.want {
				t.Errorf("%s: got %q, want %q", test.widget, got, test.want)
			}
			surface := render.Premultiply(look.Calm(night).Colors["surface"])
			at := shown.Frame.RGBAAt(180, 215)
			if got := at != surface; got != test.tinted {
				t.Errorf("%s: the card is %v, tinted: %v, want %v", test.widget, at, got, test.tinted)
			}
			if test.tinted && !redder(at, surface) {
				t.Errorf("%s: the card is %v, want a tint of bad in %v", test.widget, at, surface)
			}
		}
	}
}

func redder(c, than color.RGBA) bool {
	return int(c.R)-int(c.G) > int(than.R)-int(than.G)+10
}

// TestOneLongValueShrinksNoOther checks that a long value is shown in two lines, and that its neighbors keep their text size.
func TestOneLongValueShrinksNoOther(t *testing.T) {
	const widget = `{widget: row, children: [{widget: card, value: open}, {widget: card, value: closed}, {widget: card, value: waiting for the plumber to come back}]}`
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
	sizes, words := map[string]int{}, []string{}
	for _, p := range walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(900, 240)).Texts {
		sizes[p.Text] = p.Size
		words = append(words, p.Text)
	}
	if got := strings.Join(words, "|"); got != "open|closed|waiting for the|plumber to come back" {
		t.Errorf("got %q", got)
	}
	if sizes["open"] != sizes["closed"] || sizes["open"] < 40 || sizes["waiting for the"] < 16 {
		t.Errorf("got sizes %v, want 40 at least, and 16 on two lines", sizes)
	}
}

// TestOldTextIsMuted checks that outdated text has the color "muted", by day and by night.
func TestOldTextIsMuted(t *testing.T) {
	for _, night := range []bool{true, false} {
		l := look.Calm(night)
		b := walltest.Builder(func() kit.Env { e := walltest.TestEnv(); e.Look = l; return e }())
		for _, role := range []string{"text", "bad", "accent"} {
			if got := b.Old(b.Role(role)); got != b.Role("muted") {
				t.Errorf("%s: got %v, want muted", role, got)
			}
		}
	}
}

// TestAreasAreMirrored checks that the first area is on the right in languages that are written from right to left.
func TestAreasAreMirrored(t *testing.T) {
	const widget = `{widget: layout, columns: [2, 1], areas: [first second], children: [{widget: card, area: first, value: 1}, {widget: card, area: second, value: 2}]}`
	for tag, first := range map[string]string{"en": "1", "ar": "2", "he": "2"} {
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, tag), image.Pt(1280, 720)
		left := ""
		for _, p := range walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(600, 200)).Texts {
			if p.Ink.Max.X < 250 {
				left += p.Text
			}
		}
		if left != first {
			t.Errorf("%s: %q is at the left, want %q", tag, left, first)
		}
	}
}

// TestThinCardShowsItsContent checks that a card with room for a single line shows its content and not its title.
func TestThinCardShowsItsContent(t *testing.T) {
	e := walltest.TestEnv()
	e.Picture = image.Pt(320, 240)
	for _, high := range []int{24, 28, 36} {
		size := image.Pt(100, high)
		shown := walltest.ShowThemed(t, e, "calm", true, "{widget: list, title: Bins, icon: mdi:trash-can, margin: 0, items: [{text: Paper}]}", size)
		if got := strings.Join(shown.Words(), " "); got != "Paper" {
			t.Errorf("%d px: got %q, want Paper", high, got)
		}
		for _, p := range shown.Texts {
			if !p.Ink.In(image.Rectangle{Max: size}) {
				t.Errorf("%d px: %q at %v leaves the card", high, p.Text, p.Ink)
			}
		}
	}
}

// TestFaultHidesACutTitle checks a narrow title line with the icon of a failure. If the title would be cut to a few letters, only the
// icon is shown.
func TestFaultHidesACutTitle(t *testing.T) {
	for wide, want := range map[int]string{30: "", 44: "", 200: "Prices"} {
		e, words := walltest.TestEnv(), []walltest.Text(nil)
		walltest.TextsOf(e.Text, &words)
		b := walltest.Builder(e)
		title := &config.Live[string]{Plain: "Prices"}
		h := b.NewHead(nil, &kit.Framed{Title: title}, image.Rect(0, 0, wide, 40))
		h.Fault = "mdi:wifi-off"
		h.Load(b)
		h.Paint(render.NewCanvas(image.NewRGBA(image.Rect(0, 0, wide, 40))))
		got := ""
		for _, p := range words {
			got += p.Text
		}
		if got != want {
			t.Errorf("%d px: the title is %q, want %q", wide, got, want)
		}
	}
}
