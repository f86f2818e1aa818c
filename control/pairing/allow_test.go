package pairing

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAllow allows a request by its ID. Wrong codes of other screens do not matter. The request stays in the list until its token is
// collected, and a second Allow does not make it last longer.
func TestAllow(t *testing.T) {
	g := New()
	r, secret, _ := g.Ask("Tom's Pixel", "10.0.0.7", start)
	for range tryBurst {
		_, _ = g.Confirm("wrong", "", start)
	}
	late := start.Add(WaitTime - time.Second)
	if got, err := g.Allow(r.ID, late); err != nil || got.Name != "Tom's Pixel" || !got.Confirmed() {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got, err := g.Allow(r.ID, late.Add(time.Minute)); err != nil || !got.Until.Equal(late.Add(WaitTime)) {
		t.Errorf("allowed twice: got %v, %v", got.Until, err)
	}
	if all := g.Asking(late); len(all) != 1 || !all[0].Confirmed() || len(g.Waiting(late)) != 0 {
		t.Errorf("got %+v", all)
	}
	if state, _, _, err := g.Collect(secret, late.Add(WaitTime-1)); state != Paired || err != nil {
		t.Errorf("got %s, %v", state, err)
	}
	for name, id := range map[string]string{"a collected request": r.ID, "no request": "none"} {
		if _, err := g.Allow(id, late); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := g.Refuse(id, late); !errors.Is(err, ErrUnknown) {
			t.Errorf("refuse %s: %v", name, err)
		}
	}
	if len(g.Devices()) != 1 || len(g.Asking(late)) != 0 {
		t.Errorf("got %+v, %+v", g.Devices(), g.Asking(late))
	}
}

// An expired request cannot be allowed, and an allowed request ends if nobody collects its token.
func TestAllowExpired(t *testing.T) {
	g := New()
	r, _, _ := g.Ask("a", "10.0.0.7", start)
	late := start.Add(WaitTime)
	if _, err := g.Allow(r.ID, late); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	r, secret, _ := g.Ask("a", "10.0.0.7", late)
	if _, err := g.Allow(r.ID, late); err != nil {
		t.Fatal(err)
	}
	late = late.Add(WaitTime)
	if state, _, _, _ := g.Collect(secret, late); state != Expired || len(g.Asking(late)) != 0 {
		t.Errorf("got %s", state)
	}
}

// A refusal after Allow wins, and blocks the address.
func TestRefuseAllowed(t *testing.T) {
	g := New()
	r, secret, _ := g.Ask("a", "10.0.0.7", start)
	if _, err := g.Allow(r.ID, start); err != nil {
		t.Fatal(err)
	}
	if got, err := g.Refuse(r.ID, start); err != nil || got.ID != r.ID {
		t.Fatalf("got %+v, %v", got, err)
	}
	for name, do := range map[string]func(string, time.Time) (Request, error){"Allow": g.Allow, "Refuse": g.Refuse} {
		if _, err := do(r.ID, start); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s after the refusal: %v", name, err)
		}
	}
	if _, _, _, err := g.Enter(secret, r.Code, start); !errors.Is(err, ErrGone) {
		t.Errorf("the code after the refusal: %v", err)
	}
	if state, _, _, _ := g.Collect(secret, start); state != Refused || len(g.Devices()) != 0 {
		t.Errorf("got %s", state)
	}
	if _, _, err := g.Ask("a", "10.0.0.7", start); !errors.Is(err, ErrBlocked) {
		t.Error(err)
	}
}

// TestAllowFull fills the list of devices up to one place. Only one of two requests gets this place.
func TestAllowFull(t *testing.T) {
	g := New()
	now := start
	for i := range MaxDevices - 1 {
		now = now.Add(time.Minute)
		pair(t, g, "x", fmt.Sprintf("10.0.0.%d", i), now)
	}
	now = now.Add(time.Minute)
	one, secret, _ := g.Ask("one", "10.0.1.1", now)
	two, _, _ := g.Ask("two", "10.0.1.2", now)
	if _, err := g.Allow(one.ID, now); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Allow(two.ID, now); !errors.Is(err, ErrFull) {
		t.Errorf("the place of the first request: %v", err)
	}
	if state, _, _, err := g.Collect(secret, now); state != Paired || err != nil {
		t.Errorf("got %s, %v", state, err)
	}
	if _, err := g.Allow(two.ID, now); !errors.Is(err, ErrFull) {
		t.Errorf("a full list: %v", err)
	}
	if _, err := g.Remove(one.ID, now); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Allow(two.ID, now); err != nil {
		t.Errorf("after a removal: %v", err)
	}
}

// TestAllowAtOnce allows, refuses and collects one request at the same time. It gives at most one token, and none after a refusal that
// was accepted.
func TestAllowAtOnce(t *testing.T) {
	for range 100 {
		g := New()
		r, secret, _ := g.Ask("a", "10.0.0.7", start)
		var all sync.WaitGroup
		tokens := make(chan string, 4)
		var refused error
		for range 2 {
			all.Go(func() { _, _ = g.Allow(r.ID, start) })
			all.Go(func() {
				if _, token, _, _ := g.Collect(secret, start); token != "" {
					tokens <- token
				}
			})
		}
		all.Go(func() { _, refused = g.Refuse(r.ID, start) })
		all.Wait()
		if _, token, _, _ := g.Collect(secret, start); token != "" {
			tokens <- token
		}
		if n := len(tokens); n > 1 || n != len(g.Devices()) || (n == 0) != (refused == nil) {
			t.Fatalf("got %d tokens, %d devices, refused: %v", n, len(g.Devices()), refused)
		}
	}
}

// The permission of a guest ends at its time, also after a restart, and even if the clock goes back. Other devices keep theirs.
func TestGuestEnds(t *testing.T) {
	for name, collect := range map[string]func(*Registry, Request, string) string{
		"collected": func(g *Registry, _ Request, secret string) string {
			_, token, _, _ := g.Collect(secret, start)
			return token
		},
		"with the code": func(g *Registry, r Request, secret string) string {
			_, token, _, _ := g.Enter(secret, r.Code, start)
			return token
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, kept := New(), []byte{}
			keep := func(all []Device) (err error) {
				kept, err = json.Marshal(all)
				return err
			}
			g.Keep(nil, keep)
			d, always := pair(t, g, "Anna", "10.0.0.1", start)
			ends := start.Add(50 * 24 * time.Hour)
			r, secret, _ := g.Ask("guest", "10.0.0.2", start)
			if _, err := g.AllowUntil(r.ID, ends, start); err != nil {
				t.Fatal(err)
			}
			token := collect(g, r, secret)
			var before []Device
			if err := json.Unmarshal(kept, &before); err != nil || len(before) != 2 || !before[1].Ends.Equal(ends) || !before[0].Ends.IsZero() {
				t.Fatalf("kept %s, %v", kept, err)
			}
			g = New()
			g.Keep(before, keep)
			if _, ok := g.Known(token, ends.Add(-time.Second)); !ok {
				t.Error("the guest is unknown before the end")
			}
			if _, ok := g.Known(token, ends); ok {
				t.Error("the guest is known after the end")
			}
			if _, ok := g.Known(token, start); ok {
				t.Error("the guest is known again after the clock went back")
			}
			if _, ok := g.Known(always, ends); !ok || len(g.Devices()) != 1 || g.Devices()[0].ID != d.ID {
				t.Errorf("the other device: got %+v", g.Devices())
			}
			if strings.Contains(string(kept), r.ID) {
				t.Errorf("kept %s", kept)
			}
		})
	}
}
