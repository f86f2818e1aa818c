package wall

import (
	"bytes"
	"context"
	"image"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/internal/testing/clocktest"
	"dashboard/theme/sun"
	"dashboard/wall/view"
)

// clockFiles is a wall in which everything depends on the time of day.
var clockFiles = files{
	"conf.yaml": "graphics: {resolution: [160, 96]}\noutputs: [{type: stream}]\n" +
		"appearance: {themes: {day: day.yaml, night: night.yaml}, latitude: 51.5, longitude: -0.13}\n",
	"widgets.yaml": "widgets:\n  - widget: grid\n    columns: 2\n    rows: 2\n    background_color: !color wall\n    children:\n" +
		"      - {widget: dateclock, time_format: '%H:%M', date_format: '%Y-%m-%d', color: white}\n" +
		"      - {widget: dateclock, time_format: '%H:%M', date_format: '%A', timezone: Pacific/Auckland, color: white}\n" +
		"      - widget: scheduleflip\n        schedule: {'00:00': a, '06:00': b, '12:00': c, '18:00': d}\n        children:\n" +
		"          - {widget: text, name: a, text: A}\n          - {widget: text, name: b, text: B}\n          - {widget: text, name: c, text: C}\n          - {widget: text, name: d, text: D}\n" +
		"      - {widget: text, text: still}\ntheme:\n  colors: {wall: white}\n",
	"day.yaml":   "colors: {wall: red}\n",
	"night.yaml": "colors: {wall: blue}\n",
}

// A lastFrame stores the newest frame of a wall.
type lastFrame struct {
	mu  sync.Mutex
	pix []byte
}

func (f *lastFrame) show(m *image.RGBA, _ []image.Rectangle) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pix = append(f.pix[:0], m.Pix...)
}

func (f *lastFrame) is(m *image.RGBA) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return bytes.Equal(f.pix, m.Pix)
}

// The clock of the machine is set while the wall runs: by minutes and by years, forward and back. At its next check, the wall looks the
// same as a wall that was started at the new time. This includes the clocks, the schedules and the theme.
func TestClockIsSet(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, clockIsSet)
}

func clockIsSet(t *testing.T) {
	s, run := quiet(t, clockFiles, io.Discard)
	s.looks(t)
	noon := time.Date(2026, 6, 21, 12, 30, 20, 0, time.UTC)
	began := time.Now()
	toNoon := noon.Sub(began.Round(0)).Truncate(time.Second)
	var set atomic.Int64
	now := func() time.Time { return clocktest.Set(time.Now(), toNoon+time.Duration(set.Load())) }
	var shown lastFrame
	v := s.main()
	v.Loop.Now, v.Themes.Now, v.Loop.Show = now, now, shown.show
	ctx, cancel := context.WithCancel(context.Background())
	wait := run(ctx)
	defer wait()
	defer cancel()

	const hour, year = time.Hour, 8766 * time.Hour
	modes := map[sun.Mode]int{}
	for _, by := range []time.Duration{0, 11 * hour, 0, 10 * hour, -10 * hour, -hour, hour, -12 * hour, 12 * hour, year, 0, -year, 0, -20 * year, 6 * hour, 90 * time.Second, 0} {
		set.Store(int64(by))
		v.Loop.Wake() // wake the loop now, so that the test does not wait for MaxSleep and MaxNap
		v.Themes.Look()
		time.Sleep(3 * time.Second) // in fake time. After the sleep, all transitions have ended
		synctest.Wait()
		if !shown.is(s.freshFrame(t, now().Round(0))) {
			t.Errorf("%v: the wall is not that of the time", by)
		}
		modes[v.Mode()]++
	}
	if modes[sun.Day] < 4 || modes[sun.Night] < 4 {
		t.Errorf("got %v, want some days and some nights", modes)
	}
	if st := v.Loop.Stats(); st.Crashes != 0 {
		t.Errorf("got %d crashes", st.Crashes)
	}
}

// freshFrame returns the first frame of a wall that is started at the given time.
func (s *Service) freshFrame(t *testing.T, at time.Time) *image.RGBA {
	t.Helper()
	g, report := s.load()
	if g == nil {
		t.Fatal(report.Errors())
	}
	mode := g.Schedule().Mode(at)
	r := g.Scenes[config.MainView].Renderer(mode)
	r.Step(at)
	return r.Frame()
}

// If the clock is set to a wrong time, the theme is still checked again after at most MaxNap, measured with the monotonic clock.
func TestNapsAreShort(t *testing.T) {
	now := time.Now()
	for _, by := range []time.Duration{time.Hour, -time.Hour, 8766 * time.Hour, -8766 * time.Hour} {
		if got := view.Nap(now.Round(0).Add(time.Hour), clocktest.Set(now, by)); got < 0 || got > view.MaxNap {
			t.Errorf("set by %v: got %v, want at most %v", by, got, view.MaxNap)
		}
	}
}
