package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"dashboard/internal/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a fake that answers each connection with the next of its scripts, and remembers what it was asked.
type server struct {
	mu    sync.Mutex
	asked []string
	plays []func(ctx context.Context, c *websocket.Conn)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, r.URL.RequestURI()+" "+r.Header.Get("Authorization")+r.Header.Get("X-Gotify-Key"))
	var play func(context.Context, *websocket.Conn)
	if n < len(s.plays) {
		play = s.plays[n]
	}
	s.mu.Unlock()
	if play == nil {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	play(r.Context(), c)
}

// says sends messages and then cuts the connection.
func says(messages ...string) func(context.Context, *websocket.Conn) {
	return func(ctx context.Context, c *websocket.Conn) {
		for _, m := range messages {
			c.Write(ctx, websocket.MessageText, []byte(m))
		}
		c.Close(websocket.StatusNormalClosure, "")
	}
}

func message(id, text string, age time.Duration) string {
	return fmt.Sprintf(`{"id":%q,"time":%d,"event":"message","topic":"door","message":%q,"priority":4}`, id, time.Now().Add(-age).Unix(), text)
}

// bridged runs a bridge against scripts until so many bodies came, and returns them and what was asked.
func bridged(t *testing.T, src Source, want int, plays ...func(context.Context, *websocket.Conn)) (bodies []map[string]any, asked []string) {
	t.Helper()
	s := &server{plays: plays}
	h := httptest.NewServer(s)
	defer h.Close()
	src.URL = h.URL + "/"
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	b := &Bridge{Source: src, Client: fetch.New(&fetch.Options{}), Log: slog.New(slog.DiscardHandler)}
	defer b.Client.CloseIdle()
	b.Post = func(body []byte) error {
		var m map[string]any
		if err := json.Unmarshal(body, &m); err != nil {
			t.Error(err)
		}
		if bodies = append(bodies, m); len(bodies) == want {
			cancel()
		}
		return nil
	}
	b.Run(ctx)
	if len(bodies) != want {
		t.Errorf("got %d messages, want %d: %v", len(bodies), want, bodies)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return bodies, s.asked
}

// A connection that is lost is opened again, from the last message on. Lies, what is old, and what is no message are left out.
func TestNtfy(t *testing.T) {
	bodies, asked := bridged(t, Source{Kind: Ntfy, Topics: "door,wash", Token: "tk"}, 2,
		says(`{"event":"open"}`, `nonsense`, `[]`, `{"event":"message"}`, message("old", "x", time.Hour), message("a", "one", 0)),
		says(`{"event":"keepalive"}`, message("b", strings.Repeat("x", 10_000), 0)),
	)
	if len(bodies) < 2 || bodies[0]["title"] != "door" || bodies[0]["text"] != "one" || bodies[0]["priority"] != 4.0 || bodies[0]["id"] != "ntfy a" || len(bodies[1]["text"].(string)) != 4096 {
		t.Errorf("got %v", bodies)
	}
	if asked[0] != "/door,wash/ws?since=10m0s Bearer tk" || asked[1] != "/door,wash/ws?since=a Bearer tk" {
		t.Errorf("asked %q", asked)
	}
}

func TestGotify(t *testing.T) {
	bodies, asked := bridged(t, Source{Kind: Gotify, Token: "C1"}, 1, says(
		`{"id":0,"title":"none"}`, fmt.Sprintf(`{"id":7,"title":"Back-up","message":"**done**","priority":8,"date":%q,
		"extras":{"client::display":{"contentType":"text/markdown"},"client::notification":{"bigImageUrl":"http://h/p.png"}}}`, time.Now().Format(time.RFC3339))))
	if len(bodies) < 1 || bodies[0]["message"] != "**done**" || bodies[0]["image"] != "http://h/p.png" || bodies[0]["priority"] != 4.0 || bodies[0]["id"] != "gotify 7" {
		t.Errorf("got %v", bodies)
	}
	if asked[0] != "/stream C1" {
		t.Errorf("asked %q", asked)
	}
}

// A message that is too long ends the connection, and the next one is opened.
func TestBomb(t *testing.T) {
	bridged(t, Source{Kind: Ntfy, Topics: "x"}, 1, says(strings.Repeat("x", MaxMessage+1)), says(message("a", "one", 0)))
}

// A server that says nothing holds nobody up at the end.
func TestHangs(t *testing.T) {
	s := &server{plays: []func(context.Context, *websocket.Conn){func(ctx context.Context, c *websocket.Conn) { c.Read(ctx) }}}
	h := httptest.NewServer(s)
	defer h.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	b := &Bridge{Source: Source{Kind: Gotify, URL: h.URL}, Client: fetch.New(&fetch.Options{}), Post: func([]byte) error { return nil }, Log: slog.New(slog.DiscardHandler)}
	defer b.Client.CloseIdle()
	began := time.Now()
	b.Run(ctx)
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("it took %v to end", d)
	}
}

func TestPause(t *testing.T) {
	b := &Bridge{}
	if d := b.pause(&fetch.Error{Err: &fetch.StatusError{Code: 401}}, firstPause); d < refusedPause {
		t.Errorf("a refused token: again in %v", d)
	}
	if d := b.pause(nil, firstPause); d < firstPause || d > 2*firstPause {
		t.Errorf("again in %v", d)
	}
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"id":"a","event":"message","title":"t","message":"m","attachment":{"url":"u","type":"image/png"}}`))
	f.Add([]byte(`{"id":1,"title":"t"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []Kind{Ntfy, Gotify} {
			b := &Bridge{Source: Source{Kind: kind}, Log: slog.New(slog.DiscardHandler), Post: func([]byte) error { return nil }}
			b.take(data, time.Now())
		}
	})
}
