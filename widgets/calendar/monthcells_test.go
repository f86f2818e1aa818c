package calendar

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"testing"

	"dashboard/widgets/kit/piece"
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

// TestMonthShowsItsNextWeeks checks that a month without room for all weeks shows the weeks from this week, and only today if there is no
// room for two weeks.
func TestMonthShowsItsNextWeeks(t *testing.T) {
	for _, tt := range []struct {
		high int
		days []string // visible days
		gone string   // hidden day
	}{
		{220, []string{"1", "21", "30"}, ""}, {140, []string{"15", "21", "29", "5"}, "14"}, {100, []string{"15", "21", "28"}, "14"}, {60, []string{"21"}, "16"},
	} {
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(400, 300)
		said := map[string]bool{}
		for _, p := range walltest.ShowThemed(t, e, "eink", false, "{widget: month, title: ''}", image.Pt(220, tt.high)).Texts {
			said[p.Text] = true
		}
		for _, day := range tt.days {
			if !said[day] {
				t.Errorf("%d px high: no %s in %v", tt.high, day, said)
			}
		}
		if said[tt.gone] {
			t.Errorf("%d px high: got the day %s", tt.high, tt.gone)
		}
	}
}

// TestMonthShowsMostWeeks checks that a calendar without room for all weeks shows as many weeks as fit.
func TestMonthShowsMostWeeks(t *testing.T) {
	for _, tt := range []struct{ weeks, high, want int }{{8, 300, 8}, {8, 180, 7}, {8, 160, 6}, {7, 160, 6}, {6, 145, 5}, {6, 125, 4}, {5, 125, 4}} {
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(400, 300)
		days := 0
		widget := fmt.Sprintf("{widget: month, title: '', weeks: %d}", tt.weeks)
		for _, p := range walltest.ShowThemed(t, e, "eink", false, widget, image.Pt(220, tt.high)).Texts {
			if _, err := strconv.Atoi(p.Text); err == nil {
				days++
			}
		}
		if got := days / piece.DaysOfWeek; got != tt.want {
			t.Errorf("%d weeks, %d px high: got %d weeks, want %d", tt.weeks, tt.high, got, tt.want)
		}
	}
}

// TestMonthShowsItsNextDays checks that a month without room for weeks shows the days from today, with their names, and only today if
// fewer than three days or no names fit.
func TestMonthShowsItsNextDays(t *testing.T) {
	for _, tt := range []struct {
		size image.Point
		want string
	}{
		{image.Pt(116, 76), "S S M T W 21 22 23 24 25"}, {image.Pt(90, 76), "S S M T 21 22 23 24"}, {image.Pt(50, 76), "21"}, {image.Pt(116, 40), "21"},
	} {
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(320, 240)
		var said []string
		for _, p := range walltest.ShowThemed(t, e, "eink", false, "{widget: month, title: '', card: false, padding: 0, margin: 0}", tt.size).Texts {
			said = append(said, p.Text)
		}
		if got := strings.Join(said, " "); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.size, got, tt.want)
		}
	}
}
