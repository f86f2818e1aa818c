package follow

import (
	"strings"
	"testing"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/manifest"
	"dashboard/internal/testing/thorough"
)

// TestFreeze checks that an old manifest is accepted with a warning.
func TestFreeze(t *testing.T) {
	thorough.Only(t)
	for days, want := range map[int]bool{29: false, 31: true} {
		g := newRig(t)
		g.now = begin.AddDate(0, 0, days)
		g.check(t.Context(), false)
		if u := g.card.last(); strings.Contains(u.Warning, "hold newer ones back") != want || !u.Ready {
			t.Errorf("after %d days: got %+v", days, u)
		}
	}
}

// TestWrongClock checks a board whose time is not set. The board reports that its time is not set, and does not warn about an old
// manifest. It installs a release only if the release is urgent or a person requests the installation.
func TestWrongClock(t *testing.T) {
	for _, year := range []int{1970, 2024, 2040} {
		if testing.Short() && year == 2040 {
			continue // each installation takes a second
		}
		g := newRig(t)
		g.now, g.timeSet = time.Date(year, 5, 4, 3, 40, 0, 0, time.UTC), false
		g.next = time.Time{}
		g.step(t.Context())
		if u := g.card.last(); !u.Ready || u.Warning != "" || !strings.Contains(u.Waits, "time is not set") || g.card.restarts != 0 {
			t.Errorf("%d: got %+v, %d restarts", year, u, g.card.restarts)
		}
		if g.publish(func(m *manifest.Manifest) { m.Urgent = true }); year == 2024 {
			g.next = g.now
			g.step(t.Context())
		} else if err := g.ask(about.DoNow, ""); err != nil {
			t.Error(err)
		}
		if g.card.restarts != 1 {
			t.Errorf("%d: got %d restarts, want one", year, g.card.restarts)
		}
	}
}

// TestClockJumps checks that the next request is not delayed by years if the clock is set back by years.
func TestClockJumps(t *testing.T) {
	g := newRig(t)
	g.check(t.Context(), false)
	asked := len(g.web.asked)
	g.now = g.now.AddDate(-9, 0, 0)
	if g.step(t.Context()); len(g.web.asked) == asked {
		t.Error("the server was not asked")
	}
}

// TestWindow checks that a release is installed only in the window, at the board's own time.
func TestWindow(t *testing.T) {
	g := newRig(t)
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 3, hour, minute, 0, 0, time.UTC) }
	g.Jitter = true
	late := int(g.share() * 30)
	for _, tt := range []struct {
		now  time.Time
		want int
	}{{at(2, 59), 0}, {at(4, 0), 0}, {at(3, late), 1}} {
		g.now = tt.now
		g.next = tt.now
		if g.step(t.Context()); g.card.restarts != tt.want {
			t.Errorf("%v: got %d restarts, want %d", tt.now, g.card.restarts, tt.want)
		}
	}
	if late == 0 {
		t.Fatal("the board has no jitter")
	}
}

func TestParseWindow(t *testing.T) {
	for text, want := range map[string]string{
		"03:00-04:00": "03:00-04:00", "23:30 - 1:15": "23:30-01:15", "00:00-24:00": "00:00-24:00", "3-4": "", "": "", "03:60-04:00": "",
		"-1:00-04:00": "", "03:00-24:01": "", "03:00": "", "3:0-4:0": "", "300:00-4:00": "",
	} {
		w, err := ParseWindow(text)
		if got := w.String(); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q: got %v, %v, want %q", text, got, err, want)
		}
	}
	at := func(hour int) time.Time { return time.Date(2026, 11, 3, hour, 0, 0, 0, time.UTC) }
	night, day := Window{23 * 60, 60}, Window{0, 24 * 60}
	if !night.open(at(0), 0) || night.open(at(1), 0) || night.open(at(12), 0) || !day.open(at(12), 0.9) {
		t.Error("a window across midnight, or a whole day, is wrong")
	}
}
