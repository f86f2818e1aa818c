package push

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/budget"
	"dashboard/provider"
	"dashboard/provider/document"
)

func start(t *testing.T, p *Provider) *provider.Cell {
	cell := provider.NewCell(nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx, cell) }()
	t.Cleanup(func() { cancel(); <-done })
	return cell
}

func put(t *testing.T, p *Provider, body string) {
	t.Helper()
	if err := p.Put([]byte(body)); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// TestValues sends values before and while the provider runs. A value expires after its time, and a newer value starts the time again.
func TestValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("door", Params{TTL: value.Duration(time.Minute)})
		put(t, p, `{"open": true}`)
		cell := start(t, p)
		synctest.Wait()
		if s := cell.Load(); s.Value.(map[string]any)["open"] != true || s.Err != nil {
			t.Errorf("got %+v", s)
		}
		time.Sleep(40 * time.Second)
		put(t, p, "open since noon")
		time.Sleep(40 * time.Second)
		if s := cell.Load(); s.Value != "open since noon" || s.Err != nil {
			t.Errorf("got %+v: the newer value has its whole time", s)
		}
		time.Sleep(21 * time.Second)
		if s := cell.Load(); s.Value != nil || !errors.Is(s.Err, errOver) {
			t.Errorf("got %+v after its time", s)
		}
		put(t, p, "7")
		if s := cell.Load(); s.Value != 7 || s.Err != nil {
			t.Errorf("got %+v", s)
		}
	})
}

// TestKept: after a restart, a restored value stays valid for the rest of its time.
func TestKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := stored{}
		restart := func() (*provider.Cell, func(string)) {
			m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
			m.Keep(store)
			p := New("door", Params{TTL: value.Duration(time.Hour)})
			set := m.Begin()
			cell := set.Add(p.Key(), p)
			m.Commit(set)
			return cell, func(body string) {
				if body != "" {
					put(t, p, body)
				}
				m.Close()
			}
		}
		_, end := restart()
		end(`{"open": true, "n": 7.0}`)
		time.Sleep(40 * time.Minute)
		cell, end := restart()
		synctest.Wait()
		if s := cell.Load(); s.Err != nil || s.Value == nil || s.Value.(map[string]any)["open"] != true || time.Since(s.At) != 40*time.Minute {
			t.Errorf("got %+v after the restart", s)
		}
		time.Sleep(21 * time.Minute)
		if s := cell.Load(); s.Value != nil || !errors.Is(s.Err, errOver) {
			t.Errorf("got %+v after its time", s)
		}
		end("7")
		time.Sleep(2 * time.Hour)
		cell, end = restart()
		if s := cell.Load(); s.Value != nil {
			t.Errorf("got %+v: its time was over before the restart", s)
		}
		synctest.Wait()
		if s := cell.Load(); s.Value != nil || !errors.Is(s.Err, errOver) {
			t.Errorf("got %+v: nobody says that its time is over", s)
		}
		end("")
	})
}

// The type stored is a provider.Store in memory.
type stored map[string][]byte

func (s stored) Load(kind, key string) ([]byte, bool) {
	data, ok := s[kind+key]
	return data, ok
}

func (s stored) Save(kind, key string, data []byte) error {
	s[kind+key] = data
	return nil
}

func TestForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New("door", Params{})
		cell := start(t, p)
		put(t, p, "null")
		time.Sleep(1000 * time.Hour)
		if s := cell.Load(); !s.Has() || s.Value != nil || s.Err != nil || s.Stale(time.Now()) {
			t.Errorf("got %+v", s)
		}
	})
}

func TestBounds(t *testing.T) {
	p := New("door", Params{})
	if err := p.Put([]byte(strings.Repeat("x", MaxBytes+1))); !errors.Is(err, document.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if err := p.Put([]byte(strings.Repeat("x", MaxBytes))); err != nil {
		t.Error(err)
	}
	if p.Key() == New("window", Params{}).Key() {
		t.Error("two names share a key")
	}
}
