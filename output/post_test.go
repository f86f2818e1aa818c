package output

import (
	"context"
	"image"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// endpoint is a RoundTripper that records the times and pictures of uploads. The test sets its answers with the fields.
type endpoint struct {
	mu      sync.Mutex
	begun   time.Time
	at      []time.Duration // since the beginning
	shades  []uint8         // brightness of the first pixel of each picture
	under   int             // requests that are running
	most    int
	status  int
	takes   time.Duration
	refuses bool
}

func newEndpoint() *endpoint { return &endpoint{begun: time.Now(), status: http.StatusOK} }

func (e *endpoint) RoundTrip(req *http.Request) (*http.Response, error) {
	img, err := png.Decode(req.Body)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.at = append(e.at, time.Since(e.begun))
	r, _, _, _ := img.At(0, 0).RGBA()
	e.shades = append(e.shades, uint8(r))
	e.under++
	e.most = max(e.most, e.under)
	status, refuses, takes := e.status, e.refuses, e.takes
	e.mu.Unlock()
	defer func() { e.mu.Lock(); e.under--; e.mu.Unlock() }()
	select {
	case <-req.Context().Done():
		return nil, req.Context().Err()
	case <-time.After(takes):
	}
	if refuses {
		return nil, errCable
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(strings.NewReader("ok")), Request: req}, nil
}

func (e *endpoint) answer(status int, refuses bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status, e.refuses = status, refuses
}

func (e *endpoint) seen() ([]time.Duration, []uint8) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]time.Duration(nil), e.at...), append([]uint8(nil), e.shades...)
}

func newPost(t *testing.T, o PostOptions) *Post {
	t.Helper()
	if o.URL == "" {
		o.URL = "http://panel.example/upload?key=secret"
	}
	p, err := NewPost(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPostOnDirty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEndpoint()
		p := newPost(t, PostOptions{Transport: e})
		defer start(t, p.Run)()
		time.Sleep(5 * time.Second)
		fr := frame(4, 4, 1)
		_ = p.DrawFrame(fr, nil) // 5 s: the first frame
		for i := range 6 {       // 16 s to 71 s: sent when the interval is over
			time.Sleep(11 * time.Second)
			fill(fr, fr.Rect, uint8(10+i))
			_ = p.DrawFrame(fr, rects(fr.Rect))
		}
		time.Sleep(5 * time.Minute) // no further changes
		at, shades := e.seen()
		want := []time.Duration{5 * time.Second, 65 * time.Second, 125 * time.Second}
		if !slices.Equal(at, want) || !slices.Equal(shades, []uint8{1, 14, 15}) {
			t.Errorf("got uploads at %v of %v, want at %v of 1, 14, 15", at, shades, want)
		}
		if st := p.Stats(); !st.OK() || st.Errors != 0 {
			t.Errorf("got %+v, want no errors", st)
		}
	})
}

func TestPostOnInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEndpoint()
		e.takes = 2 * time.Second // the interval counts from the start of an upload
		p := newPost(t, PostOptions{Transport: e, Trigger: OnInterval, MinInterval: 10 * time.Second})
		defer start(t, p.Run)()
		fr := frame(4, 4, 1)
		_ = p.DrawFrame(fr, nil)
		time.Sleep(35 * time.Second)
		at, _ := e.seen()
		if len(at) != 4 || at[0] != 0 || at[1] != 10*time.Second || at[3] != 30*time.Second {
			t.Errorf("got uploads at %v, want every 10 s from 0", at)
		}
	})
}

// TestPostRetries: pauses grow and are changed randomly by up to half of their length. Each attempt
// uploads the newest frame. There is only one attempt at a time.
func TestPostRetries(t *testing.T) {
	tests := []struct {
		name    string
		status  int
		refuses bool
		want    string
	}{
		{"refused", 200, true, "cable pulled"},
		{"server error", 503, false, "answer Service Unavailable"},
		{"wrong password", 401, false, "answer Unauthorized"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lines, log := newBook()
				e := newEndpoint()
				e.answer(tt.status, tt.refuses)
				p := newPost(t, PostOptions{Transport: e, Log: log})
				defer start(t, p.Run)()
				fr := frame(4, 4, 1)
				for i := range 40 {
					fill(fr, fr.Rect, uint8(i))
					_ = p.DrawFrame(fr, rects(fr.Rect))
					time.Sleep(time.Second)
				}
				at, shades := e.seen()
				for i := 1; i < len(at); i++ {
					base := firstRetry << (i - 1)
					if wait := at[i] - at[i-1]; wait < base/2 || wait > base*3/2+time.Millisecond {
						t.Errorf("try %d: got a wait of %v, want %v, a half more or less", i, wait, base)
					}
					if newest := uint8(at[i] / time.Second); shades[i] != newest && shades[i] != newest-1 {
						t.Errorf("try %d: got frame %d, want the newest, %d", i, shades[i], newest)
					}
				}
				if st := p.Stats(); len(at) < 4 || st.Errors != uint64(len(at)) || st.LastError != tt.want || st.OK() {
					t.Errorf("got %+v after %d tries, want %q", st, len(at), tt.want)
				}
				e.answer(200, false)
				time.Sleep(lastRetry + lastRetry/2)
				if st := p.Stats(); !st.OK() || e.most != 1 {
					t.Errorf("got %+v, %d at a time, want success, one at a time", st, e.most)
				}
				if strings.Contains(lines.String(), "secret") {
					t.Errorf("the log tells the key: %s", lines.String())
				}
			})
		})
	}
}

// TestPostDeadEndpoint: an upload to an endpoint that does not answer ends after 30 s, and does not delay the renderer. The end of the
// context cancels the upload immediately.
func TestPostDeadEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEndpoint()
		e.takes = time.Hour
		p := newPost(t, PostOptions{Transport: e})
		stop := start(t, p.Run)
		begun := time.Now()
		for i := range 1000 {
			_ = p.DrawFrame(frame(4, 4, uint8(i)), rects(image.Rect(0, 0, 4, 4)))
		}
		synctest.Wait()
		if d := time.Since(begun); d != 0 {
			t.Errorf("1,000 frames took %v, want no waiting", d)
		}
		time.Sleep(uploadTimeout + time.Millisecond)
		synctest.Wait()
		if st := p.Stats(); st.Errors != 1 {
			t.Errorf("got %+v, want one error after %v", st, uploadTimeout)
		}
		time.Sleep(2 * time.Second) // the second attempt is now running
		begun = time.Now()
		stop()
		if d := time.Since(begun); d != 0 {
			t.Errorf("stopping took %v, want none", d)
		}
	})
}

// TestPostDownForDays: an endpoint is unreachable, or answers 500 with an endless body. There are
// few attempts and few log lines, and only a limited part of each answer is read.
func TestPostDownForDays(t *testing.T) {
	for _, away := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			lines, log := newBook()
			tries, most := 0, 0
			transport := roundTripper(func(r *http.Request) (*http.Response, error) {
				tries++
				if away {
					return nil, errCable
				}
				b := &endless{most: &most}
				return &http.Response{StatusCode: 500, Status: "500 Oh", Body: b, Request: r}, nil
			})
			p := newPost(t, PostOptions{Transport: transport, Log: log, MinInterval: time.Second})
			stop := start(t, p.Run)
			const days = 3
			for i := range days * 24 * 60 {
				_ = p.DrawFrame(frame(4, 4, uint8(i)), nil)
				time.Sleep(time.Minute)
			}
			stop()
			if most := days * 24 * 3600 / int(lastRetry.Seconds()) * 2; tries < most/4 || tries > most {
				t.Errorf("away %v: %d tries in %d days", away, tries, days)
			}
			if n, most := strings.Count(lines.String(), "\n"), days*24*int(time.Hour/repeatEvery)+2; n > most || n == 0 {
				t.Errorf("away %v: %d lines in %d days, want at most %d", away, n, days, most)
			}
			if st := p.Stats(); st.OK() || most > 2*maxAnswer {
				t.Errorf("away %v: got %+v, %d bytes of an answer", away, st, most)
			}
		})
	}
}

// endless is an endless response body. It counts the bytes that are read.
type endless struct {
	read int
	most *int // greatest number of bytes that were read from one answer
}

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	*e.most = max(*e.most, e.read)
	return len(p), nil
}
func (e *endless) Close() error { return nil }

// TestAfterPostFailure: if AfterPost fails, the error is logged. The failure has no other effect, because the upload was successful.
func TestAfterPostFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines, log := newBook()
		e := newEndpoint()
		after := 0
		transport := roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/after" {
				after++
				return nil, errCable
			}
			return e.RoundTrip(r)
		})
		p := newPost(t, PostOptions{Transport: transport, Log: log, AfterPost: &AfterPost{URL: "http://panel.example/after"}})
		defer start(t, p.Run)()
		_ = p.DrawFrame(frame(4, 4, 1), nil)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		at, _ := e.seen()
		if st := p.Stats(); len(at) != 1 || after != 1 || !st.OK() {
			t.Errorf("got %d uploads, %d requests after, %+v, want one of each and success", len(at), after, st)
		}
		if !strings.Contains(lines.String(), "after_post: cable pulled") {
			t.Errorf("got %q, want a line about it", lines.String())
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestNewPostErrors(t *testing.T) {
	const good = "http://h/"
	tests := []struct {
		name string
		o    PostOptions
		want string
	}{
		{"no url", PostOptions{}, "url is not an http"},
		{"scheme", PostOptions{URL: "ftp://h/"}, "url is not an http"},
		{"broken url", PostOptions{URL: "http://user:pw@h:x/"}, "url: invalid port"},
		{"format", PostOptions{URL: good, Format: "tiff"}, "image_format"},
		{"trigger", PostOptions{URL: good, Trigger: "sometimes"}, "trigger"},
		{"interval", PostOptions{URL: good, MinInterval: -1}, "min_interval"},
		{"after url", PostOptions{URL: good, AfterPost: &AfterPost{}}, "after_post.url"},
		{"after method", PostOptions{URL: good, AfterPost: &AfterPost{URL: good, Method: "PATCH"}}, "after_post.method"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewPost(tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "pw@") {
				t.Errorf("got %v, want an error about %s", err, tt.want)
			}
		})
	}
}

func TestPostStopsWithoutAFrame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	newPost(t, PostOptions{}).Run(ctx) // must return
}
