package netstream

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// The texts of events are equal to the output of Python's json.dumps and "%.6f".
func TestEventText(t *testing.T) {
	for _, c := range []struct {
		name         string
		at           time.Time
		event, plain string
	}{
		{"fraction", start, `data: {"etag": "00000000000000ff", "published_at": 1795235340.354578}`, "1795235340.354578"},
		{"short fraction", time.Unix(1795235340, 5e8), `data: {"etag": "00000000000000ff", "published_at": 1795235340.5}`, "1795235340.500000"},
		{"whole second", time.Unix(1795235340, 0), `data: {"etag": "00000000000000ff", "published_at": 1795235340.0}`, "1795235340.000000"},
		{"microsecond", time.Unix(1795235340, 1000), `data: {"etag": "00000000000000ff", "published_at": 1795235340.000001}`, "1795235340.000001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Published{ETag: "00000000000000ff", At: c.at}
			if got := string(p.AppendEvent(nil)); got != c.event+"\n\n" {
				t.Errorf("got %q, want %q", got, c.event+"\n\n")
			}
			if got := string(AppendUnix(nil, c.at)); got != c.plain {
				t.Errorf("got %q, want %q", got, c.plain)
			}
		})
	}
}

// The event and the header contain the same microsecond, for any time of this century.
func TestEventEqualsHeader(t *testing.T) {
	at := start
	for i := range 20000 {
		at = at.Add(time.Duration(i) * 91731337 * time.Microsecond / 7).Truncate(time.Microsecond)
		if at.Year() > 2090 {
			at = start
		}
		event := string(Published{"", at}.AppendEvent(nil))
		var e struct {
			At json.Number `json:"published_at"`
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &e); err != nil {
			t.Fatal(err)
		}
		whole, fraction, _ := strings.Cut(string(AppendUnix(nil, at)), ".")
		if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
			fraction = "0"
		}
		if got, want := e.At.String(), whole+"."+fraction; got != want {
			t.Fatalf("%v: event has %s, header %s", at, got, want)
		}
	}
}

func TestPublicationIsInMicroseconds(t *testing.T) {
	s := newStream(Options{})
	if _, ok := s.Current(); ok {
		t.Error("a stream without a frame has a current one")
	}
	mustDraw(t, s, newPainter(1, 10, 10).frame)
	if cur, ok := s.Current(); !ok || !cur.At.Equal(start.Truncate(time.Microsecond)) {
		t.Errorf("got %v, %v; want %v", cur.At, ok, start)
	}
}
