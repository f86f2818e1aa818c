package provider

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/testing/programtest"
)

// The failure of a source is logged once, with the position of its definition. Its recovery is
// logged once too. A failure that comes from another source is not logged again.
func TestFailuresAreLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out programtest.Log
		m := NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(&out, nil)))
		defer m.Close()
		s := m.Begin()
		s.Place("k", Place{At: "providers.yaml:3:5"})
		s.Place("k", Place{At: "widgets.yaml:9:9", What: "rest"}) // a widget with the same request; the first position counts
		cell := s.Add("k", runFunc(func(ctx context.Context, cell *Cell) error {
			poll := Poll{Interval: time.Minute}
			n := 0
			return poll.Run(ctx, cell, func(context.Context, bool) Result {
				if n++; n > 1 && n < 20 {
					return Fail(errors.New("no route"), false)
				}
				return Result{Value: n}
			})
		}))
		s.Name("weather", "k")
		s.Place("d", Place{At: "widgets.yaml:12:3", What: "provider"})
		derived := s.Add("d", runFunc(func(ctx context.Context, own *Cell) error {
			changed := make(chan struct{}, 1)
			defer cell.Watch(changed)()
			for {
				if err := cell.Load().Err; err != nil {
					own.Fail(&Upstream{err}, time.Now())
				}
				select {
				case <-changed:
				case <-ctx.Done():
					return nil
				}
			}
		}))
		m.Commit(s)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 1 || !strings.Contains(lines[0], "level=WARN") || !strings.Contains(lines[0], "provider=weather") ||
			!strings.Contains(lines[0], "at=providers.yaml:3:5") || !strings.Contains(lines[0], `reason="no route"`) {
			t.Errorf("failing: got %q, want one line with provider, place and reason", lines)
		}
		if derived.Load().Err == nil {
			t.Error("the derived value does not fail")
		}
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		lines = strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[1], "level=INFO") || !strings.Contains(lines[1], "works again") {
			t.Errorf("works again: got %q, want one line more", lines)
		}
	})
}

// The log line about a failure reports whether an earlier value is kept.
func TestFailureWithoutValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for want, from := range map[string]int{"a source fails: there is no value yet": 1, "a source fails: its last value is kept": 2} {
			var out programtest.Log
			m := NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(&out, nil)))
			s := m.Begin()
			n := 0
			s.Add("k", runFunc(func(ctx context.Context, cell *Cell) error {
				poll := Poll{Interval: time.Minute}
				return poll.Run(ctx, cell, func(context.Context, bool) Result {
					if n++; n >= from {
						return Fail(errors.New("no route"), false)
					}
					return Result{Value: n}
				})
			}))
			m.Commit(s)
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			if got := out.String(); strings.Count(got, "level=WARN") != 1 || !strings.Contains(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			m.Close()
		}
	})
}

// The log about a computed value with an error names its widget.
func TestDerivedFailureNamesItsWidget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out programtest.Log
		m := NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(&out, nil)))
		defer m.Close()
		s := m.Begin()
		s.Place("d", Place{At: "widgets.yaml:12:3", What: "provider"})
		s.Add("d", runFunc(func(ctx context.Context, own *Cell) error {
			own.Fail(errors.New(`"temp": no such key`), time.Now())
			<-ctx.Done()
			return nil
		}))
		m.Commit(s)
		synctest.Wait()
		if got := out.String(); !strings.Contains(got, "at=widgets.yaml:12:3") || !strings.Contains(got, "widget=provider") {
			t.Errorf("got %q, want file, line and widget", got)
		}
		if st := m.Status(time.Now()); len(st) != 1 || st[0].Place.At != "widgets.yaml:12:3" {
			t.Errorf("got %+v", st)
		}
	})
}

// The type doubtful is a value with a warning.
type doubtful struct{ Sample }

func (doubtful) Warnings() []string { return []string{"unknown time zone"} }

// A warning about a value is logged once, with the name of the source.
func TestWarningsAreLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out programtest.Log
		m := NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(&out, nil)))
		defer m.Close()
		s := m.Begin()
		s.Add("k", runFunc(func(ctx context.Context, cell *Cell) error {
			poll := Poll{Interval: time.Minute}
			return poll.Run(ctx, cell, func(context.Context, bool) Result { return Result{Value: &doubtful{}} })
		}))
		s.Name("family", "k")
		m.Commit(s)
		time.Sleep(10 * time.Minute) // during this fake time, the provider publishes ten values
		synctest.Wait()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 1 || !strings.Contains(lines[0], "provider=family") || !strings.Contains(lines[0], `reason="unknown time zone"`) {
			t.Errorf("got %q, want one line", lines)
		}
	})
}
