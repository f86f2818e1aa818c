package power

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The type stuck is a backend that does not answer until its channel `free` is closed.
type stuck struct {
	lamp
	hangs, free chan struct{}
}

func (s *stuck) wait() {
	select {
	case <-s.hangs:
		<-s.free
	default:
	}
}

func (s *stuck) Power(on bool) error {
	s.wait()
	return s.lamp.Power(on)
}

func (s *stuck) Dim(float64) error { s.wait(); return nil }
func (s *stuck) Leave() error      { s.wait(); return s.lamp.Leave() }

// A backend that hangs is skipped, its problem is in the report, and requests are still answered. When the backend answers again, it gets
// the current state. When the program ends, the backend delays the end by at most leaveTime.
func TestOwnerWithWhatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chip := &stuck{lamp: lamp{kind: Backlight, on: true}, hangs: make(chan struct{}), free: make(chan struct{})}
		wire := &lamp{kind: DRM, on: true}
		var log bytes.Buffer
		o := NewOwner()
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		o.Screens = func() []Screen { return []Screen{{"screen", []Backend{chip, wire}}} }
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); o.Run(ctx) }()
		synctest.Wait()
		close(chip.hangs)
		if o.Ask(Off, 0); o.On() {
			t.Error("it is decided only when the backend answers")
		}
		time.Sleep(Patience)
		synctest.Wait()
		// wire.on is read before the call of State, because the race detector requires this order.
		on := wire.on
		if r := o.State().Screens[0]; on || r.Backend != DRM || r.Problem != "" {
			t.Errorf("got %+v, the next one on: %v", r, on)
		}
		o.Ask(On, 0)
		synctest.Wait() // the backend hangs and is not called again
		on = wire.on
		if r := o.State().Screens[0]; !on || r.Backend != DRM || !strings.Contains(r.Problem, "backlight: it does not answer") {
			t.Errorf("on again: got %+v, %v", r, on)
		}
		time.Sleep(time.Hour)
		close(chip.free) // the call from an hour ago now returns and switches the screen off
		synctest.Wait()
		time.Sleep(time.Second)
		synctest.Wait()
		on = chip.on
		if r := o.State().Screens[0]; !on || r.Backend != Backlight || r.Problem != "" {
			t.Errorf("it answers again: on %v, %+v", on, r)
		}
		if n := strings.Count(log.String(), "level=WARN"); n != 0 {
			t.Errorf("told %d times, though another one did it:\n%s", n, log.String())
		}
		chip.hangs, chip.free = make(chan struct{}), make(chan struct{})
		close(chip.hangs)
		before := time.Now()
		cancel()
		<-done
		if took := time.Since(before); took > leaveTime {
			t.Errorf("the end took %v", took)
		}
		close(chip.free)
	})
}

// If the function Screens hangs, the last known screens are switched. If no screens are known, the report contains the failed search for
// screens.
func TestOwnerThatCannotLook(t *testing.T) {
	for _, known := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			wire, free, looks := &lamp{kind: DRM, on: true}, make(chan struct{}), 0
			o := NewOwner()
			o.Screens = func() []Screen {
				if looks++; looks > 1 || !known {
					<-free
				}
				return []Screen{{"screen", []Backend{wire}}}
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { defer close(done); o.Run(ctx) }()
			synctest.Wait()
			o.Ask(Off, 0)
			time.Sleep(2 * Patience)
			synctest.Wait()
			on := wire.on
			if r := o.State().Screens; len(r) != 1 || on == known || strings.Contains(r[0].Problem, "does not answer") == known {
				t.Errorf("known %v: got %+v, on %v", known, r, on)
			}
			close(free)
			time.Sleep(time.Second)
			synctest.Wait()
			on = wire.on
			if r := o.State().Screens; len(r) != 1 || on || r[0].Problem != "" {
				t.Errorf("known %v, and it answers: got %+v, on %v", known, r, on)
			}
			cancel()
			<-done
		})
	}
}

// For each name, a guard runs one call at a time. The caller that waits gets the result, and a late result is reported.
func TestGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := 0
		g := &Guard{Late: func() { late++ }}
		free, want := make(chan struct{}), errors.New("no")
		if err := g.Do(t.Context(), "a", time.Second, func() error { return want }); err != want {
			t.Errorf("got %v", err)
		}
		if err := g.Do(t.Context(), "a", time.Second, func() error { <-free; return nil }); err != ErrHangs {
			t.Errorf("hangs: got %v", err)
		}
		if err := g.Do(t.Context(), "a", time.Second, func() error { return nil }); err != ErrHangs {
			t.Errorf("another one of the name: got %v", err)
		}
		if err := g.Do(t.Context(), "b", time.Second, func() error { return want }); err != want {
			t.Errorf("one of another name: got %v", err)
		}
		close(free)
		synctest.Wait()
		if err := g.Do(t.Context(), "a", time.Second, func() error { return want }); err != want || late != 1 {
			t.Errorf("afterwards: got %v, told %d times", err, late)
		}
	})
}

// At the end, the program waits for a slow backend that is still switching the screen off. The backend then switches the screen on.
func TestOwnerLeavesWhatIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := &slow{lamp: lamp{kind: DDC, on: true}}
		var log bytes.Buffer
		o := NewOwner()
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		o.Screens = func() []Screen { return []Screen{{"screen", []Backend{wire}}} }
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); o.Run(ctx) }()
		time.Sleep(time.Second)
		o.Ask(Off, 0)
		time.Sleep(100 * time.Millisecond)
		cancel()
		<-done
		if !wire.on || !wire.left || wire.told != 2 || log.Len() == 0 || strings.Contains(log.String(), "WARN") {
			t.Errorf("got %+v\n%s", wire.lamp, &log)
		}
	})
}

// The type slow is a backend that needs half a second.
type slow struct{ lamp }

func (s *slow) Power(on bool) error {
	time.Sleep(500 * time.Millisecond)
	return s.lamp.Power(on)
}
