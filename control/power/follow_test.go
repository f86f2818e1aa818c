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

// A dimmer is a lamp whose brightness can be set.
type dimmer struct {
	lamp
	level  float64
	absent bool
}

func (d *dimmer) Power(on bool) error {
	if d.absent {
		return ErrAbsent
	}
	return d.lamp.Power(on)
}

func (d *dimmer) Dim(level float64) error {
	if d.absent {
		return ErrAbsent
	}
	d.level = level
	return nil
}

// A missing backend is skipped without a log line, and the next backend is used. With a negative level, all backends restore the
// brightness.
func TestAbsentIsPassedOver(t *testing.T) {
	gone, second := &dimmer{lamp: lamp{kind: DDC}, absent: true}, &dimmer{lamp: lamp{kind: DRM}}
	s := Screen{"screen", []Backend{gone, second}}
	r := s.power(plainly, false, "")
	s.dim(plainly, 0.4, &r)
	if want := (Report{Screen: "screen", Backend: DRM, Dimmer: DRM}); r != want || second.level != 0.4 {
		t.Errorf("got %+v, %v, want %+v", r, second.level, want)
	}
	gone.absent, gone.level = false, 0.4
	s.dim(plainly, -1, &r)
	if gone.level != -1 || second.level != -1 {
		t.Errorf("got %v and %v, want both as they were found", gone.level, second.level)
	}
	if r = (Screen{"screen", []Backend{&dimmer{absent: true}}}).power(plainly, false, ""); r.Problem == "" {
		t.Error("a screen that nothing switches off is no problem")
	}
}

// `nowhere` is a backend that has no screen, such as the backend of a window.
type nowhere struct{}

func (nowhere) Kind() string     { return DRM }
func (nowhere) Leave() error     { return nil }
func (nowhere) Power(bool) error { return ErrNoScreen }

// If a backend has no screen, the report contains no backend and the problem "no screen is connected".
func TestNoScreen(t *testing.T) {
	s := Screen{"window", []Backend{nowhere{}}}
	for _, on := range []bool{true, false} {
		if got, want := s.power(plainly, on, ""), (Report{Screen: "window", Problem: "no screen is connected", Absent: true}); got != want {
			t.Errorf("on %v: got %+v, want %+v", on, got, want)
		}
	}
	s.Backends = append(s.Backends, &lamp{kind: CEC})
	if got, want := s.power(plainly, true, ""), (Report{Screen: "window", Backend: CEC}); got != want {
		t.Errorf("with a television: got %+v, want %+v", got, want)
	}
}

// A sleeper is a backend that never switches the screen on. It reports an error only from the third call on.
type sleeper struct{ asked int }

func (*sleeper) Kind() string { return CEC }
func (*sleeper) Leave() error { return nil }
func (s *sleeper) Power(on bool) error {
	if s.asked++; on && s.asked > 2 {
		return errors.New("it says that it is off")
	}
	return nil
}

// The screens are checked again soon after a switch. If the backend that switched a screen off fails to switch it on, this failure is
// reported once. Errors of other backends are ignored.
func TestScreenThatStaysDark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		o := NewOwner()
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		tv, other := &sleeper{}, &lamp{kind: DDC, refuses: true}
		o.Screens = func() []Screen { return []Screen{{"wall", []Backend{other, tv, &lamp{kind: DRM}}}} }
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); o.Run(ctx) }()
		synctest.Wait()
		o.Ask(Off, 0)
		synctest.Wait()
		tv.asked = 1
		o.Ask(On, 0)
		synctest.Wait()
		if r := o.State().Screens[0]; r.Dark {
			t.Errorf("too early: %+v", r)
		}
		time.Sleep(soon)
		synctest.Wait()
		if r := o.State().Screens[0]; !r.Dark || !strings.Contains(r.Problem, "cec: it says that it is off") {
			t.Errorf("got %+v", r)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		cancel()
		<-done
		if n := strings.Count(log.String(), "the screen is not on"); n != 1 {
			t.Errorf("told %d times: %s", n, log.String())
		}
	})
}

// Changed returns the time when the screens were last switched or changed their brightness. This time is important because the light
// sensor also measures the light of the screens.
func TestChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := NewOwner()
		go o.Run(t.Context())
		synctest.Wait()
		if !o.Changed().IsZero() {
			t.Errorf("at first: %v", o.Changed())
		}
		for name, do := range map[string]func(){"off": func() { o.Ask(Off, 0) }, "brighter": func() { o.Ask(On, 0); o.AskLevel(0.7) }} {
			time.Sleep(time.Hour)
			do()
			synctest.Wait()
			if since := time.Since(o.Changed()); since > time.Minute {
				t.Errorf("%s: %v ago", name, since)
			}
		}
	})
}

// plainly() calls a function of a backend and waits without a time limit until it returns.
func plainly(_ string, f func() error) error { return f() }
