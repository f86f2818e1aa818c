package wall

import (
	"bytes"
	"context"
	"image"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
	"dashboard/theme/sun"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// london is the sun's schedule that the tests compare with the wall. It has the values of yearConf.
var london = sun.Schedule{Lat: 51.5, Lon: -0.13, SunsetOffset: -30 * time.Minute}

const yearConf = "graphics: {resolution: [16, 9], fps-limit: 1, motion: reduced}\noutputs: [{type: stream}]\n" +
	"appearance: {themes: {day: day.yaml, night: night.yaml}, latitude: 51.5, longitude: -0.13, offsets: {sunset: -30}}\n"

// quiet() starts a service with the given files in the working folder, without a network.
func quiet(t *testing.T, f files, log io.Writer) (s *Service, run func(ctx context.Context) (wait func())) {
	t.Helper()
	return quietIn(t, "", f, log)
}

// quietIn is like quiet, but uses the folder `dir`, so that tests can run in parallel.
func quietIn(t *testing.T, dir string, f files, log io.Writer) (s *Service, run func(ctx context.Context) (wait func())) {
	t.Helper()
	f.write(t, dir)
	s = newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml", Home: dir}}, stderr: log, devices: outputs.ThisMachine()})
	g, report := s.load()
	if g == nil {
		t.Fatal(report.Errors())
	}
	s.begin(g)
	return s, func(ctx context.Context) func() {
		wait := s.launch(ctx)
		return func() { wait(ctx); s.main().Close(); s.builder.Providers.Close() }
	}
}

// looks() makes the main view count as watched until the test ends.
func (s *Service) looks(t *testing.T) {
	sub := s.main().Stream.Subscribe()
	t.Cleanup(sub.Close)
}

// The type painted describes a painted frame: its time, and whether the wall is red.
type painted struct {
	at  time.Time
	red bool
}

// The program runs for a year without a network. The wall is painted at the start, at each sunrise, and 30 minutes before each sunset.
// Each frame is at most a second late, and there are no other frames. The year is 2000, because synctest's clock begins there. Without
// -long the test ends after the leap day, February 29.
func TestYearOnTheWall(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	dir, months := t.TempDir(), 2
	if *inFull {
		months = 12
	}
	f := sunny(1, nowhere).with("conf.yaml", yearConf)
	var frames []painted
	began := time.Now()
	var start, end time.Time
	synctest.Test(t, func(t *testing.T) {
		start = time.Now()
		end = start.AddDate(0, months, 0)
		s, run := quietIn(t, dir, f, io.Discard)
		s.looks(t)
		s.main().Loop.Show = func(m *image.RGBA, _ []image.Rectangle) {
			frames = append(frames, painted{time.Now(), m.RGBAAt(0, 0) == red})
		}
		ctx, cancel := context.WithCancel(context.Background())
		wait := run(ctx)
		time.Sleep(time.Until(end))
		cancel()
		wait()
	})
	want := []painted{{start, london.Mode(start) == sun.Day}}
	for c, ok := london.NextChange(start); ok && c.At.Before(end); c, ok = london.NextChange(c.At) {
		want = append(want, painted{c.At, c.Mode == sun.Day})
	}
	if len(frames) != len(want) || len(want) < 2*30*months {
		t.Fatalf("got %d frames, want %d", len(frames), len(want))
	}
	for i, w := range want {
		if g := frames[i]; g.red != w.red || g.at.Sub(w.at) < 0 || g.at.Sub(w.at) > time.Second {
			t.Fatalf("frame %d: got %v, day %v, want %v, day %v", i, g.at, g.red, w.at, w.red)
		}
	}
	t.Logf("%d switches in %v", len(want)-1, time.Since(began))
}

// If a hold lasts until the next sunrise or sunset, it ends in the second of the sunrise or sunset. The log contains the times of the sun
// and each change of the theme.
func TestHoldEndsWithTheSun(t *testing.T) {
	t.Chdir(t.TempDir())
	f := sunny(1, nowhere).with("conf.yaml", strings.Replace(yearConf, "longitude: -0.13", "longitude: -0.13, http_control: true", 1))
	var log bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		s, run := quiet(t, f, &log)
		ctx, cancel := context.WithCancel(context.Background())
		wait := run(ctx)
		time.Sleep(12 * time.Hour) // until noon
		st, err := s.main().SetTheme(ctx, "night", "next")
		sunset, _ := london.NextChange(time.Now())
		if err != nil || st.Mode != "night" || !st.HeldUntil.Equal(sunset.At) || s.main().Mode() != sun.Night {
			t.Errorf("got %+v, %v, want night until %v", st, err, sunset.At)
		}
		time.Sleep(time.Until(sunset.At.Add(time.Second)))
		if st, _ = s.main().Theme(ctx); !st.FollowingSun || st.Mode != "night" {
			t.Errorf("after sunset: got %+v, want the sun to be followed", st)
		}
		sunrise, _ := london.NextChange(time.Now())
		if _, err = s.main().SetTheme(ctx, "day", "next"); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Until(sunrise.At.Add(-time.Second)))
		if st, _ = s.main().Theme(ctx); st.FollowingSun {
			t.Errorf("a second before sunrise: got %+v, want the hold", st)
		}
		time.Sleep(2 * time.Second)
		if st, _ = s.main().Theme(ctx); !st.FollowingSun || s.main().Mode() != sun.Day {
			t.Errorf("a second after sunrise: got %+v, want the sun to be followed", st)
		}
		cancel()
		wait()
	})
	for _, says := range []string{"Sun at 51.5,-0.13: day from ", "(offsets +0/-30 min)", `msg="theme changed" theme=night until="2000-01-0`} {
		if !strings.Contains(log.String(), says) {
			t.Errorf("the log does not say %q:\n%s", says, &log)
		}
	}
}

// The trees of both themes of the built-in wall are built at the start. Switching to the other tree on a large wall paints one frame.
// After each tree has been shown once, a switch allocates nothing.
func TestSwitchAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(sourceDir, "demo"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: io.Discard, devices: outputs.ThisMachine()})
	defer s.main().Close()
	defer s.builder.Providers.Close()
	s.opts.Size.Width, s.opts.Size.Height = 1920, 1080
	g, report := s.load()
	if g == nil {
		t.Fatal(report.Errors())
	}
	sc := g.Scenes[config.MainView]
	r, now := sc.Renderer(sun.Day), time.Now()
	show := func(mode sun.Mode) {
		r.SetRoot(sc.Trees[mode].Root)
		damage, _ := r.Step(now)
		if len(damage) != 1 || damage[0] != r.Frame().Rect {
			t.Fatalf("got damage %v, want the whole frame", damage)
		}
		if damage, _ = r.Step(now); len(damage) != 0 {
			t.Fatalf("got damage %v in the frame after, want none", damage)
		}
	}
	first := allocs(func() { show(sun.Day) })
	other := allocs(func() { show(sun.Night) })
	t.Logf("first frame of the first tree %d allocations, of the second %d", first, other)
	least := testing.AllocsPerRun(5, func() { show(sun.Day); show(sun.Night) })
	for range 9 { // goroutines of earlier tests may still allocate, so take the smallest of ten results
		least = min(least, testing.AllocsPerRun(5, func() { show(sun.Day); show(sun.Night) }))
	}
	if least != 0 {
		t.Errorf("got %v allocations in two switches, want 0", least)
	}
}

// allocs() returns the number of allocations of f.
func allocs(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// TestNear checks whether a person counts as near on walls without touch input. A person counts as near only if a sensor reports a
// person. Without a sensor, the note about a failed update therefore does not end early.
func TestNear(t *testing.T) {
	for conf, want := range map[string]bool{
		"":                             false,
		"display: {off_after: 60}\n":   false,
		"display: {presence: true}\n":  true,
		"display: {presence: false}\n": false,
	} {
		inBubble(t, sunny(1, nowhere).with("conf.yaml", yearConf+conf), func(t *testing.T, s *Service, _ *pipeListener) {
			time.Sleep(time.Second) // in the bubble's time, so that the owner of the screens has read its inputs
			synctest.Wait()
			if got := s.main().Near(); got != want {
				t.Errorf("%q: got %v, want %v", conf, got, want)
			}
		})
	}
}
