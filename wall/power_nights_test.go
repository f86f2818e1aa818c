package wall

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/programtest"
)

// A wall switches its screen by schedules in the nights in which clocks change. Each switch happens once, at the right second of local
// time. A skipped time counts with the offset before the gap. A time that occurs twice ends a window at its second occurrence. synctest's
// clock begins in 2000. In the spring of 2000, clocks were set forward in Berlin and back in Sydney.
func TestScreenThroughTheNightsClocksAreSet(t *testing.T) {
	// The first time is the start of the test, and the next times are the switches, all in UTC. The first switch switches the screen on,
	// the second switches it off, and so on.
	for zone, nights := range map[string][][]string{
		"Europe/Berlin": {
			{"2000-01-15 12:00", "2000-01-15 21:00", "2000-01-16 01:30", "2000-01-16 05:00", "2000-01-16 07:00"},
			{"2000-03-25 12:00", "2000-03-25 21:00", "2000-03-26 01:30", "2000-03-26 04:00", "2000-03-26 06:00", "2000-03-26 20:00", "2000-03-27 00:30"},
		},
		"Australia/Sydney": {
			{"2000-03-25 00:00", "2000-03-25 11:00", "2000-03-25 16:30", "2000-03-25 20:00", "2000-03-25 22:00", "2000-03-26 12:00", "2000-03-26 16:30"},
		},
	} {
		for _, night := range nights {
			t.Run(zone+" "+night[0], func(t *testing.T) { throughNight(t, zone, night) })
		}
	}
}

// throughNight starts a wall at the first time in `night`. The wall does not start earlier, because simulating months before this time
// would take seconds of processor time.
func throughNight(t *testing.T, zone string, night []string) {
	t.Chdir(t.TempDir())
	f := files{
		"conf.yaml": "timezone: " + zone + "\ngraphics: {resolution: [16, 9], fps-limit: 1, motion: reduced}\n" +
			"outputs: [{type: window, driver: virtual, device: screen.raw, vsync: false}]\n" +
			"display: {when: {time: [\"22:00-02:30\", \"06:00-08:00\"]}}\n",
		"widgets.yaml": plainWall("red"),
	}
	var log programtest.Log
	synctest.Test(t, func(t *testing.T) {
		until := func(stamp string) {
			at, err := time.Parse("2006-01-02 15:04", stamp)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Until(at.Add(-time.Second)))
			synctest.Wait()
		}
		until(night[0])
		s, run := quiet(t, f, &log)
		ctx, cancel := context.WithCancel(t.Context())
		wait := run(ctx)
		defer func() { cancel(); wait() }()
		dark := func() bool { return s.main().Outs.List()[0].Window.Keeper().State().Off }
		synctest.Wait()
		before := log.Count("screen switched")
		for i, at := range night[1:] {
			on := i%2 == 0
			if until(at); dark() != on {
				t.Errorf("a second before %s: dark %v", at, dark())
			}
			time.Sleep(2 * time.Second)
			if synctest.Wait(); dark() == on || s.main().Power.On() != on {
				t.Errorf("a second after %s: dark %v", at, dark())
			}
		}
		time.Sleep(time.Hour) // there must be no more switches in the next hour
		if n := log.Count("screen switched") - before; n != len(night)-1 || !dark() {
			t.Errorf("%s: switched %d times, want %d", night[0], n, len(night)-1)
		}
	})
}
