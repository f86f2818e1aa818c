package pairing

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// FuzzPairing pairs screens with any name, any digits and any stored list. Names are short and printable, only confirmed screens get
// tokens, and all lists stay within their limits.
func FuzzPairing(f *testing.F) {
	f.Add("kitchen", "123456", "main", []byte(`[{"id":"a","hash":"AAAA","name":"x"}]`))
	f.Add("\x00\xff", "", "", []byte(`null`))
	f.Fuzz(func(t *testing.T, name, code, view string, kept []byte) {
		g := New()
		var before []Device
		if json.Unmarshal(kept, &before) == nil {
			g.Keep(before, func([]Device) error { return nil })
		}
		now := start
		r, secret, err := g.Ask(name, "10.0.0.1", now)
		if err != nil {
			t.Fatalf("the first to ask: %v", err)
		}
		if len(r.Name) > MaxName || !utf8.ValidString(r.Name) {
			t.Errorf("the name is %q", r.Name)
		}
		for _, c := range r.Name {
			if !unicode.IsPrint(c) {
				t.Errorf("the name %q has %q", r.Name, c)
			}
		}
		_, err = g.Confirm(code, view, now)
		if typed := strings.NewReplacer(" ", "", "-", "").Replace(code); (err == nil) != (typed == r.Code) {
			t.Errorf("digits %q for %q: %v", code, r.Code, err)
		}
		if state, token, _, _ := g.Collect(secret+"x", now); state == Paired || token != "" {
			t.Error("another secret has a token")
		}
		state, token, _, _ := g.Collect(secret, now)
		if paired := state == Paired; paired != (err == nil) || paired != (token != "") {
			t.Errorf("%s with %q after %v", state, token, err)
		}
		if _, ok := g.Known(code, now); ok && code != token {
			t.Error("the digits are a token")
		}
		if len(g.Devices()) > MaxDevices || len(g.Waiting(now)) > MaxWaiting {
			t.Errorf("%d screens, %d wait", len(g.Devices()), len(g.Waiting(now)))
		}
	})
}

// TestComeAndGo: after ten thousand screens were paired and removed, no data of these screens is left.
func TestComeAndGo(t *testing.T) {
	g := New()
	now := start
	for i := range 10_000 {
		now = now.Add(time.Minute)
		d, token := pair(t, g, fmt.Sprint("screen ", i), fmt.Sprintf("10.0.%d.%d", i>>8&255, i&255), now)
		if had, err := g.Remove(d.ID, now); !had || err != nil {
			t.Fatal(i, had, err)
		}
		if _, ok := g.Known(token, now); ok {
			t.Fatalf("round %d: its token is known after it was taken away", i)
		}
	}
	now = now.Add(time.Hour)
	if len(g.Devices()) != 0 || len(g.Waiting(now)) != 0 {
		t.Errorf("%d screens and %d that wait are left", len(g.Devices()), len(g.Waiting(now)))
	}
}
