package widgets

import (
	"image"
	"regexp"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/race"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// `unspoken` are patterns of painted texts that are not spoken, by kind: labels of axes and grids, and the counts of hidden rows. The
// hidden rows themselves are spoken.
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
	"progress":  regexp.MustCompile(`^[−\d.,]+k`), // the compact form is shown if there is too little room
	"photos":    regexp.MustCompile(`First light$`),
}

// spokenCells are the sizes of cells for which painted and spoken texts are compared.
var spokenCells = []walltest.Scene{
	{Size: image.Pt(400, 300), Picture: image.Pt(1280, 720)}, {Size: image.Pt(148, 108), Picture: image.Pt(320, 240)},
	{Size: image.Pt(210, 253), Picture: image.Pt(480, 800)}, {Size: image.Pt(900, 600), Picture: image.Pt(1280, 720)},
}

// TestPaintedIsSpoken checks each kind in each state and in cells of several sizes. Every painted text must also be spoken, and every
// state must have a description.
func TestPaintedIsSpoken(t *testing.T) { // not parallel, because it observes the texts of all tests
	painted, least := 0, 2000
	if testing.Short() {
		least = 1000
	}
	defer func() {
		if painted < least && !race.Enabled {
			t.Errorf("%d lines were painted, want at least %d", painted, least)
		}
	}()
	for name, k := range everyKind(t) {
		for i, state := range []string{"waiting", "usual", "full", "stale", "failed"} {
			if race.Left(i, 3) {
				continue
			}
			for n, cell := range spokenCells {
				if testing.Short() && (i+n)%2 != 0 {
					continue // the next state has the other sizes
				}
				cell.Locale = "en-GB"
				walltest.ModernBubble(t, "widgets: ["+k.Widget+"]\n", cell, look.Calm(true), func(d *walltest.Data) {
					k.Feed(d, state)
					d.Step(0)
					d.Step(2 * time.Second)
					s := spokenOf(d)
					if len(s.Parts()) == 0 && name != "space" && name != "icon" && name != "drawing" { // these kinds are only decoration
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

// spokenOf returns the description of a wall.
func spokenOf(d *walltest.Data) *speech.Speech {
	s := &speech.Speech{}
	l := walltest.TestLocale(d.T, "en-GB")
	s.Begin(l, time.UTC, walltest.After(2*time.Second), false)
	d.Tree.Speak(s)
	return s
}

// paintedBy returns the lines of text that a wall paints.
func paintedBy(t *testing.T, d *walltest.Data) (lines []string) {
	t.Helper()
	cache := walltest.TestEnv().Text
	cache.OnPaint(func(p text.Painted) { lines = append(lines, strings.TrimSpace(string(p.Line))) })
	defer cache.OnPaint(nil)
	d.Step(2 * time.Second)
	return lines
}

// `parted` matches the separators between values in a painted line.
var parted = regexp.MustCompile(` · | – |° | → |   •   `)

// spokenIn reports whether the description of a kind contains all parts of a painted line. It ignores parts that match `unspoken`.
func spokenIn(s *speech.Speech, kind, line string) bool {
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
