package arrange

import (
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// mixedWords are words and signs of several scripts and writing directions.
var mixedWords = []string{
	"לוח", "שנה", "משפחתי", "家族の", "カレンダー予定表",
	"Familienkalender", "mit", "Donaudampfschifffahrtsgesellschaftskapitän",
	"التقويم", "ปฏิทินครอบครัว", "👨‍👩‍👧", "12:30", "(a)", "é", "—",
}

// mixedTitle returns a title of n random words.
func mixedTitle(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = mixedWords[r.IntN(len(mixedWords))]
	}
	return strings.Join(words, []string{" ", ""}[r.IntN(2)])
}

// TestLongMixedTitles checks title lines with random texts of several scripts. Each line has ink, inside its box. The title, the note and
// the icon do not overlap. From a width of six em on, the icon does not replace the title, and a title that is cut ends in an ellipsis.
func TestLongMixedTitles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		e := walltest.TestEnv()
		e.Look = look.Calm(true)
		e.Picture = []image.Point{{X: 320, Y: 240}, {X: 1280, Y: 720}, {X: 1920, Y: 1080}}[r.IntN(3)]
		var err error
		if e.Locale, err = locale.Load([]string{"en", "he"}[r.IntN(2)], nil); err != nil {
			t.Fatal(err)
		}
		f := &kit.Framed{Title: &config.Live[string]{Plain: mixedTitle(r, 1+r.IntN(1<<r.IntN(9)))}}
		if r.IntN(3) > 0 {
			f.Icon = &config.Live[value.Icon]{Plain: value.Icon{Name: "pasta"}}
			f.Accent = &config.Live[theme.RoleColor]{Plain: theme.RoleColor{Color: theme.Color{NRGBA: color.NRGBA{R: 255, A: 255}}}}
		}
		if r.IntN(3) == 0 {
			f.Note = &config.Live[string]{Plain: "# " + mixedTitle(r, 1+r.IntN(3))}
		}
		checkTitle(t, e, f, 40+r.IntN(600))
	}
}

// checkTitle draws a title line in a width in px, with some space around the line.
func checkTitle(t *testing.T, e kit.Env, f *kit.Framed, wide int) {
	t.Helper()
	const space = 40
	var texts []walltest.Text
	walltest.TextsOf(e.Text, &texts)
	defer e.Text.OnPaint(nil)
	b := walltest.Builder(e)
	box := image.Rect(space, space, space+wide, space+b.Px(kit.HeadHeight))
	m := image.NewRGBA(box.Inset(-space))
	b.NewHead(nil, f, box).Paint(render.NewCanvas(m))
	title, ink := f.Title.Plain, walltest.InkOf(m, m.Rect)
	if ink.Empty() || ink.Min.X < box.Min.X-1 || ink.Max.X > box.Max.X+1 {
		t.Fatalf("%q in %v: the ink is %v", title, box, ink)
	}
	taken := []image.Rectangle{yellow(m)} // the icon
	shown := ""
	for _, p := range texts {
		if slices.ContainsFunc(taken, p.Ink.Overlaps) {
			t.Fatalf("%q in %v: %q at %v covers a part of %v", title, box, p.Text, p.Ink, taken)
		}
		taken = append(taken, p.Ink)
		if f.Note == nil || p.Text != f.Note.Plain {
			shown = p.Text
		}
	}
	if wide >= 6*b.Face("caption").Size && shown != title && (len(shown) < 2*len(kit.Ellipsis) || !strings.HasSuffix(shown, kit.Ellipsis)) {
		t.Fatalf("%q in %v: the title is %q", title, box, shown)
	}
}
