package client

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

var smallScreen = image.Pt(160, 120)

// flat() returns a picture of one color.
func flat(size image.Point, c color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

var (
	red   = color.RGBA{200, 0, 0, 255}
	blue  = color.RGBA{0, 0, 200, 255}
	black = color.RGBA{0, 0, 0, 255}
)

// wantFlat checks that every pixel on the display has the color c. If `triangle` is true, the warning triangle must cover the bottom
// right corner.
func wantFlat(t *testing.T, d *display, c color.RGBA, triangle bool) {
	t.Helper()
	want := flat(smallScreen, c)
	if triangle {
		warn := newTriangle(smallScreen, BottomRight)
		draw.Draw(want, warn.at, warn.sprite, image.Point{}, draw.Over)
	}
	got, _ := d.picture()
	if got == nil {
		t.Error("nothing is shown")
		return
	}
	for i := range got.Pix {
		if far(got.Pix[i], want.Pix[i]) > 2 {
			p := image.Pt(i/4%smallScreen.X, i/4/smallScreen.X)
			t.Errorf("pixel %v: got %v, want %v (with a triangle: %v)", p, got.RGBAAt(p.X, p.Y), want.RGBAAt(p.X, p.Y), triangle)
			return
		}
	}
}

// shows() makes the service publish a frame of one color.
func (w *wall) shows(etag string, c color.RGBA) {
	file := encode(w.t, "png", flat(smallScreen, c))
	w.set(func() { w.frame = picture(etag, "png", file) })
}

func TestFollow(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		asked := wantAsked(t, w, "prefix/frame prefix/events")
		for _, r := range asked {
			if got := r.URL.RawQuery; got != "width=160&height=120" {
				t.Errorf("got query %q", got)
			}
			if got := r.Header.Get("Authorization"); got != "Bearer secret" {
				t.Errorf("got Authorization %q", got)
			}
			if got := r.Host; got != "wall.test" {
				t.Errorf("got host %q", got)
			}
		}
		wantState(t, c, Connected)
		wantFlat(t, d, red, false)

		w.hub <- eventText // announces the frame that the client already shows
		pass(0)
		if got := wantAsked(t, w, "prefix/frame")[0].Header; got.Get("If-None-Match") != `"a-160x120"` || got.Get("A-Im") != "tiles" {
			t.Errorf("got header %v", got)
		}
		_, frames := d.picture()
		w.shows(`"b-160x120"`, blue)
		w.hub <- eventText
		pass(0)
		wantAsked(t, w, "prefix/frame")
		wantFlat(t, d, blue, false)
		if _, got := d.picture(); got != frames+1 {
			t.Errorf("got %d frames drawn for a 304 and a new frame, want 1", got-frames)
		}

		for range 6 { // only pings keep the connection open
			pass(20 * time.Second)
			w.hub <- pingText
		}
		pass(0)
		wantAsked(t, w, "")
		wantState(t, c, Connected)
		if got := c.Stats(); got.Frames != 2 || got.Skipped != 0 || got.Bytes == 0 {
			t.Errorf("got %+v", got)
		}
	}, func(w *wall, o *Options) {
		o.URL, o.Token = "http://wall.test/prefix/", "secret"
		w.shows(`"a-160x120"`, red)
	})
}

// TestFormats: every format is shown, whether the frame has the screen's size or another size.
func TestFormats(t *testing.T) {
	for _, kind := range []string{"jpeg", "png", "bmp"} {
		for _, size := range []image.Point{smallScreen, {320, 200}, {40, 30}} {
			t.Run(fmt.Sprint(kind, size), func(t *testing.T) {
				story(t, func(w *wall, c *Client, d *display) {
					wantFlat(t, d, red, false)
					w.requests()
					w.hub <- eventText
					pass(0)
					tiles := wantAsked(t, w, "frame")[0].Header.Get("A-Im")
					if (tiles != "") != (size == smallScreen) {
						t.Errorf("got A-IM %q after a frame of %v", tiles, size)
					}
				}, func(w *wall, o *Options) {
					w.frame = picture(`"x"`, "jpeg", encode(t, kind, flat(size, red))) // the content type may be wrong
				})
			})
		}
	}
}

// TestNoFrameYet: if the service has no frame yet, the screen shows a message about this problem at once.
func TestNoFrameYet(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		wantAsked(t, w, "frame events")
		wantState(t, c, Connected)
		o := testOptions(smallScreen)
		want := newScreen(&o, newFrame(smallScreen))
		want.unpainted = true
		want.update(time.Now(), Stale)
		want.paint()
		if got, _ := d.picture(); want.never.opts.Message != "The wall has no picture yet" || !bytes.Equal(got.Pix, want.picture().Pix) {
			t.Errorf("got another picture than the reason %q", want.never.opts.Message)
		}
		w.shows(`"a"`, red)
		w.hub <- eventText
		pass(0)
		wantFlat(t, d, red, false)
	}, func(*wall, *Options) {})
}

func TestNobodyAnswers(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		// The state is Down at once, and the screen shows which address failed and why. Later, the state becomes Stale.
		wantState(t, c, Down)
		wantCard(t, d, newFrame(smallScreen), Stale, "no program listens at this port")
		pass(30*time.Second - 1)
		wantState(t, c, Down)
		pass(1)
		wantState(t, c, Stale)
		wantCard(t, d, newFrame(smallScreen), Stale, "no program listens at this port")
		asked := w.requests()
		for i := 1; i < len(asked); i++ {
			if got := asked[i].at.Sub(asked[i-1].at); got < 2*time.Second || got > 2200*time.Millisecond {
				t.Errorf("try %d: got a wait of %v, want 2 s and at most a tenth more", i, got)
			}
		}
		w.shows(`"a"`, red)
		w.set(func() { w.gone = false })
		pass(2200 * time.Millisecond)
		wantState(t, c, Connected)
		wantFlat(t, d, red, false)
	}, func(w *wall, o *Options) { w.gone = true })
}

func TestLost(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		pass(time.Hour / 3600)
		w.set(func() { w.gone = true })
		w.hub <- ""
		pass(30*time.Second - 1)
		wantState(t, c, Down)
		wantFlat(t, d, red, false)
		pass(1)
		wantFlat(t, d, red, true)
		_, frames := d.picture()
		pass(10 * time.Minute)
		if _, got := d.picture(); got != frames {
			t.Errorf("got %d frames drawn while nothing changes, want 0", got-frames)
		}
		w.set(func() { w.gone = false })
		pass(3 * time.Second)
		wantFlat(t, d, red, false) // the service has answered 304, because the frame is the same
		if got := newTriangle(smallScreen, BottomRight).at; len(d.last) != 1 || d.last[0] != got {
			t.Errorf("got damage %v for the triangle to go, want %v", d.last, got)
		}
		if got := c.Stats().Frames; got != 1 {
			t.Errorf("got %d frames, want 1", got)
		}
	}, func(w *wall, o *Options) { w.shows(`"a"`, red) })
}

// TestTiles: if tiles cannot be used, the whole frame is fetched at once.
func TestTiles(t *testing.T) {
	good := encode(t, "png", flat(smallScreen, blue))
	for name, c := range map[string]struct{ base, body string }{
		"broken":                {`"a"`, "DTL1 nonsense"},
		"for another frame":     {`"z"`, "DTL1\x00\xa0\x00\x78\x00\x00\x00\x00"},
		"for a screen of 1x120": {`"a"`, "DTL1\x00\x01\x00\x78\x00\x00\x00\x00"},
		"empty":                 {`"a"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			story(t, func(w *wall, cl *Client, d *display) {
				w.requests()
				w.set(func() {
					w.frame = func(conn net.Conn, r *http.Request) {
						if r.Header.Get("A-IM") == "" {
							picture(`"b"`, "png", good)(conn, r)
							return
						}
						say("226 IM Used", "IM: tiles\r\nETag: \"b\"\r\nDelta-Base: "+c.base, c.body)(conn, r)
					}
				})
				w.hub <- eventText
				pass(0)
				wantAsked(t, w, "frame frame")
				wantFlat(t, d, blue, false)
				if got := cl.Stats(); got.Skipped != 1 || got.Tiles != 0 || got.Frames != 2 {
					t.Errorf("got %+v", got)
				}
			}, func(w *wall, o *Options) { w.shows(`"a"`, red) })
		})
	}
}

// TestTilesUnasked: if the service sends tiles that were not requested, the client waits before the next request.
func TestTilesUnasked(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		wantAsked(t, w, "frame frame events")
		pass(2 * time.Second)
		wantAsked(t, w, "frame frame")
		wantFlat(t, d, black, false)
	}, func(w *wall, o *Options) {
		w.frame = say("226 IM Used", "ETag: \"b\"", "DTL1\x00\xa0\x00\x78\x00\x00\x00\x00")
	})
}

func TestOffline(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		pass(30 * time.Second)
		clock := func() *image.RGBA {
			t.Helper()
			got, _ := d.picture()
			o := c.opts
			f := newFrame(smallScreen)
			s := newScreen(&o, f)
			s.failure = "no program listens at this port"
			s.update(time.Now(), Stale)
			s.paint()
			if !bytes.Equal(got.Pix, s.picture().Pix) {
				t.Errorf("%v: the clock is wrong", time.Now())
			}
			return got
		}
		first := clock()
		pass(30 * time.Second)
		if bytes.Equal(first.Pix, clock().Pix) {
			t.Error("the clock stands still")
		}
		var px int
		for _, r := range d.last {
			px += r.Dx() * r.Dy()
		}
		if px > smallScreen.X*smallScreen.Y/2 {
			t.Errorf("got damage %v for a minute, want the text only", d.last)
		}
		_, frames := d.picture()
		pass(10 * time.Minute)
		clock()
		if _, got := d.picture(); got != frames+10 {
			t.Errorf("got %d frames in 10 minutes, want 10", got-frames)
		}
		w.shows(`"a"`, red)
		w.set(func() { w.gone = false })
		pass(3 * time.Second)
		wantFlat(t, d, red, false)
	}, func(w *wall, o *Options) {
		w.gone = true
		o.Offline = defaultOffline()
	})
}

func TestDisplayGone(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		w.shows(`"a"`, red)
		w.hub <- eventText
		pass(0)
		wantFlat(t, d, red, false)
		d.mu.Lock()
		d.fail = true
		d.mu.Unlock()
		w.shows(`"b"`, blue)
		w.hub <- eventText
		pass(5 * time.Second)
		wantFlat(t, d, red, false)
		failed := c.Stats().Failed
		if failed < 5 || failed > 7 {
			t.Errorf("got %d tries in 5 s, want one a second", failed)
		}
		d.mu.Lock()
		d.fail, d.shown = false, nil
		d.mu.Unlock()
		c.Invalidate()
		pass(0)
		wantFlat(t, d, blue, false)
	}, func(w *wall, o *Options) {})
}

func TestHeartbeat(t *testing.T) {
	var passes atomic.Int64
	story(t, func(w *wall, c *Client, d *display) {
		w.hub <- pingText
		pass(0)
		start := passes.Load()
		for range 10 {
			pass(20 * time.Second)
			w.hub <- pingText
		}
		pass(0)
		if got := passes.Load() - start; got < 20 || got > 22 {
			t.Errorf("got %d passes in 200 s, want one every 10 s", got)
		}
	}, func(w *wall, o *Options) {
		o.Heartbeat = 10 * time.Second
		o.Passed = func(time.Time) { passes.Add(1) }
	})
}

func TestLatency(t *testing.T) {
	story(t, func(w *wall, c *Client, d *display) {
		w.hub <- pingText // blocks for 1 s, until the client has fetched the first frame
		pass(250 * time.Millisecond)
		want := []figure{{"download", time.Second}, {"display", 0}, {"total", 750 * time.Millisecond}}
		pass(2 * time.Second)
		checkFigures(t, c, want)
		w.set(func() {
			w.frame = slowly(time.Second, picture(`"b"`, "png", encode(t, "png", flat(smallScreen, blue))))
		})
		w.hub <- eventText
		pass(2 * time.Second)
		notice := 3 * time.Second // the frame is published at 0.25 s, and the client notices it at 3.25 s
		checkFigures(t, c, []figure{{"notice", notice}, {"download", time.Second}, {"display", 0}, {"total", notice + time.Second}})
		w.hub <- eventText // the service answers 304, so nothing changes
		pass(2 * time.Second)
		checkFigures(t, c, []figure{{"notice", notice}, {"download", time.Second}, {"display", 0}, {"total", notice + time.Second}})
		if got, _ := d.picture(); got.RGBAAt(10, 10) == blue {
			t.Error("there is no panel")
		}
	}, func(w *wall, o *Options) {
		o.Latency = true
		w.frame = slowly(time.Second, picture(`"a"`, "png", encode(t, "png", flat(smallScreen, red))))
	})
}

func checkFigures(t *testing.T, c *Client, want []figure) {
	t.Helper()
	c.frame.mu.Lock()
	defer c.frame.mu.Unlock()
	if got := fmt.Sprint(c.frame.latency.figures(nil)); got != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
