package pairing

import (
	"errors"
	"testing"
)

// A closed registry refuses requests, also the codes of earlier ones. Paired devices and confirmed requests stay.
func TestClose(t *testing.T) {
	g := New()
	_, token := pair(t, g, "Anna", "10.0.0.1", start)
	asked, secret, _ := g.Ask("Tom", "10.0.0.2", start)
	allowed, other, _ := g.Ask("Eva", "10.0.0.3", start)
	if _, err := g.Allow(allowed.ID, start); err != nil {
		t.Fatal(err)
	}
	if removed, err := g.Close(true, start); err != nil || len(removed) != 1 || removed[0].ID != asked.ID || !g.Closed() {
		t.Fatalf("got %+v, %v", removed, err)
	}
	if _, _, _, err := g.Enter(secret, asked.Code, start); !errors.Is(err, ErrGone) {
		t.Errorf("the code of an earlier request: got %v", err)
	}
	if state, _, _, _ := g.Collect(other, start); state != Paired {
		t.Errorf("the confirmed request: got %s", state)
	}
	if _, ok := g.Known(token, start); !ok {
		t.Error("the paired device is unknown")
	}
	if _, _, err := g.Ask("Tom", "10.0.0.2", start); !errors.Is(err, ErrClosed) {
		t.Errorf("another request: got %v", err)
	}
	if _, err := g.Close(false, start); err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.Ask("Tom", "10.0.0.2", start); err != nil {
		t.Errorf("a request after that: got %v", err)
	}
	g.KeepClosed(false, func(bool) error { return errors.New("disk full") })
	if _, err := g.Close(true, start); err == nil || g.Closed() || len(g.Waiting(start)) != 1 {
		t.Errorf("without room on the disk: got %v, closed %v", err, g.Closed())
	}
}
