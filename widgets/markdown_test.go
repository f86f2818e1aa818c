package widgets

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
