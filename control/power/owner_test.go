package power

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A lamp is a backend that records calls.
type lamp struct {
	kind    string
	refuses bool
	on      bool
	left    bool
	told    int
}

func (l *lamp) Kind() string { return l.kind }

func (l *lamp) Power(on bool) error {
	l.told++
	if l.refuses {
		return errors.New("it refuses")
	}
	l.on = on
	return nil
}

func (l *lamp) Leave() error {
	l.left = true
	if !l.refuses {
		l.on = true
	}
	return nil
}

// TestOwnerTriesInOrder: the first backend that works switches the screen off, and backends that fail are skipped. All backends get the
// request to switch on. If all backends fail, the failure is reported once. At the end, the screen is on.
func TestOwnerTriesInOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		order   []string
		refuses []string
		by      string // "" if none worked
	}{
		"the usual order":         {[]string{"backlight", "ddc", "drm"}, nil, "backlight"},
		"another order":           {[]string{"drm", "backlight", "ddc"}, nil, "drm"},
		"the first refuses":       {[]string{"backlight", "ddc", "drm"}, []string{"backlight"}, "ddc"},
		"all but the last refuse": {[]string{"ddc", "backlight", "drm"}, []string{"ddc", "backlight"}, "drm"},
		"all refuse":              {[]string{"backlight", "drm"}, []string{"drm", "backlight"}, ""},
		"there is none":           {nil, nil, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var lamps []*lamp
			var backends []Backend
			for _, kind := range tt.order {
				lamps = append(lamps, &lamp{kind: kind, refuses: slices.Contains(tt.refuses, kind), on: true})
				backends = append(backends, lamps[len(lamps)-1])
			}
			var log bytes.Buffer
			o := NewOwner()
			o.Log = slog.New(slog.NewTextHandler(&log, nil))
			o.Screens = func() []Screen { return []Screen{{"screen", backends}} }
			var turned []bool
			o.Switched = func(on bool) { turned = append(turned, on) }
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { defer close(done); o.Run(ctx) }()
			synctest.Wait()
			o.Ask(Off, 0)
			synctest.Wait()
			dark := 0
			for _, l := range lamps {
				if !l.on {
					dark++
				}
				if !l.on && l.kind != tt.by {
					t.Errorf("%s: %s is off", name, l.kind)
				}
			}
			r := o.State().Screens[0]
			if r.Backend != tt.by || (r.Problem == "") != (tt.by != "") || (dark == 1) != (tt.by != "") {
				t.Errorf("%s: got %+v, %d dark", name, r, dark)
			}
			time.Sleep(10 * time.Minute) // the screens are checked several times
			synctest.Wait()
			if n := strings.Count(log.String(), "the screen is not off"); (n == 1) != (tt.by == "") || n > 1 {
				t.Errorf("%s: told %d times:\n%s", name, n, log.String())
			}
			o.Ask(On, 0)
			synctest.Wait()
			for _, l := range lamps {
				if !l.on && !l.refuses {
					t.Errorf("%s: %s is still off", name, l.kind)
				}
			}
			o.Ask(Off, 0)
			synctest.Wait()
			cancel()
			<-done
			for _, l := range lamps {
				if !l.left || !l.on && !l.refuses {
					t.Errorf("%s: %s was left off", name, l.kind)
				}
			}
			if !slices.Equal(turned, []bool{false, true, false}) {
				t.Errorf("%s: told of %v", name, turned)
			}
		})
	}
}

// If the settings keep a screen off, the log has a line about this, also at the start of the program. The line contains the responsible
// key and the end of this period.
func TestOffIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		o := NewOwner()
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		began := time.Now()
		until := began.Add(8 * time.Hour)
		o.Configure(Rules{}, func(now time.Time) (Senses, time.Time) { return Senses{When: !now.Before(until), Present: true}, until })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); o.Run(ctx) }()
		synctest.Wait()
		cancel()
		<-done
		want := "on=false why=when rule=display.when until=\"" + until.Local().Format("2006-01-02 15:04") + "\""
		if !strings.Contains(log.String(), want) {
			t.Errorf("got %s, want %s", log.String(), want)
		}
	})
}
