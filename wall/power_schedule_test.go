package wall

import (
	"context"
	"io"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/power"
)

// The brightness of a screen follows its schedule through an evening, a night and a weekend, and
// fades between the entries. If no entry applies, the screen has the brightness of the theme.
func TestBrightnessBySchedule(t *testing.T) {
	const conf = `timezone: UTC
graphics: {resolution: [16, 9], fps-limit: 1, motion: reduced}
outputs: [{type: window, driver: virtual, device: screen.raw, vsync: false}]
display:
  brightness:
    day: 80%
    fade: 10s
    schedule:
      - {when: {time: "23:00-06:00"}, level: 5%}
      - {when: [{days: sat, time: "06:00-09:00"}, {time: "20:00-23:30"}], level: 30%}
`
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, run := quiet(t, files{"conf.yaml": conf, "widgets.yaml": plainWall("white")}, io.Discard)
		ctx, cancel := context.WithCancel(t.Context())
		wait := run(ctx)
		defer func() { cancel(); wait() }()
		for _, at := range []struct {
			stamp string
			want  float64
		}{ // synctest's clock begins on Saturday, January 1, 2000, at midnight
			{"2000-01-01 05:59:59", 0.05},
			{"2000-01-01 06:00:05", 0.175}, {"2000-01-01 06:00:11", 0.3},
			{"2000-01-01 09:00:11", 0.8},
			{"2000-01-01 19:59:59", 0.8}, {"2000-01-01 20:00:11", 0.3},
			{"2000-01-01 23:00:11", 0.05}, {"2000-01-01 23:30:11", 0.05},
			{"2000-01-02 06:00:11", 0.8},
		} {
			moment, err := time.Parse(time.DateTime, at.stamp)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Until(moment))
			synctest.Wait()
			if got := s.main().Power.State().Level; math.Abs(got-at.want) > 0.01 {
				t.Errorf("%s: got %v, want %v", at.stamp, got, at.want)
			}
		}
		if got, want := screenPixel(t, 8, 4, 16), "cccccc"; got != want { // without a backlight, the picture itself becomes darker
			t.Errorf("a white wall at 80%%: got %s, want %s", got, want)
		}
		s.main().Power.AskLevel(1)
		time.Sleep(time.Minute)
		s.main().Power.Ask(power.Auto, 0)
		if got := s.main().Power.State().Level; got != 1 {
			t.Errorf("by hand: got %v", got)
		}
	})
}

// A brightness set by hand outlives a reload, and ends at sunset, when the theme sets another brightness.
func TestBrightnessByHandUntilSunset(t *testing.T) {
	const conf = `graphics: {resolution: [16, 9], fps-limit: 1, motion: reduced}
outputs: [{type: window, driver: virtual, device: screen.raw, vsync: false}]
appearance: {themes: {day: day.yaml, night: night.yaml}, latitude: 51.5, longitude: -0.13}
display: {brightness: {day: 80%, night: 20%}}
`
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, run := quiet(t, sunny(1, nowhere).with("conf.yaml", conf), io.Discard)
		ctx, cancel := context.WithCancel(t.Context())
		wait, reloads := run(ctx), make(chan struct{})
		go func() { defer close(reloads); s.runReloads(ctx) }()
		defer func() { cancel(); <-reloads; wait() }()
		is := func(at time.Duration, want float64, by string) {
			t.Helper()
			time.Sleep(time.Until(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(at)))
			synctest.Wait()
			if got := s.main().Power.State(); math.Abs(got.Level-want) > 0.01 || got.By != by {
				t.Errorf("after %v: got %v by %s, want %v by %s", at, got.Level, got.By, want, by)
			}
		}
		is(12*time.Hour, 0.8, "theme")
		s.main().Power.AskLevel(0.5)
		is(13*time.Hour, 0.5, "hand")
		files{"conf.yaml": strings.Replace(conf, "20%", "30%", 1)}.write(t, "")
		s.askReload()
		is(15*time.Hour, 0.5, "hand")
		is(17*time.Hour, 0.3, "theme") // the sun sets at 16:02, and the new files apply
	})
}

// While the clock is not set, no entry of the schedule applies.
func TestNoScheduleWithoutTheTime(t *testing.T) {
	const conf = `graphics: {resolution: [16, 9], motion: reduced}
outputs: [{type: window, driver: virtual, device: screen.raw, vsync: false}]
display: {brightness: {schedule: [{when: {time: "00:00-23:59"}, level: 5%}]}}
`
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, run := quiet(t, files{"conf.yaml": conf, "widgets.yaml": plainWall("white")}, io.Discard)
		var set atomic.Bool
		s.main().Themes.TimeSet = set.Load
		ctx, cancel := context.WithCancel(t.Context())
		wait := run(ctx)
		defer func() { cancel(); wait() }()
		time.Sleep(time.Minute)
		if got := s.main().Power.State().Level; got != 1 {
			t.Errorf("the clock is not set: got %v", got)
		}
		set.Store(true)
		time.Sleep(2 * time.Minute)
		if got := s.main().Power.State().Level; got != 0.05 {
			t.Errorf("the clock is set: got %v", got)
		}
	})
}
