package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render/picture"
)

// A stream is a camera that is reached over a network. Its field `play` is the function that writes the answer to each request.
type stream struct {
	kind  string // content type
	code  int
	asked []time.Time
	play  func(n int, w io.Writer) // writes the answer to the n-th request; the stream ends after it returns
}

func (s *stream) RoundTrip(r *http.Request) (*http.Response, error) {
	n := len(s.asked)
	s.asked = append(s.asked, time.Now())
	body, w := io.Pipe()
	context.AfterFunc(r.Context(), func() { w.CloseWithError(r.Context().Err()) })
	go func() {
		s.play(n, w)
		w.Close()
	}()
	return &http.Response{StatusCode: max(s.code, 200), Header: http.Header{"Content-Type": {s.kind}}, ContentLength: -1, Body: body}, nil
}

// watchCamera runs a provider of a camera for the duration d and returns its cell.
func watchCamera(t *testing.T, s http.RoundTripper, c Config, kind Kind, d time.Duration, change ...func()) *provider.Cell {
	t.Helper()
	c.Box = image.Pt(40, 40)
	if c.Interval == 0 {
		c.Interval = 5 * time.Second
	}
	if c.From == nil {
		c.Request.URL = at
	}
	ctx, cancel := context.WithCancel(t.Context())
	cell := provider.NewCell(nil)
	ended := make(chan error)
	go func() { ended <- NewCamera(c, kind, fetch.NewWith(s), make(chan struct{}, 1)).Run(ctx, cell) }()
	for _, f := range append(change, cancel) {
		time.Sleep(d)
		synctest.Wait()
		f()
	}
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	time.Sleep(2 * time.Hour) // waits in fake time until the server has noticed that the client is gone
	return cell
}

const (
	mixed  = "multipart/x-mixed-replace; boundary=frame"
	before = "\r\n--frame\r\nContent-Type: image/png\r\n"
)

// sized() returns a part of a stream that consists of a picture and a header with the picture's length.
func sized(pic string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", before, len(pic), pic)
}

// TestCameraForms checks the formats in which cameras send their streams.
func TestCameraForms(t *testing.T) {
	pic := dot(t, 100)
	for name, c := range map[string]struct{ kind, body string }{
		"with lengths":         {mixed, sized(pic)},
		"without":              {mixed, before + "\r\n" + pic + before},
		"closed":               {mixed, before + "\r\n" + pic + "\r\n--frame--\r\n"},
		"line feeds alone":     {mixed, "--frame\ncontent-length:" + fmt.Sprint(len(pic)) + "\n\n" + pic + "\n"},
		"dashes in the header": {`multipart/x-mixed-replace;boundary="--frame"`, sized(pic)},
		"no dashes before":     {"Multipart/X-Mixed-Replace; x=1; Boundary=----frame", sized(pic)},
		"a preamble":           {mixed, "hello\r\n\r\n" + sized(pic)},
		"one bad picture":      {mixed, sized("<html>") + sized(pic)},
		"a short length":       {mixed, before + "Content-Length: 3\r\n\r\n" + pic + sized(pic)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stream{kind: c.kind, play: func(_ int, w io.Writer) {
					_, _ = io.WriteString(w, c.body)
					time.Sleep(time.Second)
				}}
				if got := watchCamera(t, s, Config{}, Auto, 500*time.Millisecond).Load(); shade(t, got) != grey(100) || got.Err != nil {
					t.Errorf("got %+v", got)
				}
			})
		})
	}
}

// TestCameraHostile: a stream with an error ends within its time limit. The cell gets the reason, and the last picture stays.
func TestCameraHostile(t *testing.T) {
	drip := func(w io.Writer, s string) {
		for i := range len(s) {
			if _, err := io.WriteString(w, s[i:i+1]); err != nil {
				return
			}
			time.Sleep(time.Second)
		}
	}
	for name, c := range map[string]struct {
		want error
		text string
		play func(w io.Writer)
	}{
		"hang":         {fetch.ErrSilent, "", func(io.Writer) { time.Sleep(time.Hour) }},
		"drip":         {fetch.ErrUnavailable, "no picture has come for 15s", func(w io.Writer) { drip(w, sized(strings.Repeat("x", 4000))) }},
		"half":         {fetch.ErrUnavailable, "ended the stream", func(w io.Writer) { _, _ = io.WriteString(w, before+"Content-Length: 99\r\n\r\nabc") }},
		"length bomb":  {fetch.ErrTooLarge, "a picture of more", func(w io.Writer) { _, _ = io.WriteString(w, before+"Content-Length: 9223372036854775807\r\n\r\n") }},
		"bad length":   {nil, "the length of a picture is", func(w io.Writer) { _, _ = io.WriteString(w, before+"Content-Length: -5\r\n\r\n") }},
		"bomb":         {fetch.ErrTooLarge, "a picture of more", func(w io.Writer) { flood(w, before+"\r\n") }},
		"header bomb":  {fetch.ErrTooLarge, "the header", func(w io.Writer) { flood(w, before) }},
		"no boundary":  {fetch.ErrTooLarge, "between two pictures", func(w io.Writer) { flood(w, "") }},
		"no pictures":  {picture.ErrUnknown, "", func(w io.Writer) { _, _ = io.WriteString(w, strings.Repeat(sized("<html>"), maxBad)) }},
		"large pixels": {picture.ErrTooLarge, "", func(w io.Writer) { _, _ = io.WriteString(w, strings.Repeat(sized(hugeGIF), maxBad)) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				good := sized(dot(t, 100))
				s := &stream{kind: mixed, play: func(n int, w io.Writer) {
					if n == 0 {
						_, _ = io.WriteString(w, good)
					}
					c.play(w)
				}}
				got := watchCamera(t, s, Config{}, MJPEG, 5*time.Minute).Load()
				if shade(t, got) != grey(100) || got.Seq != 1 || got.Err == nil {
					t.Errorf("got %+v, want the old picture, stale, and an error", got)
				}
				if c.want != nil && !errors.Is(got.Err, c.want) || !strings.Contains(fmt.Sprint(got.Err), c.text) || !strings.Contains(fmt.Sprint(got.Err), "http://cam") {
					t.Errorf("got %v, want %v %q", got.Err, c.want, c.text)
				}
				if n := len(s.asked); n < 3 || n > 16 {
					t.Errorf("asked %d times in 5 minutes, want growing pauses", n)
				}
			})
		})
	}
}

// hugeGIF is the header of a picture with 65535 pixels on each side.
const hugeGIF = "GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02D\x01\x00;"

// flood writes bytes without an end.
func flood(w io.Writer, head string) {
	_, err := io.WriteString(w, head)
	for more := bytes.Repeat([]byte("x"), 1<<16); err == nil; {
		_, err = w.Write(more)
	}
}

// TestCameraRefused: an answer that is not a stream of pictures causes an error with the reason.
func TestCameraRefused(t *testing.T) {
	for name, c := range map[string]struct {
		code             int
		kind, body, want string
		as               Kind
	}{
		"status":      {401, mixed, "who", "status 401", MJPEG},
		"a still":     {200, "image/jpeg", "x", "kind: snapshot", MJPEG},
		"no boundary": {200, "multipart/x-mixed-replace", "x", "what stands between", Auto},
		"a page":      {200, "text/html", "<html>", "not a picture", Auto},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stream{code: c.code, kind: c.kind, play: func(_ int, w io.Writer) { _, _ = io.WriteString(w, c.body) }}
				if got := watchCamera(t, s, Config{}, c.as, time.Second).Load(); got.Has() || !strings.Contains(fmt.Sprint(got.Err), c.want) {
					t.Errorf("got %+v, want %q", got, c.want)
				}
			})
		})
	}
}

// TestCameraReconnects: a stream that has worked is started again two seconds after each end. Pictures that come too fast are dropped.
func TestCameraReconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shades := make([]string, 40)
		for i := range shades {
			shades[i] = sized(dot(t, uint8(i)))
		}
		s := &stream{kind: mixed, play: func(_ int, w io.Writer) {
			for i := range shades {
				_, _ = io.WriteString(w, shades[i])
				time.Sleep(25 * time.Millisecond) // the forty pictures take one second together
			}
		}}
		got := watchCamera(t, s, Config{}, Auto, 29*time.Second).Load()
		if n := len(s.asked); n != 10 {
			t.Errorf("asked %d times in 29 s, want one in three", n)
		}
		if got.Seq < 40 || got.Seq > 55 {
			t.Errorf("published %d pictures of 400, want five of each second", got.Seq)
		}
	})
}

// TestCameraSnapshots: after the first answer has shown that an address sends single pictures, the address is requested repeatedly.
func TestCameraSnapshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{pages: map[string]string{at: dot(t, 100)}}
		got := watchCamera(t, w, Config{}, Auto, 12*time.Second, func() { w.set(at, dot(t, 200)) }).Load()
		if shade(t, got) != grey(200) || got.Seq != 2 || got.Interval != 5*time.Second || w.count() != 1+5 {
			t.Errorf("got %+v after %d requests", got, w.count())
		}
	})
}

// TestCameraFollowsItsAddress: a new address ends the stream of the old address.
func TestCameraFollowsItsAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := provider.NewCell(nil)
		from.Publish("http://cam/a", time.Now())
		a, b := sized(dot(t, 1)), sized(dot(t, 2))
		s := &stream{kind: mixed, play: func(n int, w io.Writer) {
			for err := error(nil); err == nil; time.Sleep(100 * time.Millisecond) {
				_, err = io.WriteString(w, []string{a, b}[min(n, 1)])
			}
		}}
		got := watchCamera(t, s, Config{From: from}, Auto, 10*time.Second, func() { from.Publish("http://cam/b", time.Now()) }).Load()
		if shade(t, got) != grey(2) || len(s.asked) != 2 || got.Err != nil {
			t.Errorf("got %+v after %d requests", got, len(s.asked))
		}
	})
}

// FuzzParts: for any input, reading ends, and no part is longer than the input.
func FuzzParts(f *testing.F) {
	f.Add([]byte(sized("abc") + before + "\r\nabc" + before))
	f.Add([]byte("--frame--\n\n--frame\nContent-Length: 0\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := newParts(bytes.NewReader(data), "frame")
		for n := 0; err == nil; n++ {
			var part []byte
			if part, err = p.next(); len(part) > len(data) || n > len(data) {
				t.Fatalf("%d bytes in part %d of %d", len(part), n, len(data))
			}
		}
	})
}

// The type guarded is a camera that sends pictures only to requests with the right name and password. The authentication is Basic (RFC
// 7617) or Digest (RFC 7616).
type guarded struct {
	stream
	basic   bool
	refused int
}

func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	said := r.Header.Get("Authorization")
	name, password, ok := r.BasicAuth()
	if g.basic && ok && name == "anna" && password == "hush" || !g.basic && strings.HasPrefix(said, `Digest username="anna"`) && strings.Contains(said, `uri="/live?channel=1"`) {
		return g.stream.RoundTrip(r)
	}
	g.refused++
	return &http.Response{StatusCode: http.StatusUnauthorized, Request: r, Header: http.Header{"Www-Authenticate": {`Digest realm="cam", nonce="1", qop="auth"`}}, Body: http.NoBody}, nil
}

// TestCameraAsksWho: a camera that requires a name and a password, with Basic or Digest
// authentication, shows its stream and its single pictures.
func TestCameraAsksWho(t *testing.T) {
	pic := dot(t, 100)
	for _, basic := range []bool{true, false} {
		for kind, body := range map[Kind]string{MJPEG: sized(pic), Snapshot: pic} {
			synctest.Test(t, func(t *testing.T) {
				content := map[Kind]string{MJPEG: mixed, Snapshot: "image/png"}[kind]
				g := &guarded{basic: basic, stream: stream{kind: content, play: func(_ int, w io.Writer) { _, _ = io.WriteString(w, body) }}}
				from := provider.NewCell(nil)
				from.Publish("http://anna:hush@camera.lan/live?channel=1", time.Now())
				got := watchCamera(t, g, Config{From: from}, kind, 500*time.Millisecond).Load()
				if shade(t, got) != grey(100) || basic && g.refused > 0 || !basic && g.refused == 0 {
					t.Errorf("basic %v, kind %d: got %+v after %d refusals", basic, kind, got, g.refused)
				}
			})
		}
	}
}
