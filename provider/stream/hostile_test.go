package stream

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
	"dashboard/provider/ask"
)

// TestHostile checks that a faulty stream causes an error with the expected words, and that the error does not contain a secret address.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply   http.HandlerFunc
		want    string
		timeout time.Duration
	}{
		"hang":      {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "nothing has arrived for too long", 300 * time.Millisecond},
		"silent":    {func(w http.ResponseWriter, r *http.Request) { send(w, ""); <-r.Context().Done() }, "nothing has arrived for too long", 300 * time.Millisecond},
		"page":      {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<!DOCTYPE html><p>please log in") }, "a page for people", 0},
		"status":    {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusTeapot) }, "status 418", 0},
		"nothing":   {func(w http.ResponseWriter, r *http.Request) {}, "has ended the stream", 0},
		"redirects": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x"+r.URL.Path, http.StatusFound) }, "redirects", 0},
		"file": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}, "scheme", 0},
		"half a line": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			send(w, `{"a":`)
		}, "unexpected EOF", 0},
		"endless line": {func(w http.ResponseWriter, r *http.Request) { flood(w, r, strings.Repeat("x", 1<<16)) }, "too large", 0},
		"endless event": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			flood(w, r, "data: "+strings.Repeat("x", 1<<15)+"\n")
		}, "too large", 0},
		"bomb": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			flood(z, r, strings.Repeat("x", 1<<20))
		}, "too large", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, c.reply)
			fails(t, listening(t, Params{URL: url + "/?key=hush", Timeout: value.Duration(c.timeout)}), c.want)
			cell := listening(t, Params{URL: url + "/?key=hush", URLSecret: true, Timeout: value.Duration(c.timeout)})
			s := until(t, cell, "an error", func(s *provider.Sample) bool { return s.Err != nil })
			if strings.Contains(s.Err.Error(), "127.0.0.1") || strings.Contains(s.Err.Error(), "hush") {
				t.Errorf("a secret address is told: %v", s.Err)
			}
		})
	}
}

// flood writes the same text until the client disconnects.
func flood(w interface{ Write([]byte) (int, error) }, r *http.Request, text string) {
	for r.Context().Err() == nil {
		if _, err := w.Write([]byte(text)); err != nil {
			return
		}
	}
}

// TestDrip: a server sends one byte at a time and then fails. The messages that have arrived completely are kept.
func TestDrip(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	var calls atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) > 1 {
			http.Error(w, "no more", http.StatusServiceUnavailable)
			return
		}
		for _, b := range []byte("{\"n\": 1}\n") {
			send(w, string(b))
			time.Sleep(2 * time.Millisecond)
		}
	})
	cell := listening(t, Params{URL: url})
	says(t, cell, `{"n":1}`)
	s := until(t, cell, "503", func(s *provider.Sample) bool { return s.Err != nil && strings.Contains(s.Err.Error(), "503") })
	if data, _ := json.Marshal(s.Value); string(data) != `{"n":1}` {
		t.Errorf("got %s, %v: the last message stays", data, s.Err)
	}
}

// TestFlood: a server that sends as fast as possible is read at a limited speed and causes about ten wake-ups per second at most. Only
// the last messages are kept.
func TestFlood(t *testing.T) {
	thorough.Only(t)
	var sent atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		line := strings.Repeat("9", 1<<14) + "\n"
		for r.Context().Err() == nil {
			n, err := w.Write([]byte(line))
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	p := &Params{URL: url, Keep: MaxKeep, Timeout: value.Duration(time.Minute)}
	client := fetch.New(&fetch.Options{})
	_, s, err := New(p, ask.Deps{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	var wakes atomic.Int32
	cell := provider.NewCell(func() { wakes.Add(1) })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began, ended := time.Now(), make(chan struct{})
	go func() { defer close(ended); _ = s.Run(ctx, cell) }()
	until(t, cell, "a value", func(s *provider.Sample) bool { return s.Has() })
	time.Sleep(2 * time.Second) // the server sends without a pause, and the source reads at its limited speed
	cancel()
	<-ended
	client.CloseIdle()
	took := time.Since(began)
	if most := int64(took.Seconds()*perSecond) + burst + buffered(); sent.Load() > most {
		t.Errorf("read %d bytes in %v, want at most %d", sent.Load(), took, most)
	}
	if most := int32(took/pace) + 2; wakes.Load() > most || wakes.Load() == 0 {
		t.Errorf("%d values in %v, want at most %d", wakes.Load(), took, most)
	}
	total := 0
	for _, m := range s.held {
		total += len(m.raw)
	}
	if total > MaxHeld || len(s.held) > MaxKeep {
		t.Errorf("keeps %d messages of %d bytes", len(s.held), total)
	}
}

// buffered() returns the size of the buffers of the kernel (tcp(7), tcp_rmem and tcp_wmem) and of net/http.
func buffered() (size int64) {
	for _, name := range []string{"tcp_rmem", "tcp_wmem"} {
		var least, usual, most int64
		text, _ := os.ReadFile("/proc/sys/net/ipv4/" + name)
		_, _ = fmt.Sscan(string(text), &least, &usual, &most)
		size += most
	}
	return max(16<<20, size+4<<20)
}

// FuzzEvents reads any bytes as events and as lines.
func FuzzEvents(f *testing.F) {
	for _, text := range []string{"data: x\n\n", ": c\r\nid: 1\nretry: 99999999999999999999\ndata\ndata:y\n\n", "{}\n[1]\n\x1e{}\n", "id: \x00\n\nid: a\rb\n\n"} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, events bool) {
		kind := map[bool]string{true: "text/event-stream", false: "application/x-ndjson"}[events]
		client := fetch.NewWith(answer{data, kind})
		_, p, err := New(&Params{URL: "http://h", Keep: 3, Timeout: value.Duration(time.Minute)}, ask.Deps{Client: client})
		if err != nil {
			t.Fatal(err)
		}
		c := &connection{p: p, cell: provider.NewCell(nil), limit: newLimit()}
		if err := c.listen(t.Context()); err == nil {
			t.Error("an answer that ends is no error")
		}
		if len(p.held) > 3 || p.again > retryMost || strings.ContainsAny(p.lastID, "\r\n\x00") {
			t.Errorf("%d messages, pause %v, id %q", len(p.held), p.again, p.lastID)
		}
	})
}

// An answer is a server that always sends the same answer.
type answer struct {
	body []byte
	kind string
}

func (a answer) RoundTrip(*http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", a.kind)
	_, _ = rec.Write(a.body)
	return rec.Result(), nil
}

// TestLongID: the ID of an event is stored and sent back, unless it exceeds its limit.
func TestLongID(t *testing.T) {
	long := strings.Repeat("a", maxID)
	for id, want := range map[string]string{long: long, long + "a": "7"} {
		client := fetch.NewWith(answer{[]byte("id: 7\ndata: x\n\nid: " + id + "\ndata: y\n\n"), "text/event-stream"})
		_, p, err := New(&Params{URL: "http://h", Timeout: value.Duration(time.Minute)}, ask.Deps{Client: client})
		if err != nil {
			t.Fatal(err)
		}
		_ = (&connection{p: p, cell: provider.NewCell(nil), limit: newLimit()}).listen(t.Context())
		if p.lastID != want {
			t.Errorf("an id of %d bytes: kept one of %d, want %d", len(id), len(p.lastID), len(want))
		}
	}
}

// The decoded values of the test's messages need fifty times as much memory as the messages. The memory for decoded values is limited,
// and the latest messages stay.
func TestRoomOfValues(t *testing.T) {
	p := &Provider{keep: 100}
	for range 100 {
		p.hold([]byte("[" + strings.Repeat(`{"":0},`, 10_000/7) + "0]"))
	}
	v, err := p.value(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := provider.SizeOf(v); n > maxDecoded+maxDecoded/100 || len(p.held) < 10 || len(p.held) == 100 {
		t.Errorf("%d messages with %d MiB are held, of at most %d", len(p.held), n>>20, maxDecoded>>20)
	}
}

// counted counts requests.
type counted struct {
	http.RoundTripper
	n atomic.Int32
}

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.RoundTripper.RoundTrip(r)
}

// A message over the limit is an error although earlier messages have arrived. A later connection that works does not end this error. Such
// messages do not lengthen the pauses before the next connection.
func TestLongMessageAfterOthers(t *testing.T) {
	requests := &counted{RoundTripper: answer{[]byte("1\n" + strings.Repeat("x", MaxMessage+1)), "application/x-ndjson"}}
	client := fetch.NewWith(requests)
	_, p, err := New(&Params{URL: "http://h", Timeout: value.Duration(time.Minute)}, ask.Deps{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		cell := provider.NewCell(nil)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); p.Run(ctx, cell) }()
		defer func() { cancel(); <-ended }()
		synctest.Wait()
		for range 2 {
			if s := cell.Load(); !s.Has() || !errors.Is(s.Err, fetch.ErrTooLarge) {
				t.Errorf("got %v, %v", s.Value, s.Err)
			}
			(&connection{p: p, cell: cell}).well()
		}
		time.Sleep(10 * time.Minute)
		if n, least := requests.n.Load(), int32(10*time.Minute/provider.RetryFirst/2); n < least {
			t.Errorf("%d connections in ten minutes, want at least %d", n, least)
		}
	})
}
