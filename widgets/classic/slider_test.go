package classic

import (
	"image"
	"image/color"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/walltest"
)

var (
	blue  = color.RGBA{0, 0, 255, 255}
	green = color.RGBA{0, 255, 0, 255}
)

// seam() returns the left and the right color of a frame, and the x coordinate where the left color ends.
func seam(r *render.Renderer) (l, right color.RGBA, at int) {
	m := r.Frame()
	l, right = m.RGBAAt(0, 0), m.RGBAAt(99, 3)
	for at = 0; at < 100 && m.RGBAAt(at, 1) == l; at++ {
	}
	return l, right, at
}

func TestFlipSlides(t *testing.T) {
	r := walltest.Strip(t, walltest.TestEnv(), "{widget: flip, interval: 5, transition: 2, "+walltest.ThreeAreas+"}")
	for _, step := range []struct {
		at          time.Duration
		left, right color.RGBA
		seam        int
		next        time.Duration
	}{
		{0, walltest.Red, walltest.Red, 100, 5 * time.Second},
		{4 * time.Second, walltest.Red, walltest.Red, 100, 5 * time.Second},
		{5 * time.Second, walltest.Red, walltest.Red, 100, 5 * time.Second}, // start of a slide
		{5500 * time.Millisecond, walltest.Red, blue, 90, 5500 * time.Millisecond},
		{6 * time.Second, walltest.Red, blue, 50, 6 * time.Second},
		{6500 * time.Millisecond, walltest.Red, blue, 10, 6500 * time.Millisecond},
		{7 * time.Second, blue, blue, 100, 10 * time.Second},
		{11 * time.Second, blue, blue, 100, 11 * time.Second}, // late, so the next interval starts now
		{13 * time.Second, green, green, 100, 16 * time.Second},
		{16 * time.Second, green, green, 100, 16 * time.Second},
		{30 * time.Second, walltest.Red, walltest.Red, 100, 30 * time.Second}, // this late frame ends the slide, and the next slide is due
		{32 * time.Second, blue, blue, 100, 35 * time.Second},
	} {
		_, next := r.Step(walltest.After(step.at))
		l, right, at := seam(r)
		if l != step.left || right != step.right || at != step.seam {
			t.Errorf("after %v: got %v until %d then %v, want %v until %d then %v", step.at, l, at, right, step.left, step.seam, step.right)
		}
		if want := walltest.After(step.next); !next.Equal(want) {
			t.Errorf("after %v: next pass at %v, want after %v", step.at, next.Sub(walltest.T0), step.next)
		}
	}
}

func TestFlipWithoutTransition(t *testing.T) {
	r := walltest.Strip(t, walltest.TestEnv(), "{widget: flip, interval: 3, transition: 0, "+walltest.ThreeAreas+"}")
	for i, want := range []color.RGBA{walltest.Red, blue, green, walltest.Red, blue} {
		_, next := r.Step(walltest.After(time.Duration(i) * 3 * time.Second))
		if l, right, _ := seam(r); l != want || right != want {
			t.Errorf("turn %d: got %v and %v, want %v", i, l, right, want)
		}
		if want := walltest.After(time.Duration(i+1) * 3 * time.Second); !next.Equal(want) {
			t.Errorf("turn %d: next pass at %v, want %v", i, next, want)
		}
	}
}

func TestFlipOfOneRests(t *testing.T) {
	r := walltest.Strip(t, walltest.TestEnv(), "{widget: flip, children: [{widget: empty, color: red}]}")
	r.Step(walltest.T0)
	if damage, next := r.Step(walltest.After(time.Hour)); len(damage) != 0 || !next.IsZero() {
		t.Errorf("got damage %v and next pass %v, want none", damage, next)
	}
}

func TestFlipWhenTheClockIsSetBack(t *testing.T) {
	r := walltest.Strip(t, walltest.TestEnv(), "{widget: flip, interval: 5, transition: 1, "+walltest.ThreeAreas+"}")
	for _, at := range []time.Duration{0, 5 * time.Second, 5500 * time.Millisecond} {
		r.Step(walltest.After(at))
	}
	_, next := r.Step(walltest.After(-time.Hour))
	if l, right, _ := seam(r); l != blue || right != blue {
		t.Errorf("during a slide: got %v and %v, want it settled on blue", l, right)
	}
	if want := walltest.After(-time.Hour + 5*time.Second); !next.Equal(want) {
		t.Errorf("next pass: got %v, want %v", next, want)
	}
}

func TestHiddenChildrenWakeNobodyAndComeBackWhole(t *testing.T) {
	r := walltest.Strip(t, walltest.TestEnv(), "{widget: flip, interval: 60, transition: 0, children: [{widget: empty, color: red}, {widget: dateclock, time_format: '%S', date_format: ''}]}")
	_, next := r.Step(walltest.T0)
	if want := walltest.After(time.Minute); !next.Equal(want) {
		t.Errorf("while the clock is hidden: next pass at %v, want %v", next, want)
	}
	damage, next := r.Step(walltest.After(time.Minute + 100*time.Millisecond))
	if len(damage) != 1 || damage[0] != r.Frame().Rect {
		t.Errorf("when it is shown: got damage %v, want everything", damage)
	}
	if want := walltest.After(61 * time.Second); !next.Equal(want) {
		t.Errorf("when it is shown: next pass at %v, want %v", next, want)
	}
}

const dayPlan = "schedule: {'08:00': r, '18:30': b, '7:15': g}, "

func TestScheduleFlip(t *testing.T) {
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	e := walltest.TestEnv()
	e.Location = rome
	for _, tc := range []struct {
		now, until string // times in Rome
		want       color.RGBA
	}{
		{"2026-03-10 00:00", "2026-03-10 07:15", blue},
		{"2026-03-10 07:14", "2026-03-10 07:15", blue},
		{"2026-03-10 07:15", "2026-03-10 08:00", green},
		{"2026-03-10 12:00", "2026-03-10 18:30", walltest.Red},
		{"2026-03-10 18:30", "2026-03-11 07:15", blue},
		{"2026-03-28 20:00", "2026-03-29 07:15", blue}, // the next day has only 23 hours
	} {
		const layout = "2006-01-02 15:04"
		now, _ := time.ParseInLocation(layout, tc.now, rome)
		until, _ := time.ParseInLocation(layout, tc.until, rome)
		r := walltest.Strip(t, e, "{widget: scheduleflip, "+dayPlan+walltest.ThreeAreas+"}")
		_, next := r.Step(now)
		if l, right, _ := seam(r); l != tc.want || right != tc.want {
			t.Errorf("%s: got %v and %v, want %v", tc.now, l, right, tc.want)
		}
		if !next.Equal(until) {
			t.Errorf("%s: next pass at %v, want %v", tc.now, next, until)
		}
	}
}

func TestScheduleFlipSlides(t *testing.T) {
	r := walltest.Strip(t, walltest.TestEnv(), "{widget: scheduleflip, transition: 2, schedule: {'12:34': r, '12:35': b}, "+walltest.ThreeAreas+"}")
	r.Step(walltest.T0)
	r.Step(walltest.After(time.Minute))
	_, next := r.Step(walltest.After(61 * time.Second))
	if l, right, at := seam(r); l != walltest.Red || right != blue || at != 50 {
		t.Errorf("half way: got %v until %d then %v, want red until 50 then blue", l, at, right)
	}
	if !next.Equal(walltest.After(61 * time.Second)) {
		t.Errorf("half way: next pass at %v, want the next frame", next)
	}
	_, next = r.Step(walltest.After(62 * time.Second))
	if l, right, _ := seam(r); l != blue || right != blue {
		t.Errorf("settled: got %v and %v, want blue", l, right)
	}
	if want := walltest.After(24 * time.Hour); !next.Equal(want) {
		t.Errorf("settled: next pass at %v, want %v", next, want)
	}
}

// TestFlipKeepsFractions checks that a flip changes its child at the configured interval, even if the interval is not a whole number of
// seconds.
func TestFlipKeepsFractions(t *testing.T) {
	for _, tc := range []struct {
		interval string
		want     int // in 20 seconds
	}{{"0.5", 40}, {"2.5", 8}, {"5", 4}, {"0.3", 66}} {
		w := walltest.BuildOne[*flip](t, walltest.TestEnv(), "{widget: flip, interval: "+tc.interval+", transition: 0, children: [{widget: empty, color: red}, {widget: empty, color: blue}]}", image.Pt(20, 10))
		r := render.New(w, image.Pt(20, 10))
		turns, shown := 0, w.Shown
		now := walltest.T0.Add(300 * time.Millisecond)
		_, wake := r.Step(now)
		for end := now.Add(20 * time.Second); ; {
			now = now.Add(31 * time.Millisecond) // the wall is also updated for other reasons
			if now.Before(wake) && wake.Before(now.Add(31*time.Millisecond)) {
				now = wake
			}
			if now.After(end) {
				break
			}
			if _, wake = r.Step(now); w.Shown != shown {
				shown = w.Shown
				turns++
			}
		}
		if turns < tc.want-1 || turns > tc.want+1 {
			t.Errorf("interval %s: turned %d times in 20 s, want %d", tc.interval, turns, tc.want)
		}
	}
}

// TestScheduleFlipInTheHourThatComesTwice checks the hour that a clock change repeats. In the repeated hour, the times of the schedule
// have already been reached and must not cause endless updates.
func TestScheduleFlipInTheHourThatComesTwice(t *testing.T) {
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	f := &scheduleFlip{location: rome, entries: []scheduled{{2 * 60, 0}, {2*60 + 45, 1}}}
	first := time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC) // 02:00 occurs now and again one hour later
	for m := range 180 {
		now := first.Add(time.Duration(m) * time.Minute)
		child, until := f.at(now)
		if !until.After(now) {
			t.Fatalf("at %v: next change at %v, want a later time", now.In(rome), until)
		}
		if want := map[bool]int{true: 1}[m >= 45]; child != want {
			t.Fatalf("at %v: child %d, want %d: the first of two equal times is meant", now.In(rome), child, want)
		}
	}
}

func TestTimeOfDay(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want int
		ok   bool
	}{
		{"08:00", 480, true}, {"8:05", 485, true}, {"0:00", 0, true}, {"23:59", 1439, true}, {" 7:30 ", 450, true},
		{"24:00", 0, false}, {"8:60", 0, false}, {"8", 0, false}, {"", 0, false}, {"-1:00", 0, false}, {"8:0x", 0, false},
	} {
		if got, ok := timeOfDay(tc.in); got != tc.want || ok != tc.ok {
			t.Errorf("%q: got %d %v, want %d %v", tc.in, got, ok, tc.want, tc.ok)
		}
	}
}
