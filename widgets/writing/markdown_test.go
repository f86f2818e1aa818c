package writing

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/internal/markdown"
	"dashboard/internal/testing/thorough"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

const recipe = "# Spaghetti with roast tomatoes\n\n## You need\n\n- **400 g** spaghetti\n- **600 g** small tomatoes, halved\n- **4** cloves of garlic, **1** lemon\n\n## How\n\n" +
	"1. Roast the tomatoes with garlic and oil at **220 °C** for **18 min**, until they split.\n2. Cook the spaghetti **one minute less** than the packet says; keep a cup of the water.\n" +
	"3. Toss all in the pan with lemon zest and water until it *shines*.\n\n> Jonas: without parmesan. The capers are in the door of the fridge.\n"

const everyMark = "### Third level\n\nSome `code` and ~~old~~ **bold *both***, [a link](http://x/).\n\n- [ ] open\n- [x] done\n  - deeper\n\n---\n\n| Bread | Price |\n|:--|--:|\n| Rye | **4.20** |\n| A very long name of a bread that does not fit | 5 |\n\n```\nmake run\n  twice\n```\n"

// marked() returns a markdown widget as YAML.
func marked(params, source string) string {
	return "{widget: markdown, " + params + ", text: " + walltest.Flow(source) + "}"
}

func TestMarkdownGoldens(t *testing.T) {
	walltest.ModernSheet(t, "markdown", []walltest.Scene{
		{Size: image.Pt(440, 720), Widget: marked("title: Tonight, icon: 'mdi:silverware-fork-knife', note: 25 min", recipe)},
		{Size: image.Pt(440, 560), Widget: marked("title: Marks", everyMark)},
		{Size: image.Pt(300, 300), Widget: marked("title: Too much", recipe)},
		{Size: image.Pt(640, 340), Widget: marked("columns: 2", recipe)},
		{Size: image.Pt(300, 220), Picture: image.Pt(320, 240), Widget: marked("title: Small", recipe)},
		{Size: image.Pt(240, 160), Widget: "{widget: markdown, title: Nothing yet, text: !data .p}"},
		{Size: image.Pt(360, 260), Locale: "he", Widget: marked("title: שלט", "# שלום\n\n- לחם **טרי**\n- חלב\n\nטקסט ארוך מאוד שצריך לעבור לשורה הבאה")},
	})
}

func markdownIn(d *walltest.Data) *markdownWidget {
	return walltest.Only[*kit.Frame](d).Inner.(*markdownWidget)
}

func TestMarkdownStates(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: markdown, "+walltest.BareCard+"empty: no notes, text: !data .p}]", walltest.Scene{Size: image.Pt(300, 200)}, look.Calm(true), func(d *walltest.Data) {
		for i, tc := range []struct {
			value any
			want  string
		}{{nil, "—"}, {"", "no notes"}, {"# A", "# A"}, {strings.Repeat("word ", 20000), strings.Repeat("word ", 20000)}, {7.5, "7.5"}} {
			d.ByName["p"].Publish(tc.value, walltest.T0)
			damage, _ := d.Step(time.Duration(i) * time.Second)
			if got := markdownIn(d).raw; got != tc.want {
				t.Errorf("got %.40q, want %.40q", got, tc.want)
			}
			if len(damage) == 0 {
				t.Errorf("%.20q: nothing is damaged", tc.want)
			}
		}
	})
}

// TestMarkdownIsCut checks that no line of a text that is too long lies below the cell.
func TestMarkdownIsCut(t *testing.T) {
	for _, size := range []image.Point{{30, 20}, {200, 60}, {400, 300}, {1, 1}} {
		walltest.ModernBubble(t, "widgets: ["+marked(strings.TrimSuffix(walltest.BareCard, ", "), strings.Repeat(recipe+everyMark, 5))+"]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := markdownIn(d)
			for _, p := range w.pieces {
				if p.line != nil && p.at.Y > size.Y {
					t.Errorf("%v: text at %v", size, p.at)
				}
			}
		})
	}
}

// TestMarkdownOfHostileTexts lays out hostile texts and checks that no line is wider than the cell. The position of a cut is found by
// bisection. With a search letter by letter, the test would take hours.
func TestMarkdownOfHostileTexts(t *testing.T) {
	thorough.Only(t)
	for name, source := range map[string]string{
		"a word without an end":      strings.Repeat("x", 60000),
		"a word of accents":          "e" + strings.Repeat("\u0301", 30000),
		"half a letter at each end":  strings.Repeat("é", mdLong),
		"more words than are set":    strings.Repeat("a ", 2*mdMost),
		"a line of code":             "```\n" + strings.Repeat("x", 60000) + "\n```",
		"a cell of words":            "|a|b|\n|-|-|\n|" + strings.Repeat("a ", 14000) + "|" + strings.Repeat("b", 30000) + "|",
		"a heading in each of lines": strings.Repeat("# "+strings.Repeat("W", 300)+"\n\n", 200),
	} {
		for _, size := range []image.Point{{320, 240}, {60, 40}, {1, 1}} {
			walltest.ModernBubble(t, "widgets: ["+marked("columns: 2, "+strings.TrimSuffix(walltest.BareCard, ", "), source)+"]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				w := markdownIn(d)
				for _, p := range w.pieces {
					if p.line != nil && size.X > 60 && p.at.X+p.line.Width() > size.X {
						t.Errorf("%s at %v: text from %v on is %d px wide", name, size, p.at, p.line.Width())
					}
				}
			})
		}
	}
}

// TestMarkdownCutsLongWords checks that a word that is wider than a line is broken where a reader expects it.
func TestMarkdownCutsLongWords(t *testing.T) {
	for source, want := range map[string]string{
		"Ofentomatenspaghettitopf":                             "-",
		"https://example.org/a/very/long/address/that/goes/on": "/",
		"番茄意大利麵番茄意大利麵番茄意大利麵":                                   "",
		"`Ofentomatenspaghettitopf`":                           "",
	} {
		walltest.ModernBubble(t, "widgets: ["+marked(strings.TrimSuffix(walltest.BareCard, ", "), source)+"]", walltest.Scene{Size: image.Pt(130, 200)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := markdownIn(d)
			g := w.set.flow(markdown.Parse(source), w.size, w.set.faces(1))
			if len(g.tails) < 2 {
				t.Fatalf("%s: got %d lines, want a cut", source, len(g.tails))
			}
			for i, tail := range g.tails[:len(g.tails)-1] {
				got := tail.word.text
				if !strings.HasSuffix(got, want) || want == "" && strings.HasSuffix(got, "-") {
					t.Errorf("%s: line %d is %q, want it to end in %q", source, i, got, want)
				}
			}
			if last := g.tails[len(g.tails)-1].word.text; want == "-" && len(last) < piece.LeastBehind {
				t.Errorf("%s: %q is left behind the hyphen", source, last)
			}
		})
	}
}

func TestMarkdownMistakes(t *testing.T) {
	walltest.WantErrors(t, "widgets: [{widget: markdown}]", "a text or the file of a path")
	walltest.WantErrors(t, "widgets: [{widget: markdown, text: a, path: b.md}]", "one of the two")
}

// TestMarkdownFollowsAFile checks a missing file. The missing file is no error, and the widget shows a dash. When the text of the file
// arrives, the widget shows the text.
func TestMarkdownFollowsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recipe.md")
	file := "widgets: [{widget: markdown, " + walltest.BareCard + "path: " + walltest.Flow(path) + "}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 200)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		if got := markdownIn(d).raw; got != "—" {
			t.Errorf("got %q, want a dash", got)
		}
		if err := os.WriteFile(path, []byte("# Soup"), 0o600); err != nil {
			t.Fatal(err)
		}
		cell := d.Fetched(t)
		cell.Publish("# Soup", walltest.T0)
		d.Step(time.Second)
		if got := markdownIn(d).raw; got != "# Soup" {
			t.Errorf("got %q", got)
		}
	})
}

func TestMarkdownAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.ModernBubble(t, "widgets: ["+marked("title: Tonight", recipe)+"]", walltest.Scene{Size: image.Pt(440, 720)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		now := walltest.T0.Add(time.Second)
		d.R.Step(now)
		if n := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); n != 0 {
			t.Errorf("got %v allocations, want 0", n)
		}
	})
}

// TestCodeHasItsPlate checks that every line of code has a background. Lines of code may be at the top of a second column, on both sides
// of a column break, or before the end of a text that is cut.
func TestCodeHasItsPlate(t *testing.T) {
	code := "```\n" + strings.Repeat("step\n", 6) + "```\n"
	for name, c := range map[string]struct {
		before int // number of lines of text before the code
		high   int // in px
		most   int // maximum number of visible lines of code
	}{
		"in one column": {0, 400, 6}, "at the top of the second": {12, 200, 6}, "in both": {4, 200, 6}, "cut": {0, 60, 6},
	} {
		source := strings.Repeat("word\n\n", c.before) + code
		walltest.ModernBubble(t, "widgets: ["+marked("columns: 2, "+strings.TrimSuffix(walltest.BareCard, ", "), source)+"]", walltest.Scene{Size: image.Pt(400, c.high)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := markdownIn(d)
			lines := 0
			for _, p := range w.pieces[c.before:] {
				lines++
				if !slices.ContainsFunc(w.rects, func(r mdRect) bool { return p.at.In(r.box) && r.color == w.set.plate }) {
					t.Errorf("%s: no plate behind the line of code at %v, among %v", name, p.at, w.rects)
				}
			}
			if lines == 0 || lines > c.most {
				t.Errorf("%s: %d lines of code", name, lines)
			}
		})
	}
}
