package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/testing/programtest"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// The type counting publishes how often it was started, and then waits.
type counting struct{ starts, stops atomic.Int32 }

func (c *counting) Kind() string { return "counting" }
func (c *counting) Run(ctx context.Context, cell *Cell) error {
	cell.Publish(int(c.starts.Add(1)), time.Now())
	<-ctx.Done()
	c.stops.Add(1)
	return nil
}

// A runFunc is a provider made from a function.
type runFunc func(ctx context.Context, cell *Cell) error

func (f runFunc) Run(ctx context.Context, cell *Cell) error { return f(ctx, cell) }

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestGenerations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), func() {}, quiet())
		kept, gone, added := &counting{}, &counting{}, &counting{}

		s1 := m.Begin()
		cell := s1.Add("kept", kept)
		if s1.Add("kept", added) != cell {
			t.Error("the same key twice in a set got two cells")
		}
		s1.Add("gone", gone)
		s1.Name("b", "kept")
		s1.Name("a", "gone")
		synctest.Wait()
		if kept.starts.Load() != 0 {
			t.Error("a set that is not committed started something")
		}
		m.Commit(s1)
		synctest.Wait()

		broken := m.Begin() // this reload fails
		broken.Add("other", added)

		s2 := m.Begin()
		if s2.Add("kept", &counting{}) != cell {
			t.Error("the running definition's cell was not kept")
		}
		s2.Add("added", added)
		s2.Name("c", "kept")
		m.Commit(s2)
		synctest.Wait()

		for _, c := range []struct {
			name          string
			p             *counting
			starts, stops int32
		}{{"kept", kept, 1, 0}, {"gone", gone, 1, 1}, {"added", added, 1, 0}} {
			if c.p.starts.Load() != c.starts || c.p.stops.Load() != c.stops {
				t.Errorf("%s: got %d starts, %d stops, want %d, %d", c.name, c.p.starts.Load(), c.p.stops.Load(), c.starts, c.stops)
			}
		}
		if got := strings.Join(s1.Names(), " "); got != "a b" {
			t.Errorf("names: got %q, want \"a b\"", got)
		}
		if c, ok := s2.Named("c"); !ok || c != cell {
			t.Error("name c does not lead to the kept cell")
		}
		if _, ok := s2.Named("a"); ok {
			t.Error("name a is known to a set that never gave it")
		}
		st := m.Status(time.Now())
		if len(st) != 2 || st[0].Name != "" || st[1].Name != "c" || st[1].Kind != "counting" || st[1].At.IsZero() {
			t.Errorf("status: got %+v", st)
		}
		m.Close()
		if kept.stops.Load() != 1 || added.stops.Load() != 1 {
			t.Error("Close returned while a provider ran")
		}
		m.Commit(s1)
		synctest.Wait()
		if gone.starts.Load() != 1 {
			t.Error("a commit after Close started something")
		}
	})
}

// A set contains a definition that is already running. Before this set is committed, the commit of another set stops the definition. The
// commit of the first set then starts the definition again.
func TestCommitStartsWhatWasStoppedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), nil, quiet())
		p := &counting{}
		s := m.Begin()
		s.Add("k", p)
		m.Commit(s)
		synctest.Wait()
		late := m.Begin()
		cell := late.Add("k", p)
		m.Commit(m.Begin())
		m.Commit(late)
		synctest.Wait()
		if p.starts.Load() != 2 || p.stops.Load() != 1 || cell.Load().Value != 2 {
			t.Errorf("got %d starts, %d stops, value %v, want 2, 1, 2", p.starts.Load(), p.stops.Load(), cell.Load().Value)
		}
		m.Close()
	})
}

func TestPanicIsContained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		m := NewManager(budget.New(), nil, slog.New(slog.NewTextHandler(&out, nil)))
		runs := 0
		s := m.Begin()
		cell := s.Add("k", runFunc(func(ctx context.Context, cell *Cell) error {
			switch runs++; runs {
			case 1:
				cell.Publish("good", time.Now())
				panic("kaput")
			case 2:
				return errors.New("gave up")
			case 3:
				return nil
			}
			cell.Publish("again", time.Now())
			<-ctx.Done()
			return nil
		}))
		healthy := s.Add("h", &counting{})
		s.Name("flaky", "k")
		m.Commit(s)
		synctest.Wait()
		var p *PanicError
		if got := cell.Load(); !errors.As(got.Err, &p) || got.Value != "good" {
			t.Errorf("after the panic: got %+v, want the value and a PanicError", *got)
		}
		time.Sleep(2 * time.Second)
		if got := cell.Load().Err; got == nil || got.Error() != "gave up" {
			t.Errorf("second run: got %v, want gave up", got)
		}
		time.Sleep(20 * time.Second)
		if got := cell.Load(); got.Value != "again" || got.Err != nil {
			t.Errorf("in the end: got %+v, want a good value", *got)
		}
		if st := m.Status(time.Now()); st[1].Restarts != 3 || healthy.Load().Value != 1 {
			t.Errorf("got %d restarts, healthy one %v, want 3 and 1", st[1].Restarts, healthy.Load().Value)
		}
		m.Close()
		for _, want := range []string{"provider panicked", "kaput", "provider=flaky", "manager_test.go"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the log lacks %q", want)
			}
		}
	})
}

// If a provider always panics, the pauses before its next start grow.
func TestRestartsSlowDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), nil, quiet())
		var runs atomic.Int32
		s := m.Begin()
		s.Add("k", runFunc(func(context.Context, *Cell) error { runs.Add(1); panic("always") }))
		m.Commit(s)
		time.Sleep(time.Hour)
		if n := runs.Load(); n < 50 || n > 85 {
			t.Errorf("got %d runs in an hour, want about one a minute", n)
		}
		m.Close()
	})
}

func Example() {
	wake := make(chan struct{}, 1)
	m := NewManager(budget.New(), func() {
		select {
		case wake <- struct{}{}:
		default: // a token is already in the channel
		}
	}, quiet())
	defer m.Close()
	set := m.Begin()
	cell := set.Add("greeting", runFunc(func(ctx context.Context, cell *Cell) error {
		cell.Publish("hello", time.Now())
		<-ctx.Done()
		return nil
	}))
	m.Commit(set)
	<-wake
	fmt.Println(cell.Load().Value)
	// Output: hello
}

// If a provider ignores the end of its context, the provider delays the end of the program by at most two seconds. A provider may do this
// while it decodes a hostile picture.
func TestCloseGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
		end := make(chan struct{})
		set := m.Begin()
		set.Add("deaf", deaf(end))
		m.Commit(set)
		synctest.Wait()
		began := time.Now()
		m.Close()
		if took := time.Since(began); took != closeTime {
			t.Errorf("took %v, want %v", took, closeTime)
		}
		close(end)
	})
}

// The type deaf is a provider that runs until the channel is closed. It ignores its context.
type deaf chan struct{}

func (d deaf) Run(context.Context, *Cell) error { <-d; return nil }
