package pairing

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

var start = time.Unix(1_800_000_000, 0)

// pair sends a request, confirms it, and collects the token.
func pair(t *testing.T, g *Registry, name, address string, now time.Time) (Device, string) {
	t.Helper()
	r, secret, err := g.Ask(name, address, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Confirm(r.Code, "kitchen", now); err != nil {
		t.Fatal(err)
	}
	state, token, view, err := g.Collect(secret, now)
	if state != Paired || err != nil || view != "kitchen" || len(token) < 40 {
		t.Fatalf("collect: got %s, %q, %v", state, view, err)
	}
	d, ok := g.Known(token, now)
	if !ok || d.ID != r.ID {
		t.Fatalf("the token is not known: %+v", d)
	}
	return d, token
}

func TestPairing(t *testing.T) {
	var kept []byte
	keep := func(all []Device) error {
		kept, _ = json.Marshal(all)
		return nil
	}
	g := New()
	g.Keep(nil, keep)
	r, secret, _ := g.Ask("  Screen\x1b[31m ", "10.0.0.7", start)
	if r.Name != "Screen[31m" || len(r.Code) != 6 {
		t.Errorf("got %+v", r)
	}
	if state, _, _, _ := g.Collect(secret, start); state != Waiting {
		t.Errorf("got %s", state)
	}
	if _, ok := g.Known(secret, start); ok {
		t.Error("a secret is no token")
	}
	if got, err := g.Confirm(r.Code[:3]+" "+r.Code[3:], "", start); err != nil || got.ID != r.ID {
		t.Fatal(err)
	}
	if _, err := g.Confirm(r.Code, "", start); !errors.Is(err, ErrCode) {
		t.Errorf("confirmed twice: %v", err)
	}
	if state, _, _, _ := g.Collect("guessed", start); state != Expired {
		t.Errorf("a guessed secret: got %s", state)
	}
	state, token, _, err := g.Collect(secret, start)
	if state != Paired || err != nil {
		t.Fatalf("got %s, %v", state, err)
	}
	if state, _, _, _ := g.Collect(secret, start); state != Expired {
		t.Errorf("the token came twice: %s", state)
	}
	if strings.Contains(string(kept), token) || len(kept) == 0 {
		t.Errorf("kept %s", kept)
	}
	var before []Device
	if err := json.Unmarshal(kept, &before); err != nil {
		t.Fatal(err)
	}
	again := New()
	again.Keep(before, keep)
	if _, ok := again.Known(token, start); !ok {
		t.Error("not known after a restart")
	}
	if _, ok := again.Known(token+"x", start); ok {
		t.Error("another token is known")
	}
	if had, err := again.Remove(r.ID, start); !had || err != nil {
		t.Errorf("removed: %v, %v", had, err)
	}
	if _, ok := again.Known(token, start); ok || string(kept) != "[]" {
		t.Errorf("known after it was removed; kept %s", kept)
	}
	if _, err := again.Remove(r.ID, start); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

func TestRefuseAndExpire(t *testing.T) {
	g := New()
	r, secret, _ := g.Ask("a", "10.0.0.7", start)
	if had, err := g.Remove(r.ID, start); had || err != nil {
		t.Error(had, err)
	}
	if _, err := g.Confirm(r.Code, "", start); !errors.Is(err, ErrCode) {
		t.Errorf("confirmed after it was refused: %v", err)
	}
	if state, _, _, _ := g.Collect(secret, start); state != Refused {
		t.Errorf("got %s", state)
	}
	r, secret, _ = g.Ask("a", "10.0.0.7", start)
	late := start.Add(WaitTime)
	if _, err := g.Confirm(r.Code, "", late); !errors.Is(err, ErrCode) {
		t.Errorf("confirmed late: %v", err)
	}
	if state, _, _, _ := g.Collect(secret, late); state != Expired || len(g.Waiting(late)) > 0 {
		t.Errorf("got %s", state)
	}
	r, secret, _ = g.Ask("a", "10.0.0.7", start)
	g.Confirm(r.Code, "", start)
	if state, _, _, _ := g.Collect(secret, late); state != Expired || len(g.Devices()) > 0 {
		t.Errorf("collected late: %s", state)
	}
}

// TestBounds exceeds each limit.
func TestBounds(t *testing.T) {
	g := New()
	now := start
	for i := range 3 * MaxWaiting {
		_, _, err := g.Ask("x", fmt.Sprintf("10.0.0.%d", i), now)
		if (err == nil) != (i < MaxWaiting) {
			t.Fatalf("request %d: %v", i, err)
		}
	}
	if n := len(g.Waiting(now)); n != MaxWaiting {
		t.Errorf("%d wait", n)
	}
	now = now.Add(time.Hour)
	for range 3 { // one address can have only one request
		g.Ask("x", "10.0.0.1", now)
	}
	if n := len(g.Waiting(now)); n != 1 {
		t.Errorf("%d wait", n)
	}
	code := g.Waiting(now)[0].Code
	for i := range 2 * tryBurst {
		_, err := g.Confirm(fmt.Sprint(i), "", now)
		if want := map[bool]error{true: ErrCode, false: ErrTries}[i < tryBurst]; !errors.Is(err, want) {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	if _, err := g.Confirm(code, "", now); !errors.Is(err, ErrTries) {
		t.Errorf("the right digits after too many wrong ones: %v", err)
	}
	g = New()
	for i := range MaxDevices {
		now = now.Add(time.Minute)
		pair(t, g, "x", fmt.Sprintf("10.0.0.%d", i), now)
	}
	now = now.Add(time.Minute)
	r, _, _ := g.Ask("x", "10.0.1.1", now)
	if _, err := g.Confirm(r.Code, "", now); !errors.Is(err, ErrFull) {
		t.Errorf("one screen more: %v", err)
	}
	if n := len(clean(strings.Repeat("a", 100), "x")); n != MaxName {
		t.Errorf("a name of %d bytes", n)
	}
	if got := clean("\x00\xff ", "10.0.0.1"); got != "10.0.0.1" {
		t.Errorf("without a name: got %q", got)
	}
}

// TestNotKept: if the list of devices cannot be stored, no token is given, because the token would be lost at the next start.
func TestNotKept(t *testing.T) {
	g := New()
	g.Keep(nil, func([]Device) error { return errors.New("disk full") })
	r, secret, _ := g.Ask("x", "10.0.0.1", start)
	g.Confirm(r.Code, "", start)
	if state, token, _, err := g.Collect(secret, start); err == nil || token != "" || state == Paired {
		t.Errorf("got %s, %v", state, err)
	}
}

// TestShow changes the view that a screen shows.
func TestShow(t *testing.T) {
	g := New()
	d, token := pair(t, g, "x", "10.0.0.1", start)
	if _, err := g.Show(d.ID, "hall"); err != nil {
		t.Fatal(err)
	}
	if d, _ := g.Known(token, start); d.View != "hall" {
		t.Errorf("got %q", d.View)
	}
	if _, err := g.Show("nobody", "hall"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// TestGarbage: a registry drops damaged devices from the stored list.
func TestGarbage(t *testing.T) {
	g := New()
	g.Keep([]Device{{}, {ID: "a", Hash: []byte("short")}, {ID: "b"}}, nil)
	if n := len(g.Devices()); n != 0 {
		t.Errorf("%d devices", n)
	}
	if _, ok := g.Known("", start); ok {
		t.Error("no token is known")
	}
}

// An address that sends requests all the time does not block the requests of another address.
func TestOneAddressAsksWithoutEnd(t *testing.T) {
	g := New()
	now := start
	for range 600 { // one request per second for ten minutes
		now = now.Add(time.Second)
		_, _, _ = g.Ask("x", "10.0.0.1", now)
	}
	for i := range 3 {
		if _, _, err := g.Ask("y", fmt.Sprintf("10.0.0.%d", i+2), now); err != nil {
			t.Errorf("screen %d: %v", i, err)
		}
	}
	for i := range 10 * maxAddresses {
		_, _, _ = g.Ask("x", fmt.Sprint("address ", i), now)
	}
	if n := len(g.own); n > maxAddresses {
		t.Errorf("%d addresses are known", n)
	}
}
