package presence

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// A line is an input that a test sets.
type line struct {
	gpio.PinIn
	mu    sync.Mutex
	level gpio.Level
	err   error
	edges chan struct{}
}

func newLine(l gpio.Level) *line { return &line{level: l, edges: make(chan struct{}, 100)} }

func (l *line) set(v gpio.Level) {
	l.mu.Lock()
	l.level = v
	l.mu.Unlock()
	l.edges <- struct{}{}
	synctest.Wait()
}

func (l *line) fail(err error) {
	l.mu.Lock()
	l.err = err
	l.mu.Unlock()
	l.edges <- struct{}{}
	synctest.Wait()
}

func (l *line) Read() gpio.Level {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.level
}

func (l *line) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *line) Halt() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = errors.New("halted")
	l.edges <- struct{}{}
	return nil
}

func (l *line) WaitForEdge(timeout time.Duration) bool {
	if timeout < 0 {
		<-l.edges
		return true
	}
	select {
	case <-l.edges:
		return true
	case <-time.After(timeout):
		return false
	}
}

func TestSensor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(gpio.Low)
		var changes, failed atomic.Int32
		var there atomic.Bool
		s := &Sensor{MinOn: MinOn, Changed: func() { changes.Add(1) }, Failed: func(error) { failed.Add(1) }, Open: func() (gpio.PinIn, error) {
			if !there.Load() {
				return nil, errors.New("EBUSY")
			}
			return l, nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }()
		is := func(what string, present bool, n int32) {
			t.Helper()
			synctest.Wait()
			if s.Present() != present || changes.Load() != n {
				t.Errorf("%s: got %v after %d changes, want %v after %d", what, s.Present(), changes.Load(), present, n)
			}
		}
		time.Sleep(time.Hour)
		is("no line", true, 0)
		if n := failed.Load(); n != 1 {
			t.Errorf("told %d times of the same failure", n)
		}
		there.Store(true)
		time.Sleep(again)
		is("nobody", false, 1)
		l.set(gpio.High)
		is("a pulse that has begun", false, 1)
		time.Sleep(MinOn / 2)
		l.set(gpio.Low)
		time.Sleep(time.Minute)
		is("a short pulse", false, 1)
		l.set(gpio.High)
		time.Sleep(MinOn)
		is("somebody", true, 2)
		time.Sleep(time.Hour)
		l.set(gpio.Low)
		is("gone", false, 3)
		l.fail(errors.New("ENODEV"))
		is("the chip is gone", true, 4)
		l.fail(nil)
		time.Sleep(again)
		is("back", false, 5)
		cancel()
		<-done
		is("the end", true, 6)
	})
}

// A line that fails repeatedly for a day, for two reasons, is reported once for each reason. After the line has worked for a while, its
// next failure is reported again.
func TestLineThatFlaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, told, tries := newLine(gpio.Low), map[string]int{}, 0
		s := &Sensor{Changed: func() {}, Failed: func(err error) { told[err.Error()]++ }, Open: func() (gpio.PinIn, error) {
			if tries++; tries%2 == 0 {
				return nil, errors.New("EBUSY")
			}
			return l, nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }()
		flap := func() {
			l.fail(errors.New("ENODEV"))
			synctest.Wait()
			l.fail(nil)
			time.Sleep(2*again + time.Second) // the first attempt to open the line fails, and the second succeeds
			synctest.Wait()
		}
		synctest.Wait()
		for range 24 * 60 {
			flap()
		}
		if told["EBUSY"] != 1 || told["ENODEV"] != 1 {
			t.Errorf("a day: told %v", told)
		}
		time.Sleep(sound)
		flap()
		if told["EBUSY"] != 2 || told["ENODEV"] != 2 {
			t.Errorf("well for a while, and then lost: told %v", told)
		}
		cancel()
		<-done
	})
}

func TestSensorLow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(gpio.High)
		s := &Sensor{Low: true, Changed: func() {}, Open: func() (gpio.PinIn, error) { return l, nil }}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }()
		synctest.Wait()
		if s.Present() {
			t.Error("high is somebody")
		}
		l.set(gpio.Low)
		if !s.Present() {
			t.Error("low is nobody")
		}
		cancel()
		<-done
	})
}

func TestButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(gpio.Low) // the button is stuck from the start
		presses, holds := 0, 0
		b := &Button{Low: true, Press: func() { presses++ }, Hold: func() { holds++ }, Open: func() (gpio.PinIn, error) { return l, nil }}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); b.Run(ctx) }()
		is := func(what string, p, h int) {
			t.Helper()
			synctest.Wait()
			if presses != p || holds != h {
				t.Errorf("%s: got %d, %d, want %d, %d", what, presses, holds, p, h)
			}
		}
		time.Sleep(time.Minute)
		l.set(gpio.High)
		is("let go that was down at first", 0, 0)
		l.set(gpio.Low)
		time.Sleep(HoldTime / 2)
		l.set(gpio.High)
		is("pressed", 1, 0)
		l.set(gpio.Low)
		time.Sleep(HoldTime)
		is("held", 1, 1)
		time.Sleep(time.Hour)
		l.set(gpio.High)
		is("let go", 1, 1)
		l.set(gpio.Low)
		l.set(gpio.High)
		is("pressed again", 2, 1)
		cancel()
		<-done
	})
}
