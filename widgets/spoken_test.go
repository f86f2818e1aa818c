package widgets

import (
	"image"
	"regexp"
	"strings"
	"testing"
	"time"

	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// unspoken are painted texts that are not read, by kind: labels of axes and grids, and counts of rows without room, which are read.
var unspoken = map[string]*regexp.Regexp{
	"chart":     regexp.MustCompile(`^[−\d.,]+k?M?(\pZ?\pL+)?$`),
	"heatmap":   regexp.MustCompile(`^\d\d$|^\pL{3}$`),
	"weather":   regexp.MustCompile(`^\d\d$|^\pL{3}$`),
	"week":      regexp.MustCompile(`^\d\d$|^\pL{3} \d+$|^\d+$|^\pL$|^\+\d+`),
	"month":     regexp.MustCompile(`^\d\d?$|^\pL{1,3}$|^\+\d+|^\d{4}$`),
	"agenda":    regexp.MustCompile(`^\+\d+`),
	"list":      regexp.MustCompile(`^\+\d+`),
	"table":     regexp.MustCompile(`^\+\d+`),
	"nextevent": regexp.MustCompile(`^\d\d:\d\d$`),
	"progress":  regexp.MustCompile(`^[−\d.,]+k`), // compact for want of room
	"photos":    regexp.MustCompile(`First light$`),
}

// spokenCells are the sizes of the cells for the comparison.
var spokenCells = []walltest.Scene{
	{Size: image.Pt(400, 300), Picture: image.Pt(1280, 720)}, {Size: image.Pt(148, 108), Picture: image.Pt(320, 240)},
	{Size: image.Pt(210, 253), Picture: image.Pt(480, 800)}, {Size: image.Pt(900, 600), Picture: image.Pt(1280, 720)},
}

// TestPaintedIsSpoken: each text that a kind paints, in each state and in cells of several sizes, is in its words, and each state has
// words.
func TestPaintedIsSpoken(t *testing.T) { // not parallel: it follows the letters of all tests
	painted := 0
	defer func() {
		if painted < 2000 {
			t.Errorf("%d lines were painted, want thousands", painted)
		}
	}()
	for name, k := range everyKind(t) {
		for _, state := range []string{"waiting", "usual", "full", "stale", "failed"} {
			for _, cell := range spokenCells {
				cell.Locale = "en-GB"
				walltest.ModernBubble(t, "widgets: ["+k.Widget+"]\n", cell, look.Calm(true), func(d *walltest.Data) {
					k.Feed(d, state)
					d.Step(0)
					d.Step(2 * time.Second)
					s := spokenOf(d)
					if len(s.Parts()) == 0 && name != "space" && name != "icon" && name != "drawing" { // those decorate
						t.Errorf("%s, %s: no words", name, state)
					}
					d.R.Repaint()
					all := paintedBy(t, d)
					painted += len(all)
					for _, text := range all {
						if !spokenIn(s, name, text) {
							t.Errorf("%s, %s, %v: %q is painted, but not in:\n%s", name, state, cell.Size, text, s.AppendText(nil))
						}
					}
				})
			}
		}
	}
}

// spokenOf has a wall speak.
func spokenOf(d *walltest.Data) *kit.Speech {
	s := &kit.Speech{}
	l := walltest.TestLocale(d.T, "en-GB")
	s.Begin(l, time.UTC, walltest.After(2*time.Second), false)
	d.Tree.Speak(s)
	return s
}

// paintedBy are the lines of text that a wall paints.
func paintedBy(t *testing.T, d *walltest.Data) (lines []string) {
	t.Helper()
	cache := walltest.TestEnv().Text
	cache.OnPaint(func(p text.Painted) { lines = append(lines, strings.TrimSpace(string(p.Line))) })
	defer cache.OnPaint(nil)
	d.Step(2 * time.Second)
	return lines
}

// parted is what separates values in a painted line.
var parted = regexp.MustCompile(` · | – |° | → |   •   `)

// spokenIn reports whether a painted line is in the words of a kind.
func spokenIn(s *kit.Speech, kind, line string) bool {
	if line == "—" {
		return true
	}
	for _, text := range parted.Split(line, -1) {
		if rule := unspoken[kind]; rule != nil && rule.MatchString(text) {
			continue
		}
		if !s.Contains([]byte(strings.TrimRight(text, "…-"))) {
			return false
		}
	}
	return true
}
