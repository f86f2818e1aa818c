package homeassistant

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	fake "dashboard/internal/testing/homeassistanttest"
)

// TestCutInAMessage: a message that is cut by the end of the connection is ignored. Until the next connection, the cell keeps its
// previous value and has an error.
func TestCutInAMessage(t *testing.T) {
	s := &fake.Server{}
	s.Put("light.a", "on", nil)
	var cut atomic.Bool
	var cuts atomic.Int32
	inHouse(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !cut.Load() {
			s.ServeHTTP(w, r)
			return
		}
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		ctx := r.Context()
		_ = c.Write(ctx, websocket.MessageText, []byte(`{"type":"auth_required"}`))
		_, _, _ = c.Read(ctx)
		_ = c.Write(ctx, websocket.MessageText, []byte(`{"type":"auth_ok"}`))
		for range 3 { // three messages: the requests for features, configuration and entities
			_, _, _ = c.Read(ctx)
		}
		half, err := c.Writer(ctx, websocket.MessageText)
		if err != nil {
			return
		}
		_, _ = half.Write([]byte(`{"id":3,"type":"event","event":{"a":{"light.a":{"s":"off","a":{"x":"` + strings.Repeat("x", 64<<10)))
		cuts.Add(1)
	}), func(h *house) {
		_, cells := h.run(fake.Token, "light.a")
		cut.Store(true)
		s.Drop()
		h.pass(30 * time.Second)
		if sample := cells[0].Load(); state(cells[0]) != "on" || sample.Err == nil || cuts.Load() == 0 {
			t.Errorf("cut %d times: got %v, %v", cuts.Load(), sample.Value, sample.Err)
		}
		cut.Store(false)
		s.Put("light.a", "dim", nil)
		h.pass(2 * time.Minute)
		if sample := cells[0].Load(); state(cells[0]) != "dim" || sample.Err != nil {
			t.Errorf("afterwards: got %v, %v", sample.Value, sample.Err)
		}
	})
}

// TestConnectionsAreCounted: providers with the same address and token share a connection. The connection ends when no provider uses it.
func TestConnectionsAreCounted(t *testing.T) {
	inHouse(t, &fake.Server{}, func(h *house) {
		connect := func(url, token string) (*Connection, func()) {
			home, err := NewHome(url, false, token, h.deps)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(home.Key(), token) {
				t.Errorf("the key tells the token: %s", home.Key())
			}
			c, release, err := home.Connect(h.t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return c, release
		}
		one, releaseOne := connect("http://ha.test:8123", fake.Token)
		same, releaseSame := connect("http://ha.test:8123/", fake.Token)
		other, releaseOther := connect("http://ha.test:8123", "another")
		if one != same || one == other || h.deps.Sessions.Len() != 2 {
			t.Errorf("%v, %v of %d connections", one == same, one == other, h.deps.Sessions.Len())
		}
		releaseOne()
		if h.pass(time.Minute); h.deps.Sessions.Len() != 2 {
			t.Errorf("one of two has gone: %d connections", h.deps.Sessions.Len())
		}
		releaseSame()
		releaseOther()
		if h.pass(time.Minute); h.deps.Sessions.Len() != 0 {
			t.Errorf("%d connections are left", h.deps.Sessions.Len())
		}
	})
}
