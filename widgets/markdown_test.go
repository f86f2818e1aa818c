package widgets

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/internal/markdown"
	"dashboard/theme/look"
)

const recipe = "# Spaghetti with roast tomatoes\n\n## You need\n\n- **400 g** spaghetti\n- **600 g** small tomatoes, halved\n- **4** cloves of garlic, **1** lemon\n\n## How\n\n" +
	"1. Roast the tomatoes with garlic and oil at **220 °C** for **18 min**, until they split.\n2. Cook the spaghetti **one minute less** than the packet says; keep a cup of the water.\n" +
	"3. Toss all in the pan with lemon zest and water until it *shines*.\n\n> Jonas: without parmesan. The capers are in the door of the fridge.\n"

const everyMark = "### Third level\n\nSome `code` and ~~old~~ **bold *both***, [a link](http://x/).\n\n- [ ] open\n- [x] done\n  - deeper\n\n---\n\n| Bread | Price |\n|:--|--:|\n| Rye | **4.20** |\n| A very long name of a bread that does not fit | 5 |\n\n```\nmake run\n  twice\n```\n"

// marked is a markdown widget of a text.
func marked(params, source string) string {
	return "{widget: markdown, " + params + ", text: " + flow(source) + "}"
}

func TestMarkdownGoldens(t *testing.T) {
	modernSheet(t, "markdown", []scene{
		{size: image.Pt(440, 720), widget: marked("title: Tonight, icon: 'mdi:silverware-fork-knife', note: 25 min", recipe)},
		{size: image.Pt(440, 560), widget: marked("title: Marks", everyMark)},
		{size: image.Pt(300, 300), widget: marked("title: Too much", recipe)},
		{size: image.Pt(640, 340), widget: marked("columns: 2", recipe)},
		{size: image.Pt(300, 220), picture: image.Pt(320, 240), widget: marked("title: Small", recipe)},
		{size: image.Pt(240, 160), widget: "{widget: markdown, title: Nothing yet, text: !data .p}"},
		{size: image.Pt(360, 260), locale: "he", widget: marked("title: שלט", "# שלום\n\n- לחם **טרי**\n- חלב\n\nטקסט ארוך מאוד שצריך לעבור לשורה הבאה")},
	})
}

func markdownIn(d *data) *markdownWidget { return only[*frame](d).inner.(*markdownWidget) }

func TestMarkdownStates(t *testing.T) {
	modernBubble(t, "widgets: [{widget: markdown, "+bareCard+"empty: no notes, text: !data .p}]", scene{size: image.Pt(300, 200)}, look.Calm(true), func(d *data) {
		for i, tc := range []struct {
			value any
			want  string
		}{{nil, "—"}, {"", "no notes"}, {"# A", "# A"}, {strings.Repeat("word ", 20000), strings.Repeat("word ", 20000)}, {7.5, "7.5"}} {
			d.named["p"].Publish(tc.value, t0)
			damage, _ := d.step(time.Duration(i) * time.Second)
			if got := markdownIn(d).raw; got != tc.want {
				t.Errorf("got %.40q, want %.40q", got, tc.want)
			}
			if len(damage) == 0 {
				t.Errorf("%.20q: nothing is damaged", tc.want)
			}
		}
	})
}

// Nothing is painted outside, and what does not fit ends in an ellipsis.
func TestMarkdownIsCut(t *testing.T) {
	for _, size := range []image.Point{{30, 20}, {200, 60}, {400, 300}, {1, 1}} {
		modernBubble(t, "widgets: ["+marked(strings.TrimSuffix(bareCard, ", "), strings.Repeat(recipe+everyMark, 5))+"]", scene{size: size}, look.Calm(true), func(d *data) {
			d.step(0)
			w := markdownIn(d)
			for _, p := range w.pieces {
				if p.line != nil && p.at.Y > size.Y {
					t.Errorf("%v: text at %v", size, p.at)
				}
			}
		})
	}
}

// Texts of the worst kinds are set in about as many steps as others: what is cut is found by halving, not letter by letter. They
// took hours.
func TestMarkdownOfHostileTexts(t *testing.T) {
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
			modernBubble(t, "widgets: ["+marked("columns: 2, "+strings.TrimSuffix(bareCard, ", "), source)+"]", scene{size: size}, look.Calm(true), func(d *data) {
				d.step(0)
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

// A word that is wider than a line is cut where a reader expects it.
func TestMarkdownCutsLongWords(t *testing.T) {
	for source, want := range map[string]string{
		"Ofentomatenspaghettitopf":                             "-",
		"https://example.org/a/very/long/address/that/goes/on": "/",
		"番茄意大利麵番茄意大利麵番茄意大利麵":                                   "",
		"`Ofentomatenspaghettitopf`":                           "",
	} {
		modernBubble(t, "widgets: ["+marked(strings.TrimSuffix(bareCard, ", "), source)+"]", scene{size: image.Pt(130, 200)}, look.Calm(true), func(d *data) {
			d.step(0)
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
			if last := g.tails[len(g.tails)-1].word.text; want == "-" && len(last) < leastBehind {
				t.Errorf("%s: %q is left behind the hyphen", source, last)
			}
		})
	}
}

func TestMarkdownMistakes(t *testing.T) {
	wantErrors(t, "widgets: [{widget: markdown}]", "a text or the file of a path")
	wantErrors(t, "widgets: [{widget: markdown, text: a, path: b.md}]", "one of the two")
}

// A file that is missing is a warning and an empty state; it is shown when it comes.
func TestMarkdownFollowsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recipe.md")
	file := "widgets: [{widget: markdown, " + bareCard + "path: " + flow(path) + "}]"
	modernBubble(t, file, scene{size: image.Pt(300, 200)}, look.Calm(true), func(d *data) {
		d.step(0)
		if got := markdownIn(d).raw; got != "—" {
			t.Errorf("got %q, want a dash", got)
		}
		if err := os.WriteFile(path, []byte("# Soup"), 0o600); err != nil {
			t.Fatal(err)
		}
		cell := d.fetched(t)
		cell.Publish("# Soup", t0)
		d.step(time.Second)
		if got := markdownIn(d).raw; got != "# Soup" {
			t.Errorf("got %q", got)
		}
	})
}

func TestMarkdownAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	modernBubble(t, "widgets: ["+marked("title: Tonight", recipe)+"]", scene{size: image.Pt(440, 720)}, look.Calm(true), func(d *data) {
		d.step(0)
		now := t0.Add(time.Second)
		d.r.Step(now)
		if n := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); n != 0 {
			t.Errorf("got %v allocations, want 0", n)
		}
	})
}
