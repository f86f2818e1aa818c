package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"dashboard/internal/fetch"
	"dashboard/internal/testing/programtest"
)

// A memory is a notify.Keeper that stores data in memory instead of in a file.
type memory struct {
	mu    sync.Mutex
	files map[string][]byte
	saves int
}

func (m *memory) Load(kind, key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.files[kind+" "+key]
	return data, ok
}

func (m *memory) Save(kind, key string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[kind+" "+key], m.saves = data, m.saves+1
	return nil
}

// texts() runs a bridge and returns the texts of its messages. If `want` is above 0, the bridge ends after it has posted that many
// messages.
func texts(t *testing.T, src Source, kept *memory, s *server, want int) (all []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programtest.Patience)
	defer cancel()
	b := &Bridge{Source: src, Client: fetch.New(&fetch.Options{}), Log: slog.New(slog.DiscardHandler), Kept: kept, Key: "home"}
	defer b.Client.CloseIdle()
	b.Post = func(body []byte) error {
		var m struct{ Text string }
		if err := json.Unmarshal(body, &m); err != nil {
			t.Error(err)
		}
		if all = append(all, m.Text); len(all) == want {
			cancel()
		}
		return nil
	}
	b.Run(ctx)
	return all
}

// TestRestartShowsNothingTwice: after a restart a bridge continues after the last message that it received.
func TestRestartShowsNothingTwice(t *testing.T) {
	t.Parallel()
	s := &server{plays: []func(context.Context, *websocket.Conn){
		says(message("a", "one", 0), message("b", "two", 0)),
		says(message("c", "three", 0)),
		says(message("d", "four", 0)),
	}}
	h := httptest.NewServer(s)
	defer h.Close()
	kept, src := &memory{files: map[string][]byte{}}, Source{Kind: Ntfy, Topics: "door", URL: h.URL}
	if got := texts(t, src, kept, s, 2); !reflect.DeepEqual(got, []string{"one", "two"}) {
		t.Fatalf("got %v", got)
	}
	if got := texts(t, src, kept, s, 1); !reflect.DeepEqual(got, []string{"three"}) {
		t.Errorf("after a restart: got %v", got)
	}
	src.Topics = "bell"
	texts(t, src, kept, s, 1)
	want := []string{"/door/ws?since=10m0s ", "/door/ws?since=b ", "/bell/ws?since=10m0s "}
	if !reflect.DeepEqual(s.asked, want) {
		t.Errorf("the server was asked for %q, want %q", s.asked, want)
	}
}

// TestRestartGotify: the messages that were shown before the restart are not shown again.
func TestRestartGotify(t *testing.T) {
	t.Parallel()
	note := func(id int) string {
		return fmt.Sprintf(`{"id":%d,"message":"m%d","date":%q}`, id, id, time.Now().Format(time.RFC3339))
	}
	s := &server{
		kept: []string{"[" + note(2) + "," + note(1) + "]", "[" + note(4) + "," + note(3) + "," + note(2) + "," + note(1) + "]"},
		plays: []func(context.Context, *websocket.Conn){
			says(note(3)),
			says(note(4), note(5)),
		},
	}
	h := httptest.NewServer(s)
	defer h.Close()
	kept, src := &memory{files: map[string][]byte{}}, Source{Kind: Gotify, Token: "C1", URL: h.URL}
	if got := texts(t, src, kept, s, 3); !reflect.DeepEqual(got, []string{"m1", "m2", "m3"}) {
		t.Fatalf("got %v", got)
	}
	if got := texts(t, src, kept, s, 2); !reflect.DeepEqual(got, []string{"m4", "m5"}) {
		t.Errorf("after a restart: got %v", got)
	}
}

// TestSeen: a flood of messages causes at most one write within keepEvery, and the newest position is written at the end. openSeen
// ignores a damaged position. The request does not contain a position that is too old.
func TestSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept, log := &memory{files: map[string][]byte{}}, slog.New(slog.DiscardHandler)
		s := openSeen(kept, "k", log)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.run(ctx) })
		for n := range 100 {
			s.set(position{Number: int64(n + 1)})
			time.Sleep(keepEvery / 10) // in fake time
		}
		synctest.Wait()
		if kept.saves > 11 {
			t.Errorf("%d writes in %v", kept.saves, 10*keepEvery)
		}
		s.set(position{Number: 1000})
		cancel()
		running.Wait()
		if got := openSeen(kept, "k", log).now(); got.Number != 1000 {
			t.Errorf("got %+v at the next start", got)
		}
		for _, data := range []string{`{"number":-5}`, `nonsense`, `[]`, `{"id":7}`} {
			kept.files[keptKind+" k"] = []byte(data)
			if got := openSeen(kept, "k", log).now(); got != (position{}) {
				t.Errorf("%s: got %+v", data, got)
			}
		}
		kept.files[keptKind+" k"] = []byte(`{"id":"` + strings.Repeat("x", 999) + `"}`)
		b := &Bridge{Source: Source{Kind: Ntfy, Topics: "door"}, seen: openSeen(kept, "k", log)}
		if r := b.request(); !strings.HasSuffix(r.URL, "since=10m0s") {
			t.Errorf("an old position: got %s", r.URL)
		}
	})
}
