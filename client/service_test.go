package client

import (
	"bytes"
	"context"
	"image"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
	"dashboard/netstream"
	"dashboard/server"

	"log/slog"

	"go.uber.org/goleak"
)

// A service is the real service with frames of package testpic.
type service struct {
	stream *netstream.Stream
	web    *server.Server
	http   *httptest.Server
	frame  *image.RGBA
}

func newService(t testing.TB, size image.Point, format string) *service {
	s := &service{stream: netstream.New(time.Now), frame: testpic.Dashboard(size.X, size.Y)}
	s.stream.Configure(netstream.Options{Format: format})
	s.web = server.New(server.Deps{Streams: func(string) *netstream.Stream { return s.stream }}, slog.New(slog.DiscardHandler))
	token := "secret"
	s.web.Configure(server.Settings{StreamOn: true, StreamToken: &token})
	s.http = httptest.NewServer(s.web.Handler())
	t.Cleanup(s.close)
	return s
}

func (s *service) close() {
	s.web.Close()
	s.http.CloseClientConnections()
	s.http.Close()
}

func (s *service) publish(t testing.TB, damage ...image.Rectangle) {
	t.Helper()
	if err := s.stream.DrawFrame(s.frame, damage); err != nil {
		t.Fatal(err)
	}
}

// tick() publishes a frame whose clock shows another second.
func (s *service) tick(t testing.TB, second int) {
	testpic.Tick(s.frame, second)
	s.publish(t, testpic.Clock(s.frame.Rect.Dx(), s.frame.Rect.Dy()))
}

// want() returns the picture that a screen should show for the newest frame.
func (s *service) want(t testing.TB, size image.Point) *image.RGBA {
	t.Helper()
	r, err := s.stream.Get(t.Context(), netstream.Request{W: size.X, H: size.Y})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var file bytes.Buffer
	if _, err := r.Body.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	img, err := decode(file.Bytes(), size)
	if err != nil {
		t.Fatal(err)
	}
	f := newFrame(size)
	f.setWhole(img)
	return f.pix
}

// attach starts a client. It returns a function that ends the client.
func (s *service) attach(t testing.TB, size image.Point, d *display) (*Client, func()) {
	t.Helper()
	o := testOptions(size)
	o.URL, o.Token, o.Display = s.http.URL, "secret", d
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { c.Run(ctx) })
	end := sync.OnceFunc(func() {
		cancel()
		done.Wait()
	})
	t.Cleanup(end)
	return c, end
}

// until() waits until done() returns true. It calls done() at once and after each drawing.
func until(t testing.TB, d *display, what string, done func() bool) {
	t.Helper()
	limit := time.NewTimer(programtest.Patience)
	defer limit.Stop()
	for !done() {
		select {
		case <-d.drawn:
		case <-limit.C:
			t.Fatalf("%s: not within %v", what, programtest.Patience)
		}
	}
}

// TestService follows the real service: every tick arrives as tiles, and the picture equals the whole frame.
func TestService(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	for _, format := range []string{"jpeg", "png", "bmp"} {
		t.Run(format, func(t *testing.T) {
			size, render := image.Pt(640, 360), image.Pt(800, 450)
			if race.Enabled { // with a quarter of the pixels, the race detector finds the same races
				size, render = size.Div(2), render.Div(2)
			}
			s := newService(t, render, format)
			s.publish(t, s.frame.Rect)
			d := &display{drawn: make(chan struct{}, 1)}
			c, end := s.attach(t, size, d)
			same := func() bool {
				got, _ := d.picture()
				return got != nil && bytes.Equal(got.Pix, s.want(t, size).Pix)
			}
			until(t, d, "first frame", same)
			first := c.Stats().Bytes
			const ticks = 8
			for i := range ticks {
				s.tick(t, i)
				until(t, d, "tick", same)
			}
			got := c.Stats()
			if got.Skipped != 0 || got.Failed != 0 || got.State != Connected {
				t.Errorf("got %+v", got)
			}
			if format == "jpeg" {
				if got.Tiles != ticks {
					t.Errorf("got %d frames as tiles, want %d", got.Tiles, ticks)
				}
				if each := (got.Bytes - first) / ticks; each*10 > first && !race.Enabled { // a tile is a larger part of a small picture
					t.Errorf("got %d bytes for a tick, want less than a tenth of the %d of the frame", each, first)
				}
			}
			end()
			s.close()
		})
	}
	if err := programtest.Leaks(leaks); err != nil {
		t.Error(err)
	}
}

// TestServiceRestart: a client connects again to a service that restarts with another frame.
func TestServiceRestart(t *testing.T) {
	size := image.Pt(320, 180)
	s := newService(t, size, "jpeg")
	s.publish(t, s.frame.Rect)
	d := &display{drawn: make(chan struct{}, 1)}
	o := testOptions(size)
	o.URL, o.Token, o.Display, o.ReconnectDelay = s.http.URL, "secret", d, 10*time.Millisecond
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { c.Run(ctx) })
	defer done.Wait()
	defer cancel()
	same := func() bool {
		got, _ := d.picture()
		return got != nil && bytes.Equal(got.Pix, s.want(t, size).Pix)
	}
	until(t, d, "first frame", same)
	s.http.CloseClientConnections()
	_ = s.stream.Halt() // ends every stream, as a restart does
	s.tick(t, 1)
	until(t, d, "the frame after", same)
}

// BenchmarkTick measures a tick of a clock from end to end over the loopback. A service publishes a frame of 1920x1080, and a client of
// 1366x768 shows the frame.
func BenchmarkTick(b *testing.B) {
	size := image.Pt(1366, 768)
	s := newService(b, image.Pt(1920, 1080), "jpeg")
	s.publish(b, s.frame.Rect)
	d := &display{drawn: make(chan struct{}, 1)}
	c, _ := s.attach(b, size, d)
	until(b, d, "first frame", func() bool { return c.Stats().Shown > 1 })
	first := c.Stats()
	times := make([]time.Duration, 0, 4096)
	i := 0
	for b.Loop() {
		i++
		began := time.Now()
		shown := c.Stats().Shown
		s.tick(b, i)
		until(b, d, "tick", func() bool { return c.Stats().Shown > shown })
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	last := c.Stats()
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(last.Bytes-first.Bytes)/float64(last.Frames-first.Frames), "bytes/tick")
	b.ReportMetric(float64(first.Bytes), "bytes/frame")
}

// fetchTile requests the changes since the frame before the latest tick. It returns the body of the answer.
func (s *service) fetchTile(t testing.TB, size image.Point) []byte {
	t.Helper()
	ask := func(r netstream.Request) (etag string, body []byte) {
		r.W, r.H = size.X, size.Y
		resp, err := s.stream.Get(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var b bytes.Buffer
		if _, err := resp.Body.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		return resp.ETag, b.Bytes()
	}
	etag, _ := ask(netstream.Request{})
	s.tick(t, 1)
	_, body := ask(netstream.Request{IfNoneMatch: etag, Delta: true})
	return body
}

// TestTickMemory bounds the memory that a tick allocates. Only the decoder of the standard library allocates, for tables and pixels.
func TestTickMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	size := image.Pt(1366, 768)
	for format, c := range map[string]struct {
		allocs float64
		bytes  uint64
	}{
		"jpeg": {60, 150e3},  // measured: 45 allocations and 103 kB. Most of the memory is for pixels, 2 % of the screen
		"png":  {100, 800e3}, // measured: 81 allocations and 593 kB, because parts of a PNG are as wide as the screen
	} {
		t.Run(format, func(t *testing.T) {
			s := newService(t, image.Pt(1920, 1080), format)
			s.publish(t, s.frame.Rect)
			body := s.fetchTile(t, size)
			f := newFrame(size)
			apply := func() {
				if err := f.setTiles(body); err != nil {
					t.Fatal(err)
				}
				f.fresh.Reset()
			}
			if n := testing.AllocsPerRun(10, apply); n > c.allocs {
				t.Errorf("got %v allocations, want at most %v", n, c.allocs)
			}
			const runs = 10
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range runs {
				apply()
			}
			runtime.ReadMemStats(&after)
			if n := (after.TotalAlloc - before.TotalAlloc) / runs; n > c.bytes {
				t.Errorf("got %d bytes, want at most %d", n, c.bytes)
			}
		})
	}
}
