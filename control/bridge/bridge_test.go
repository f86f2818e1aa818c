package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"dashboard/control/notify"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
	"dashboard/provider/mqtt"
	"dashboard/render/icon"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// A server is a fake server. It runs one script for each connection and records the requests.
type server struct {
	mu    sync.Mutex
	asked []string
	plays []func(ctx context.Context, c *websocket.Conn)
	kept  []string // answers to GET /message, one after another
}

// `refused` is an element of server.kept that stands for an error in the form of Gotify.
const refused = "refused"

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if r.URL.Path == "/message" {
		defer s.mu.Unlock()
		if len(s.kept) == 0 || r.URL.Query().Get("limit") != "32" {
			http.Error(w, "no", http.StatusNotFound)
			return
		}
		now := s.kept[0]
		if s.kept = s.kept[1:]; now == refused {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"error":"Service Unavailable","errorCode":503}`)
			return
		}
		fmt.Fprintf(w, `{"messages":%s,"paging":{"limit":32}}`, now)
		return
	}
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

// says() returns a script that sends messages and then closes the connection.
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

// bridged() runs a bridge on a server with the given scripts until the bridge has posted the wanted number of bodies. It returns the
// bodies and the requests.
func bridged(t *testing.T, src Source, want int, plays ...func(context.Context, *websocket.Conn)) (bodies []map[string]any, asked []string) {
	t.Helper()
	return with(t, src, want, &server{plays: plays})
}

// with() is like bridged(), but it uses the server `s`.
func with(t *testing.T, src Source, want int, s *server) (bodies []map[string]any, asked []string) {
	t.Helper()
	h := httptest.NewServer(s)
	defer h.Close()
	src.URL = h.URL + "/"
	ctx, cancel := context.WithTimeout(t.Context(), programtest.Patience)
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

// TestNtfy: after a lost connection, the bridge requests only the messages that follow the last received message. It ignores invalid and
// old messages.
func TestNtfy(t *testing.T) {
	t.Parallel()
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

// TestBomb: a message that is too long ends the connection. The bridge then opens another connection.
func TestBomb(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	bridged(t, Source{Kind: Ntfy, Topics: "x"}, 1, says(strings.Repeat("x", MaxMessage+1)), says(message("a", "one", 0)))
}

// TestHangs: a silent server does not delay the end of a bridge.
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
	if d := time.Since(began); d > time.Minute { // the server itself never closes the connection
		t.Errorf("it took %v to end", d)
	}
}

// TestOutageInLog: the log has one line when a connection is lost and one line when messages are received again. It has no line about the
// first connection.
func TestOutageInLog(t *testing.T) {
	t.Parallel()
	h := httptest.NewServer(&server{plays: []func(context.Context, *websocket.Conn){says(message("m1", "first", 0)), says(message("m2", "second", 0))}})
	defer h.Close()
	ctx, cancel := context.WithTimeout(t.Context(), programtest.Patience)
	defer cancel()
	var log programtest.Log
	b := &Bridge{Source: Source{Kind: Ntfy, URL: h.URL, Topics: "x"}, Client: fetch.New(&fetch.Options{}), Log: slog.New(slog.NewTextHandler(&log, nil))}
	defer b.Client.CloseIdle()
	posted, again := 0, []int{}
	b.Post = func([]byte) error {
		again = append(again, log.Count("receiving messages again"))
		if posted++; posted == 2 {
			cancel()
		}
		return nil
	}
	b.Run(ctx)
	if want := []int{0, 1}; !slices.Equal(again, want) || log.Count("cannot receive messages") != 1 {
		t.Errorf("lines about the connection at each message: got %v, want %v:\n%s", again, want, &log)
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
	f.Add([]byte(`{"id":"a","event":"message","message":"m","tags":["fire"],"icon":"http://x/y","actions":[{"action":"http","label":"a","url":"http://x","body":"b","clear":true}]}`))
	f.Add([]byte(`{"id":1,"title":"t"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []Kind{Ntfy, Gotify} {
			b := &Bridge{Source: Source{Kind: kind}, Log: slog.New(slog.DiscardHandler), Post: func([]byte) error { return nil }, flow: newFlow(rate.Inf, 1, slog.New(slog.DiscardHandler)),
				seen: openSeen(nil, "", slog.New(slog.DiscardHandler))}
			b.take(t.Context(), data, time.Now())
		}
	})
}

// TestNtfyButtons: the bridge posts a valid notification for a message of ntfy. The icon comes from the message or from one of its tags.
// The notification has buttons only for actions that a wall can run.
func TestNtfyButtons(t *testing.T) {
	t.Parallel()
	bodies, _ := bridged(t, Source{Kind: Ntfy, Topics: "door"}, 3, says(
		fmt.Sprintf(`{"id":"a","time":%d,"event":"message","topic":"door","message":"m","icon":"https://pics.test/bell.png","tags":["warning"],"actions":[
			{"action":"view","label":"Look","url":"https://door.test"},{"action":"broadcast","label":"x"},
			{"action":"http","label":"Delete","url":"http://nas.lan/x","method":"DELETE"},{"action":"http","label":"Secret","url":"http://nas.lan/x","headers":{"Authorization":"x"}},
			{"action":"http","label":" Open  the door of the house that stands at the end of the lane ","url":"http://nas.lan/open","body":"now","clear":true},
			{"action":"http","label":"Later","url":"http://nas.lan/later","method":"POST"},{"action":"http","label":"x","url":"ftp://nas.lan"},{"action":"http","label":"","url":"http://nas.lan"}]}`, time.Now().Unix()),
		fmt.Sprintf(`{"id":"b","time":%d,"event":"message","topic":"door","message":"m","tags":["anything","tada","fire"]}`, time.Now().Unix()),
		fmt.Sprintf(`{"id":"c","time":%d,"event":"message","topic":"door","message":"m","icon":"file:///etc/passwd","tags":["none"],"actions":null}`, time.Now().Unix()),
	))
	want := []any{
		map[string]any{"label": "Open the door of the house that stands a", "url": "http://nas.lan/open", "body": "now", "clear": true},
		map[string]any{"label": "Later", "url": "http://nas.lan/later", "clear": false},
	}
	if !reflect.DeepEqual(bodies[0]["actions"], want) || bodies[0]["icon"] != "https://pics.test/bell.png" {
		t.Errorf("got %v with %v, want %v", bodies[0]["icon"], bodies[0]["actions"], want)
	}
	if bodies[1]["icon"] != "mdi:party-popper" || bodies[2]["icon"] != bell || bodies[2]["actions"] != nil {
		t.Errorf("got %v, %v", bodies[1], bodies[2])
	}
	for tag, name := range tagIcons {
		if _, known := icon.Lookup(name); !known {
			t.Errorf("%s: there is no icon %s", tag, name)
		}
	}
	for _, b := range bodies {
		data, _ := json.Marshal(b)
		if _, err := notify.Parse(data, func(any) (color.NRGBA, error) { return color.NRGBA{}, nil }); err != nil && !strings.Contains(err.Error(), "widget") {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// TestTopic: messages on an MQTT topic are shown, except retained messages. If too many messages arrive, most of them are dropped.
func TestTopic(t *testing.T) {
	t.Parallel()
	s := brokertest.Begin(t, brokertest.AnyPort, nil)
	publish := func(payload string, retain bool) {
		t.Helper()
		if err := s.Publish("house/door", []byte(payload), retain, 1); err != nil {
			t.Fatal(err)
		}
	}
	publish("of last year", true)
	var posted atomic.Int32
	var first atomic.Value
	hold, came := make(chan struct{}), make(chan struct{}, 1)
	topic := &Topic{Filter: "house/#", Broker: mqtt.Broker{URL: "mqtt://" + s.Address, ClientID: "wall"}, Sessions: &provider.Sessions{}, Log: slog.New(slog.DiscardHandler),
		Post: func(_ context.Context, body []byte) error {
			if posted.Add(1) == 1 {
				first.Store(string(body))
				came <- struct{}{}
				<-hold // simulates a busy wall
			}
			return errors.New("which is no reason to end")
		}}
	began := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	cell, wake := provider.NewCell(nil), make(chan struct{}, 1)
	defer cell.Watch(wake)()
	var run sync.WaitGroup
	run.Go(func() {
		if err := topic.Run(ctx, cell); err != nil {
			t.Error(err)
		}
	})
	defer run.Wait()
	defer cancel()
	late := time.After(programtest.Patience)
	for s := cell.Load(); s.At.IsZero() || s.Err != nil; s = cell.Load() {
		select {
		case <-wake:
		case <-late:
			t.Fatalf("not subscribed: %v", cell.Load().Err)
		}
	}
	publish("", false)
	publish(strings.Repeat("x", MaxMessage+1), false)
	publish("Somebody rang", false)
	select {
	case <-came:
	case <-late:
		t.Fatal("nothing is shown")
	}
	if got := first.Load(); got != string(notify.Message([]byte("Somebody rang"))) {
		t.Errorf("got %s", got)
	}
	wait := func(what string, done func() bool) {
		t.Helper()
		for !done() {
			select {
			case <-time.After(time.Millisecond):
			case <-late:
				t.Fatal(what)
			}
		}
	}
	delivered := func() bool { return s.Info.Clone().Inflight == 0 } // reports whether the broker has delivered all messages
	for n := range 5 * topicBurst {                                  // one message at a time, so that the broker holds back no message
		publish(fmt.Sprint(n), false)
		wait("one is still on its way", delivered)
	}
	close(hold)
	wait("the wall does not go on", func() bool { return posted.Load() == 1+maxQueued })
	for n := range 100 {
		publish(fmt.Sprint("more ", n), false)
		wait("one is still on its way", delivered)
	}
	cancel()
	run.Wait()
	if n, most := posted.Load(), topicBurst+1+int32(topicRate*time.Since(began).Seconds()); n > most {
		t.Errorf("%d were shown in %v, want at most %d", n, time.Since(began), most)
	}
}

// TestManyMessages: the first messages of a flood are shown once and in order. The log has one line about the other messages.
func TestManyMessages(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const many = 3 * atOnce
	for _, kind := range []Kind{Ntfy, Gotify} {
		t.Run(string(kind), func(t *testing.T) {
			h := httptest.NewServer(&server{plays: []func(context.Context, *websocket.Conn){func(ctx context.Context, c *websocket.Conn) {
				for i := range many {
					m := message(fmt.Sprint("m", i), fmt.Sprint("text ", i), 0)
					if kind == Gotify {
						m = fmt.Sprintf(`{"id":%d,"message":"text %d","date":%q}`, i+1, i, time.Now().Format(time.RFC3339))
					}
					_ = c.Write(ctx, websocket.MessageText, []byte(m))
				}
				c.Close(websocket.StatusNormalClosure, "")
			}}})
			defer h.Close()
			ctx, cancel := context.WithTimeout(t.Context(), programtest.Patience)
			defer cancel()
			var log programtest.Log
			b := &Bridge{Source: Source{Kind: kind, URL: h.URL, Topics: "x"}, Client: fetch.New(&fetch.Options{}), Log: slog.New(slog.NewTextHandler(&log, nil))}
			defer b.Client.CloseIdle()
			shown, last, began := 0, -1, time.Now()
			b.Post = func(body []byte) error {
				var m struct{ Text string }
				var n int
				if json.Unmarshal(body, &m) != nil {
					t.Errorf("got %s", body)
				}
				if _, err := fmt.Sscanf(m.Text, "text %d", &n); err != nil || n <= last {
					t.Errorf("after message %d: got %s", last, body)
				}
				shown, last = shown+1, n
				return errors.New("there is no room")
			}
			done := make(chan struct{})
			go func() { defer close(done); b.Run(ctx) }()
			programtest.Eventually(t, "the end of the flood", func() bool { return log.Count("cannot receive messages") > 0 })
			cancel()
			<-done
			if most := atOnce + 1 + int(lasting*time.Since(began).Seconds()); shown < atOnce || shown > most {
				t.Errorf("%d were shown, want %d to %d", shown, atOnce, most)
			}
			if n := log.Count("cannot show a message") + log.Count("dropping messages"); n < 1 || n > 1+int(time.Since(began)/toldEvery) {
				t.Errorf("%d lines of the log tell of it, want one:\n%s", n, &log)
			}
		})
	}
}
