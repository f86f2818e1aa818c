package pairing

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"
)

// A revoked device has no permission at once. Undo restores it as it was, but only for a limited time, once, and not after a restart.
func TestRevoke(t *testing.T) {
	g, kept := New(), []byte{}
	g.Keep(nil, func(all []Device) (err error) {
		kept, err = json.Marshal(all)
		return err
	})
	first, token := pair(t, g, "Anna", "10.0.0.1", start)
	pair(t, g, "Tom", "10.0.0.2", start.Add(time.Second))
	known := func(want bool) {
		t.Helper()
		if _, ok := g.Known(token, start); ok != want {
			t.Errorf("known: got %v, want %v", ok, want)
		}
		var all []Device
		if err := json.Unmarshal(kept, &all); err != nil || (len(all) == 2) != want {
			t.Errorf("kept %s, %v", kept, err)
		}
	}
	if err := g.Revoke(first.ID, start); err != nil {
		t.Fatal(err)
	}
	known(false)
	if _, err := g.Restore("x", start); !errors.Is(err, ErrUnknown) {
		t.Errorf("another ID: got %v", err)
	}
	before := kept
	if d, err := g.Restore(first.ID, start.Add(UndoTime-time.Second)); err != nil || d.ID != first.ID || g.Devices()[0].ID != first.ID {
		t.Fatalf("got %+v, %v", d, err)
	}
	known(true)
	if _, err := g.Restore(first.ID, start); !errors.Is(err, ErrUnknown) {
		t.Errorf("twice: got %v", err)
	}
	if err := g.Revoke(first.ID, start); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Restore(first.ID, start.Add(UndoTime)); !errors.Is(err, ErrUnknown) {
		t.Errorf("too late: got %v", err)
	}
	known(false)
	again := New()
	var stored []Device
	if err := json.Unmarshal(before, &stored); err != nil {
		t.Fatal(err)
	}
	again.Keep(stored, func([]Device) error { return nil })
	if _, err := again.Restore(first.ID, start); !errors.Is(err, ErrUnknown) {
		t.Errorf("after a restart: got %v", err)
	}
}

// A guest whose permission has ended in the meantime stays without permission. If the list is full or cannot be stored, nothing changes.
func TestRestoreRefuses(t *testing.T) {
	g := New()
	r, secret, _ := g.Ask("guest", "10.0.0.1", start)
	if _, err := g.AllowUntil(r.ID, start.Add(time.Second), start); err != nil {
		t.Fatal(err)
	}
	_, token, _, _ := g.Collect(secret, start)
	if err := g.Revoke(r.ID, start); err != nil {
		t.Fatal(err)
	}
	_, _ = g.Restore(r.ID, start.Add(2*time.Second))
	if _, ok := g.Known(token, start.Add(2*time.Second)); ok {
		t.Error("the guest has a permission after its end")
	}
	d, _ := pair(t, g, "Anna", "10.0.0.2", start)
	if err := g.Revoke(d.ID, start); err != nil {
		t.Fatal(err)
	}
	g.Keep(g.Devices(), func([]Device) error { return errors.New("disk full") })
	if _, err := g.Restore(d.ID, start); err == nil || len(g.Devices()) > 0 {
		t.Errorf("without room on the disk: got %v", err)
	}
	g.Keep(nil, func([]Device) error { return nil })
	now := start
	for i := range MaxDevices {
		now = now.Add(time.Minute)
		last, _ := pair(t, g, "x", fmt.Sprintf("10.0.1.%d", i), now)
		if i == 0 {
			d = last
		}
	}
	if err := g.Revoke(d.ID, now); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Second)
	asked, _, err := g.Ask("y", "10.0.2.1", now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Allow(asked.ID, now); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Restore(d.ID, now); !errors.Is(err, ErrFull) {
		t.Errorf("without a place: got %v", err)
	}
}
