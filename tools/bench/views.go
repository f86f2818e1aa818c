//go:build linux

package main

import (
	"context"
	"fmt"
	"image"
	"strings"
	"sync"
	"time"

	"dashboard/client"
	"dashboard/fb"
	"dashboard/internal/testing/testpic"
)

// Numbers and bounds for rows 12 and 13 of docs/benchmarks.md, measured again with many views and screens.
const (
	manyViews   = 16 // number of views, including main
	manyScreens = 100
	manyNotes   = 400
	mostMany    = 3 * time.Millisecond
	viewW       = 800 // width in px of the other views, and of all screens except the measured screen
	viewH       = 480
	gatherTime  = 10 * time.Second
)

// fullHouse measures rows 12 and 13 with many views, and with many screens that are distributed evenly over the
// views. All screens run in this process.
func fullHouse(l *lab) error {
	wall, err := pictureWall(l, dashboard, testpic.Dashboard(width, height))
	if err != nil {
		return err
	}
	s, err := l.launchFiles(map[string]string{"conf.yaml": wallConf + viewsConf(), "widgets.yaml": wall, "view.yaml": wallWidgets})
	if err != nil {
		return err
	}
	defer s.stop()
	leave, err := s.gather(l.ctx)
	if err != nil {
		return err
	}
	defer leave()
	took, err := s.noted(manyNotes)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("%d views, %d screens: ", manyViews, manyScreens)
	l.table.percentiles(12, what+"POST /notify to its event", took, mostMany)
	w, err := watch(l.ctx, s)
	if err != nil {
		return err
	}
	defer w.stop()
	if took, err = w.see(s); err != nil {
		return err
	}
	l.table.percentiles(13, what+"a change until on the framebuffer of one", took, mostMany)
	return nil
}

// viewsConf returns the part of a conf.yaml with the views.
func viewsConf() string {
	var b strings.Builder
	b.WriteString("views:\n")
	for i := 1; i < manyViews; i++ {
		fmt.Fprintf(&b, "  v%d: {widgets: view.yaml, resolution: [%d, %d]}\n", i, viewW, viewH)
	}
	return b.String()
}

// gather connects remote screens to the views, and waits until each screen shows a picture. `leave` disconnects them.
func (s *service) gather(ctx context.Context) (leave func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	leave = func() { cancel(); wg.Wait() }
	var all []*client.Client
	for i := range manyScreens {
		c, err := s.screen(i % manyViews)
		if err != nil {
			leave()
			return nil, err
		}
		all = append(all, c)
		wg.Go(func() { c.Run(ctx) })
	}
	for end := time.Now().Add(gatherTime); ; time.Sleep(50 * time.Millisecond) {
		shown := 0
		for _, c := range all {
			if c.Stats().Frames > 0 {
				shown++
			}
		}
		switch {
		case shown == manyScreens:
			return leave, nil
		case time.Now().After(end):
			leave()
			return nil, fmt.Errorf("%d of %d screens show something", shown, manyScreens)
		}
	}
}

// screen returns a remote screen for a view. View 0 is main.
func (s *service) screen(view int) (*client.Client, error) {
	name := ""
	if view > 0 {
		name = fmt.Sprint("v", view)
	}
	return client.New(client.Options{
		URL: s.url, View: name, Size: image.Pt(viewW, viewH), ReconnectDelay: time.Second, StaleAfter: time.Minute,
		Display: screen(viewW, viewH, fb.RGB565, fb.Options{}),
	})
}
