package oauth

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestDevice checks a code that the user enters on another device. The program polls the server. If the server requests slower polling,
// the pauses become longer. The program stops when the user has answered or the code has expired.
func TestDevice(t *testing.T) {
	for name, tt := range map[string]struct {
		says []string
		want error
	}{
		"allowed": {[]string{"authorization_pending", "slow_down"}, nil}, "denied": {[]string{"access_denied"}, ErrDenied}, "expired": {[]string{"expired_token"}, ErrExpired},
	} {
		s, g, at := begin(t, t.TempDir())
		s.device = tt.says
		d, err := g.BeginDevice(t.Context())
		if err != nil || d.Code != "ABCD-EFGH" || d.URL != "https://device.example.org" || d.pause != time.Second {
			t.Fatalf("got %+v, %v", d, err)
		}
		again := true
		for again {
			again, err = g.poll(t.Context(), d)
		}
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
		if tt.want != nil {
			continue
		}
		if d.pause != time.Second+slower {
			t.Errorf("the pause is %v", d.pause)
		}
		if got, err := call(g, at); got != `"ok"` || err != nil {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	_, g, _ := begin(t, t.TempDir())
	late := &Device{pause: time.Millisecond, until: time.Now().Add(-time.Second)}
	if err := g.FinishDevice(t.Context(), late); !errors.Is(err, ErrExpired) {
		t.Errorf("got %v", err)
	}
}

// TestDeviceOutage checks that polling continues, with longer pauses, while the server cannot be reached.
func TestDeviceOutage(t *testing.T) {
	s, g, at := begin(t, t.TempDir())
	s.device = []string{"authorization_pending", "lost", "overloaded"}
	d, err := g.BeginDevice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for again := true; again; {
		again, err = g.poll(t.Context(), d)
	}
	if err != nil || len(s.device) > 0 || d.pause != 4*time.Second {
		t.Errorf("got %v, pause %v, left %q", err, d.pause, s.device)
	}
	if got, err := call(g, at); got != `"ok"` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	s.device = []string{"lost"}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if again, err := g.poll(ended, d); again || !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: got %v, %v", again, err)
	}
}

// TestDeviceCodeEnds checks a code that the user does not enter. The code expires after the lifetime that the service has sent. After
// that, there are no more requests.
func TestDeviceCodeEnds(t *testing.T) {
	s, g, _ := begin(t, t.TempDir())
	now := time.Now()
	g.now = func() time.Time { return now }
	d, err := g.BeginDevice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const life = 1800 * time.Second // lifetime of a code of tokenServer
	if life <= connectTime {
		t.Fatal("the life of the code has to differ from the usual one")
	}
	d.pause = 0
	now = now.Add(life - time.Second)
	if err := g.FinishDevice(t.Context(), d); errors.Is(err, ErrExpired) {
		t.Error("the code ended too early")
	}
	asked := s.asked
	now = now.Add(2 * time.Second)
	if err := g.FinishDevice(t.Context(), d); !errors.Is(err, ErrExpired) || s.asked != asked {
		t.Errorf("got %v and %d questions, want the end of the code and none", err, s.asked-asked)
	}
}
