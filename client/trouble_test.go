package client

import (
	"fmt"
	"image/color"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestEndings(t *testing.T) {
	file := encode(t, "png", flat(smallScreen, blue))
	blues := picture(`"b"`, "png", file)
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nETag: \"b\"\r\nContent-Type: image/png\r\nContent-Length: %d\r\n\r\n", len(file))
	hold := func(text string) func(net.Conn, *http.Request) {
		return func(c net.Conn, _ *http.Request) {
			fmt.Fprint(c, text)
			_, _ = c.Read(make([]byte, 1)) // returns when the client closes the connection
		}
	}
	cut := func(text string) func(net.Conn, *http.Request) {
		return func(c net.Conn, _ *http.Request) { fmt.Fprint(c, text) }
	}
	for name, script := range map[string]struct {
		frame, events func(net.Conn, *http.Request)
		after         time.Duration // from the failing request to the next request, without jitter
	}{
		"frame cut":           {cut(head + string(file[:20])), nil, 2 * time.Second},
		"frame silent":        {hold(head + string(file[:20])), nil, 32 * time.Second},
		"no answer":           {hold(""), nil, 32 * time.Second},
		"cut before a header": {cut(""), nil, 2 * time.Second},
		"a header of 1 MB":    {cut("HTTP/1.1 200 OK\r\nETag: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"), nil, 2 * time.Second},
		"a length of 1 TB":    {hold(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", int64(1<<40))), nil, 2 * time.Second},
		"not HTTP":            {cut("SSH-2.0-OpenSSH_9.2\r\n"), nil, 2 * time.Second},
		"404":                 {say("404 NOT FOUND", "X: y", `{"error":"no stream output is configured","success":false}`), nil, 2 * time.Second},
		"500":                 {say("500 INTERNAL SERVER ERROR", "X: y", "<!doctype html>"), nil, 2 * time.Second},
		"204":                 {say("204 NO CONTENT", "X: y", ""), nil, 2 * time.Second},
		"events silent":       {blues, hold(eventsHead), 47 * time.Second},
		"events cut":          {blues, cut(eventsHead), 2 * time.Second},
		"events not events":   {blues, say("200 OK", "Content-Type: text/html", "please log in"), 2 * time.Second},
		"events 404":          {blues, say("404 NOT FOUND", "X: y", ""), 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			story(t, func(w *wall, c *Client, d *display) {
				events := script.events
				w.requests()
				if events == nil {
					w.set(func() { w.frame = script.frame })
					w.hub <- eventText
				} else {
					w.set(func() { w.frame, w.events = script.frame, events })
					w.hub <- ""
					pass(2200 * time.Millisecond) // the client connects again, and the new event stream fails
				}
				pass(0)
				began := w.requests()[0].at
				if events == nil {
					wantFlat(t, d, red, false)
				}
				w.set(func() { w.frame, w.events = blues, w.stream })
				pass(script.after*11/10 - time.Since(began))
				asked := w.requests()
				if len(asked) == 0 {
					t.Fatal("got no further try")
				}
				if after := asked[0].at.Sub(began); after < script.after {
					t.Errorf("got the next try after %v, want %v", after, script.after)
				}
				wantState(t, c, Connected)
				wantFlat(t, d, blue, false)
			}, func(w *wall, o *Options) { w.shows(`"a"`, red) })
		})
	}
}

// TestEndless: the client stops reading an endless body before it fills the memory.
func TestEndless(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		pass(time.Second)
		if got := cap(c.network.body); int64(got) > 2*maxFile(smallScreen) {
			t.Errorf("got a buffer of %d bytes, want at most %d", got, 2*maxFile(smallScreen))
		}
		wantAsked(t, w, "frame")
		wantState(t, c, Down)
	}, func(w *wall, o *Options) {
		w.frame = func(c net.Conn, _ *http.Request) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\n\r\n")
			b := make([]byte, 1<<20)
			for {
				if _, err := c.Write(b); err != nil {
					return
				}
			}
		}
	})
}

// TestDripping: the client stops reading a body that arrives slowly and does not end.
func TestDripping(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		pass(frameTime + 2200*time.Millisecond)
		wantAsked(t, w, "frame frame")
	}, func(w *wall, o *Options) {
		w.frame = func(c net.Conn, _ *http.Request) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			for {
				if _, err := c.Write([]byte{0}); err != nil {
					return
				}
				time.Sleep(10 * time.Second)
			}
		}
	})
}

func TestRejected(t *testing.T) {
	refuse := say("401 UNAUTHORIZED", "Content-Type: application/json", `{"error":"a valid stream bearer token is required","success":false}`+"\n")
	for name, change := range map[string]func(w *wall){
		"by both":    func(w *wall) { w.frame, w.events = refuse, refuse },
		"by frames":  func(w *wall) { w.frame = refuse },
		"by events":  func(w *wall) { w.events = refuse },
		"in between": func(w *wall) { w.frame = refuse },
	} {
		t.Run(name, func(t *testing.T) {
			story(t, func(w *wall, c *Client, d *display) {
				want := black
				if name == "in between" {
					wantFlat(t, d, red, false)
					w.set(func() { change(w) })
					w.hub <- eventText
					pass(0)
					want = red
				}
				if name == "by events" {
					want = red
				}
				wantState(t, c, Rejected)
				wantWords(t, d, want)
				w.requests()
				pass(5*time.Minute - 1)
				wantAsked(t, w, "")
				w.set(func() { w.events = w.stream })
				w.shows(`"b"`, blue)
				pass(1)
				wantAsked(t, w, "frame events")
				wantState(t, c, Connected)
				wantFlat(t, d, blue, false)
			}, func(w *wall, o *Options) {
				w.shows(`"a"`, red)
				if name != "in between" {
					change(w)
				}
			})
		})
	}
}

// wantWords checks that the screen shows the message about a rejected token over the darkened frame.
func wantWords(t *testing.T, d *display, frame color.RGBA) {
	t.Helper()
	f := newFrame(smallScreen)
	f.setWhole(flat(smallScreen, frame))
	wantCard(t, d, f, Rejected, "")
}

// wantCard checks that the card for the state st is shown over a frame.
func wantCard(t *testing.T, d *display, f *frame, st State, failure string) {
	t.Helper()
	o := testOptions(smallScreen)
	s := newScreen(&o, f)
	s.failure = failure
	s.update(time.Now(), st)
	s.paint()
	want, letters := s.picture(), 0
	got, _ := d.picture()
	for i := range want.Pix {
		if far(got.Pix[i], want.Pix[i]) > 2 {
			t.Fatalf("byte %d: got %d, want %d", i, got.Pix[i], want.Pix[i])
		}
		if want.Pix[i] > 200 && i%4 == 1 {
			letters++
		}
	}
	if letters < 100 {
		t.Errorf("got %d bright pixels, want some words", letters)
	}
}

// TestUnusable: if a frame cannot be decoded, the previous frame stays, and a frame is requested again.
func TestUnusable(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		good := encode(t, "png", flat(smallScreen, blue))
		w.set(func() { w.frame = picture(`"b"`, "png", good[:len(good)-30]) })
		w.requests()
		w.hub <- eventText
		pass(0)
		wantAsked(t, w, "frame")
		wantFlat(t, d, red, false)
		wantState(t, c, Connected)
		pass(2 * time.Second)
		if got := wantAsked(t, w, "frame")[0].Header.Get("If-None-Match"); got != "" {
			t.Errorf("got If-None-Match %s: the tag of a bad frame, or of one before it, was kept", got)
		}
		w.set(func() { w.frame = picture(`"b"`, "png", good) })
		pass(2 * time.Second)
		wantFlat(t, d, blue, false)
		w.requests()
		pass(time.Minute / 2)
		wantAsked(t, w, "")
		if got := c.Stats().Skipped; got != 2 {
			t.Errorf("got %d frames skipped, want 2", got)
		}
	}, func(w *wall, o *Options) { w.shows(`"a"`, red) })
}

func TestRedirect(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		wantAsked(t, w, "frame elsewhere events")
		wantFlat(t, d, red, false)
	}, func(w *wall, o *Options) {
		file := encode(t, "png", flat(smallScreen, red))
		w.frame = func(c net.Conn, r *http.Request) {
			if r.URL.Path == "/frame" {
				say("302 FOUND", "Location: /elsewhere", "")(c, r)
				return
			}
			picture(`"a"`, "png", file)(c, r)
		}
	})
}

// TestBusy: several events during a fetch cause only one more fetch.
func TestBusy(t *testing.T) {
	file := encode(t, "png", flat(smallScreen, blue))
	story(t, func(w *wall, c *Client, d *display) {
		w.requests()
		w.set(func() {
			w.frame = func(c net.Conn, r *http.Request) {
				time.Sleep(time.Second)
				picture(`"b"`, "png", file)(c, r)
			}
		})
		for range 10 {
			w.hub <- eventText
			pass(10 * time.Millisecond)
		}
		pass(3 * time.Second)
		wantAsked(t, w, "frame frame")
		wantFlat(t, d, blue, false)
	}, func(w *wall, o *Options) { w.shows(`"a"`, red) })
}

// slowly() returns a handler that waits before it answers.
func slowly(d time.Duration, then func(net.Conn, *http.Request)) func(net.Conn, *http.Request) {
	return func(c net.Conn, r *http.Request) {
		time.Sleep(d)
		then(c, r)
	}
}
