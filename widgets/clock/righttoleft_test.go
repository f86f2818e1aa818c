package clock

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"dashboard/widgets/walltest"
)

// TestClocksFromRightToLeftAreComplete checks clocks in Arabic, Hebrew and Persian. Their texts are not cut and do not overlap. Large
// clocks have at least four texts: time, seconds, date and week.
func TestClocksFromRightToLeftAreComplete(t *testing.T) {
	for tag, want := range map[string][]string{"ar-EG": {"12:34", "م"}, "he": {"12:34"}, "fa": {"12:34"}} {
		for _, size := range []image.Point{{800, 400}, {600, 320}, {400, 240}} {
			e := walltest.TestEnv()
			e.Locale, e.Picture = walltest.TestLocale(t, tag), image.Pt(1280, 720)
			shown := walltest.ShowThemed(t, e, "calm", true, "{widget: clock, seconds: raised, week: true}", size)
			words := shown.Words()
			for _, text := range want {
				if tag != "fa" && !slices.Contains(words, text) {
					t.Errorf("%s %v: no %q in %q", tag, size, text, words)
				}
			}
			if len(words) < 4 && size.X >= 600 || len(words) < 3 {
				t.Errorf("%s %v: got %q, want time, seconds, date and week", tag, size, words)
			}
			for _, p := range shown.Texts {
				if !p.Ink.In(p.Clip) || strings.Contains(p.Text, "…") {
					t.Errorf("%s %v: %q is cut: %v in %v", tag, size, p.Text, p.Ink, p.Clip)
				}
			}
			for i, a := range shown.Texts {
				for _, b := range shown.Texts[:i] {
					if a.Ink.Overlaps(b.Ink) {
						t.Errorf("%s %v: %q covers %q", tag, size, a.Text, b.Text)
					}
				}
			}
		}
	}
}

// TestTwelveHoursFitSmallCells checks that a time with AM or PM is never cut.
func TestTwelveHoursFitSmallCells(t *testing.T) {
	for i, tag := range []string{"ar-EG", "ar", "ur", "en-US", "hi", "ko"} {
		for x := 60; x < 330; x += 18 {
			if testing.Short() && (i+x/18)%3 != 0 {
				continue // the next language has the other widths
			}
			for _, options := range []string{"", ", seconds: raised", ", seconds: full, week: true"} {
				e := walltest.TestEnv()
				e.Locale, e.Picture = walltest.TestLocale(t, tag), image.Pt(320, 240)
				for _, p := range walltest.ShowThemed(t, e, "calm", true, fmt.Sprintf("{widget: clock%s}", options), image.Pt(x, 120)).Texts {
					if strings.Contains(p.Text, ":") && (strings.Contains(p.Text, "…") || !p.Ink.In(p.Clip)) {
						t.Errorf("%s, %d px wide%s: %q is cut: %v in %v", tag, x, options, p.Text, p.Ink, p.Clip)
					}
				}
			}
		}
	}
}
