package wall

import (
	"context"
	"image"
	"image/color"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"dashboard/widgets/kit"
)

// A machineFS is a file system that changes.
type machineFS struct{ atomic.Pointer[fstest.MapFS] }

func (m *machineFS) Open(name string) (fs.File, error) { return m.Load().Open(name) }

// Until the clock is set, the walls show that the time is not known, and the schedules wait. Sun
// times and time windows do not change the content.
func TestTimeNotSet(t *testing.T) {
	t.Chdir(t.TempDir())
	f := files{"conf.yaml": "timezone: UTC\n" + strings.Replace(yearConf, "[16, 9]", "[160, 96]", 1), "day.yaml": "colors: {c: red}\n", "night.yaml": "colors: {c: blue}\n",
		"widgets.yaml": "widgets:\n  - widget: stack\n    children:\n      - {widget: empty, color: !color c}\n" +
			"      - {widget: empty, color: white, place: top left, size: 4, when: {time: \"00:00-12:00\"}}\n"}
	synctest.Test(t, func(t *testing.T) { // the bubble's clock begins at midnight, when the sun's schedule selects night
		s, run := quiet(t, f, io.Discard)
		s.looks(t)
		machine := &machineFS{}
		machine.Store(&fstest.MapFS{"run/systemd/timesync/x": {}})
		s.builder.Machine = machine
		var got [2]color.RGBA
		s.main().Loop.Show = func(m *image.RGBA, _ []image.Rectangle) { got = [2]color.RGBA{m.RGBAAt(1, 1), m.RGBAAt(150, 1)} }
		s.builder.TimeSet.Store(false)
		g, _ := s.load()
		s.begin(g)
		ctx, cancel := context.WithCancel(t.Context())
		wait := run(ctx)
		var asking sync.WaitGroup
		asking.Go(func() { s.awaitTime(ctx) })
		shows := func(when string, corner, rest color.RGBA, note string) {
			t.Helper()
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if text := s.builder.Banner.Load().Value.(kit.Banner).Words; got != [2]color.RGBA{corner, rest} || text != note {
				t.Errorf("%s: got %v and %q, want %v, %v and %q", when, got, text, corner, rest, note)
			}
		}
		shows("not set", red, red, "Time not set")
		machine.Store(&fstest.MapFS{"run/systemd/timesync/synchronized": {}})
		shows("set", white, blue, "")
		cancel()
		asking.Wait()
		wait()
	})
}
