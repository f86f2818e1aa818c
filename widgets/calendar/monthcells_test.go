package calendar

import (
	"image"
	"strings"
	"testing"

	"dashboard/widgets/walltest"
)

// TestDaysOfTheMonthAreWhole checks that no day number is cut, at many widths, on screens and on e-paper. Today's number is always shown.
func TestDaysOfTheMonthAreWhole(t *testing.T) {
	for _, theme := range []string{"calm", "eink"} {
		for _, picture := range []image.Point{{320, 240}, {400, 300}, {1280, 720}} {
			for wide := 112; wide < 420; wide += 22 {
				e := walltest.TestEnv()
				e.Locale, e.Picture = walltest.TestLocale(t, "en"), picture
				today := false
				for _, p := range walltest.ShowThemed(t, e, theme, false, "{widget: month, week_numbers: true}", image.Pt(wide, 220)).Texts {
					today = today || p.Text == "21"
					if head, _, cut := strings.Cut(p.Text, "…"); cut && (head == "" || head[0] <= '9') {
						t.Errorf("%s, %v, %d px wide: %q", theme, picture, wide, p.Text)
					}
				}
				if !today {
					t.Errorf("%s, %v, %d px wide: no date of today", theme, picture, wide)
				}
			}
		}
	}
}
