//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"dashboard/client"
	"dashboard/fb"
	"dashboard/internal/testing/testpic"
)

// The size of the screen of row 13 of docs/benchmarks.md, in px.
const screenW, screenH = 1366, 768

// The number of frames of row 13 of docs/benchmarks.md, and its bounds.
const (
	remoteFrames = 200
	remoteStays  = 150 * time.Millisecond
	mostRemote   = 10 * time.Millisecond
	mostShare    = 0.05 // maximum number of bytes, as a share of the bytes of a full frame
)

// remoteScreen measures row 13: how soon a remote screen shows a change. The service is a separate process, and the
// screen is part of this process.
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
	w, err := watch(l.ctx, s)
	if err != nil {
		return err
	}
	defer w.stop()
	before := w.client.Stats()
	took, err := w.see(s)
	if err != nil {
		return err
	}
	l.table.percentiles(13, fmt.Sprintf("a text of 2 %% of the picture: published until on the framebuffer of a remote screen, %dx%d of 1080p", screenW, screenH), took, mostRemote)
	after := w.client.Stats()
	mean := float64(after.Bytes-before.Bytes) / float64(after.Frames-before.Frames)
	l.table.limit(13, fmt.Sprintf("bytes of such a change (%.0f) beside the full frame's %d", mean, len(whole)), "%.3fx", mean/float64(len(whole)), mostShare)
	return nil
}

// A watcher is a remote screen that records when its framebuffer changes. Its listener provides the time at which each change was
// published.
type watcher struct {
	client   *client.Client
	screen   *fb.Display
	listener *listener
	cancel   context.CancelFunc
	ended    chan struct{}
	shown    chan time.Time
}

func watch(ctx context.Context, s *service) (w *watcher, err error) {
	w = &watcher{screen: screen(screenW, screenH, fb.RGB565, fb.Options{}), ended: make(chan struct{}), shown: make(chan time.Time, unread)}
	w.client, err = client.New(client.Options{URL: s.url, Size: image.Pt(screenW, screenH), ReconnectDelay: time.Second, StaleAfter: time.Minute, Display: w})
	if err != nil {
		return nil, err
	}
	if w.listener, err = s.listen(); err != nil {
		return nil, err
	}
	ctx, w.cancel = context.WithCancel(ctx)
	go func() { defer close(w.ended); w.client.Run(ctx) }()
	time.Sleep(time.Second) // time for the first frames
	settle(w.listener)
	for len(w.shown) > 0 {
		<-w.shown
	}
	if w.client.Stats().Frames == 0 {
		w.stop()
		return nil, errors.New("the remote screen shows nothing")
	}
	return w, nil
}

func (w *watcher) stop() { w.cancel(); <-w.ended; w.listener.conn.Close() }

// see changes the wall repeatedly with a notification. It returns for each change how long it took until the screen showed it.
func (w *watcher) see(s *service) (took []time.Duration, err error) {
	for i := range remoteFrames {
		if i%2 == 0 {
			if err := s.note(fmt.Sprintf("12:34:%02d", i%50), remoteStays); err != nil { // the text differs from the text of the wall itself
				return nil, err
			}
		}
		select {
		case at := <-w.shown:
			e, err := w.listener.latest()
			if err != nil {
				return nil, err
			}
			took = append(took, at.Sub(e.published))
		case <-time.After(eventTime):
			return nil, fmt.Errorf("the remote screen does not show change %d", i)
		}
	}
	return took, nil
}

// DrawFrame implements client.Display.
func (w *watcher) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	err := w.screen.DrawFrame(src, damage)
	select {
	case w.shown <- time.Now():
	default:
	}
	return err
}
