package push

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/document"
	"dashboard/provider"
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

// TestValues brings values before and while it runs; one holds for its time only, and a newer one begins it anew.
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
