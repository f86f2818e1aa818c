package wallkey

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// pair returns the keys of two walls after an exchange.
func pair(t *testing.T) (a, b []byte) {
	t.Helper()
	asks, err := NewHalf()
	if err != nil {
		t.Fatal(err)
	}
	asked, err := NewHalf()
	if err != nil {
		t.Fatal(err)
	}
	a, err = asks.Key(asked.Public(), asks.Public(), asked.Public())
	if err != nil {
		t.Fatal(err)
	}
	b, err = asked.Key(asks.Public(), asks.Public(), asked.Public())
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

// TestExchange: both walls get the same key, two pairings have different keys, and invalid halves are rejected.
func TestExchange(t *testing.T) {
	a, b := pair(t)
	c, _ := pair(t)
	if !bytes.Equal(a, b) || bytes.Equal(a, c) || len(a) != keySize {
		t.Errorf("got keys %x, %x, %x", a, b, c)
	}
	h, err := NewHalf()
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"", "x", "AAAA", strings.Repeat("A", 43) + "=", strings.Repeat("A", 1000)} {
		if key, err := h.Key(other, "a", "b"); err == nil {
			t.Errorf("half %.50q: got key %x", other, key)
		}
	}
}

// one() returns the checker of a wall and a signer with the same key.
func one(t *testing.T, start string) (*Checker, *Signer) {
	t.Helper()
	a, b := pair(t)
	c := NewChecker(start, func(id string) ([]byte, bool) { return b, id == "k" })
	return c, NewSigner("k", a)
}

// send signs a request, and signs it again after a rejection, as a wall does.
func send(c *Checker, s *Signer, method, target, body string) (*http.Request, error) {
	r := httptest.NewRequest(method, target, nil)
	s.Sign(r, []byte(body))
	_, err := c.Check(r, []byte(body))
	if err == nil {
		return r, nil
	}
	refusal := &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{"Www-Authenticate": {c.Challenge(r)}}}
	if !s.Learn(refusal) {
		return r, err
	}
	s.Sign(r, []byte(body))
	_, err = c.Check(r, []byte(body))
	return r, err
}

// TestSigned: a signed request is valid only once, only for its method, address and body, and only at a wall that has the key.
func TestSigned(t *testing.T) {
	c, s := one(t, "first")
	r, err := send(c, s, "POST", "/page?view=hall", `{"page":"menu"}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Check(r, []byte(`{"page":"menu"}`)); err == nil {
		t.Error("a request is valid twice")
	}
	for _, tt := range []struct{ name, method, target, body string }{
		{"another method", "DELETE", "/page?view=hall", "x"},
		{"another address", "POST", "/power?view=hall", "x"},
		{"another view", "POST", "/page?view=kitchen", "x"},
		{"another body", "POST", "/page?view=hall", "y"},
	} {
		good := httptest.NewRequest("POST", "/page?view=hall", nil)
		s.Sign(good, []byte("x"))
		changed := httptest.NewRequest(tt.method, tt.target, nil)
		changed.Header = good.Header
		if _, err := c.Check(changed, []byte(tt.body)); err == nil {
			t.Errorf("%s: the signature is valid", tt.name)
		}
		if _, err := c.Check(good, []byte("x")); err != nil {
			t.Errorf("%s: a forged request used up the signature", tt.name)
		}
	}
	other, stranger := one(t, "first")
	if _, err := send(other, s, "POST", "/reload", ""); err == nil {
		t.Error("another wall takes the key")
	}
	if _, err := send(c, stranger, "POST", "/reload", ""); err == nil {
		t.Error("a wall takes another key")
	}
}

// TestReplayAfterRestart: a request from before a restart is rejected. The next request of the paired wall is valid.
func TestReplayAfterRestart(t *testing.T) {
	a, b := pair(t)
	key := func(id string) ([]byte, bool) { return b, id == "k" }
	before, after := NewChecker("first", key), NewChecker("second", key)
	s := NewSigner("k", a)
	old, err := send(before, s, "POST", "/reload", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := after.Check(old, nil); err == nil {
		t.Error("a request from before the restart is valid")
	}
	if _, err := send(after, s, "POST", "/reload", ""); err != nil {
		t.Error(err)
	}
	if _, err := send(after, NewSigner("k", a), "POST", "/reload", ""); err != nil {
		t.Errorf("after a restart of the wall that asks: %v", err)
	}
}

// TestMalformed: requests whose headers have an invalid form are rejected.
func TestMalformed(t *testing.T) {
	c, _ := one(t, "first")
	for _, header := range []string{"", "Wall ", "Wall k", "Wall k.a.1", "Wall k..1.", "Wall k.x.-1.00", "Wall k.a.1.zz", "Wall k.a.1.00.00",
		"Bearer k", "Wall " + strings.Repeat("k.", 5000)} {
		r := httptest.NewRequest("POST", "/reload", nil)
		r.Header.Set("Authorization", header)
		if id, err := c.Check(r, nil); err == nil {
			t.Errorf("header %.40q: valid for %q", header, id)
		}
		if header := c.Challenge(r); len(header) > 60 {
			t.Errorf("the challenge has %d bytes", len(header))
		}
	}
	s := NewSigner("k", make([]byte, keySize))
	for _, challenge := range []string{"", "Bearer", "Wall ", "Wall x", "Wall x.1", "Wall 0123456789abcdef.x"} {
		if s.Learn(&http.Response{StatusCode: 401, Header: http.Header{"Www-Authenticate": {challenge}}}) {
			t.Errorf("challenge %q: another try", challenge)
		}
	}
}

// TestWindow: a request may arrive up to 63 numbers late, and no number counts twice.
func TestWindow(t *testing.T) {
	w := &window{}
	for _, tt := range []struct {
		n    uint64
		want bool
	}{{0, false}, {1, true}, {1, false}, {3, true}, {2, true}, {2, false}, {100, true}, {37, true}, {37, false}, {36, false}, {1 << 63, true}, {100, false}} {
		if got := w.take(tt.n); got != tt.want {
			t.Errorf("number %d: got %v, want %v", tt.n, got, tt.want)
		}
	}
}

// TestTwoAtOnce: of many equal requests at the same time, only one request is valid.
func TestTwoAtOnce(t *testing.T) {
	c, s := one(t, "first")
	if _, err := send(c, s, "POST", "/reload", ""); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/reload", nil)
	s.Sign(r, nil)
	var valid atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := c.Check(r, nil); err == nil {
				valid.Add(1)
			}
		})
	}
	all.Wait()
	if n := valid.Load(); n != 1 {
		t.Errorf("%d of 50 equal requests are valid", n)
	}
}

// TestRevoked: when a new key is used, the numbers of revoked keys are deleted.
func TestRevoked(t *testing.T) {
	a, b := pair(t)
	known := "first"
	c := NewChecker("start", func(id string) ([]byte, bool) { return b, id == known })
	if _, err := send(c, NewSigner("first", a), "POST", "/reload", ""); err != nil {
		t.Fatal(err)
	}
	known = "second"
	if _, err := send(c, NewSigner("first", a), "POST", "/reload", ""); err == nil {
		t.Error("a revoked key is valid")
	}
	if _, err := send(c, NewSigner("second", a), "POST", "/reload", ""); err != nil || len(c.seen) != 1 {
		t.Errorf("got %v, %d keys are remembered", err, len(c.seen))
	}
}
