//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"sync"
	"time"

	"dashboard/client"
	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/internal/testpic"
)

// The screen of row 13, px.
const screenW, screenH = 1366, 768

// Row 13: so many frames, and its bounds.
const (
	remoteFrames = 200
	remoteStays  = 150 * time.Millisecond
	mostRemote   = 10 * time.Millisecond
	mostShare    = 0.05 // of the full frame
)

// remoteScreen is row 13: service and screen are two programs, the screen's being this one.
func remoteScreen(l *lab) error {
	wall, err := pictureWall(l, dashboard, testpic.Dashboard(width, height))
	if err != nil {
		return err
	}
	s, err := l.launch(wall)
	if err != nil {
		return err
	}
	defer s.stop()
	whole, err := s.get(fmt.Sprintf("/frame?width=%d&height=%d", screenW, screenH))
	if err != nil {
		return err
	}
	w, err := watch(l.ctx, s.url)
	if err != nil {
		return err
	}
	defer w.stop()
	if err := w.see(s); err != nil {
		return err
	}
	l.table.limit(13, fmt.Sprintf("a text of 2 %% of the picture: published until on the framebuffer of a remote screen, %dx%d of 1080p, p99 of %d", screenW, screenH, len(w.took)), "%.1f ms",
		milliseconds(quantile(w.took, percent99)), milliseconds(mostRemote))
	l.table.figure(13, "the same, median", "%.1f ms", milliseconds(quantile(w.took, percentHalf)))
	mean := float64(w.bytes) / float64(w.frames)
	l.table.limit(13, fmt.Sprintf("bytes of such a change (%.0f) beside the full frame's %d", mean, len(whole)), "%.3fx", mean/float64(len(whole)), mostShare)
	return nil
}

// A watcher is a remote screen that notes how old frames are when they are on its framebuffer.
type watcher struct {
	client *client.Client
	screen *fb.Display
	cancel context.CancelFunc
	ended  chan struct{}
	aged   chan time.Duration // of the frame that was shown

	// Log and display tell of a frame in either order; there is one at a time.
	mu               sync.Mutex
	published, shown time.Time // of the frame under way; zero: not known yet
	took             []time.Duration
	frames, bytes    int64 // after the first frame
}

func watch(ctx context.Context, url string) (*watcher, error) {
	w := &watcher{ended: make(chan struct{}), aged: make(chan time.Duration, unread)}
	var err error
	g := fb.Geometry{Width: screenW, Height: screenH, Format: fb.RGB565}
	if w.screen, err = fb.New(fbtest.NewMemory(g), fb.Options{TTY: fb.NoTTY}); err != nil {
		return nil, err
	}
	w.client, err = client.New(client.Options{
		URL: url, Size: image.Pt(screenW, screenH), ReconnectDelay: time.Second, StaleAfter: time.Minute, Display: w, Log: slog.New(w),
	})
	if err != nil {
		return nil, err
	}
	ctx, w.cancel = context.WithCancel(ctx)
	go func() { defer close(w.ended); w.client.Run(ctx) }()
	time.Sleep(time.Second) // the first frames
	w.forget()
	if w.client.Stats().Frames == 0 {
		w.stop()
		return nil, errors.New("the remote screen shows nothing")
	}
	w.frames, w.bytes = 0, 0
	return w, nil
}

func (w *watcher) stop() { w.cancel(); <-w.ended }

// see changes the wall again and again: a text comes and goes.
func (w *watcher) see(s *service) error {
	for i := range remoteFrames {
		if i%2 == 0 {
			if err := s.note(fmt.Sprintf("12:34:%02d", i%50), remoteStays); err != nil { // never the text of the wall
				return err
			}
		}
		select {
		case age := <-w.aged:
			w.took = append(w.took, age)
		case <-time.After(eventTime):
			return fmt.Errorf("the remote screen does not show change %d", i)
		}
	}
	return nil
}

// forget begins anew with the next frame.
func (w *watcher) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.published, w.shown = time.Time{}, time.Time{}
	for len(w.aged) > 0 {
		<-w.aged
	}
}

// bothLocked ends a frame of which both times are known.
func (w *watcher) bothLocked() {
	if w.published.IsZero() || w.shown.IsZero() {
		return
	}
	select {
	case w.aged <- w.shown.Sub(w.published):
	default:
	}
	w.published, w.shown = time.Time{}, time.Time{}
}

// DrawFrame implements client.Display.
func (w *watcher) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	err := w.screen.DrawFrame(src, damage)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown = time.Now()
	w.bothLocked()
	return err
}

// Enabled implements slog.Handler: the log says how old frames are and how long.
func (w *watcher) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (w *watcher) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "frame" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.frames++
	r.Attrs(func(a slog.Attr) bool {
		switch v := a.Value.Resolve(); a.Key {
		case "bytes":
			w.bytes += v.Int64()
		case "latency_ms":
			for _, f := range v.Group() {
				if f.Key == "total" {
					w.published = r.Time.Add(-time.Duration(f.Value.Float64() * float64(time.Millisecond)))
				}
			}
		}
		return true
	})
	w.bothLocked()
	return nil
}

// WithAttrs implements slog.Handler.
func (w *watcher) WithAttrs([]slog.Attr) slog.Handler { return w }

// WithGroup implements slog.Handler.
func (w *watcher) WithGroup(string) slog.Handler { return w }
