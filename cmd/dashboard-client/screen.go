package main

import (
	"context"
	"image"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"

	"dashboard/client"
	"dashboard/config"
	"dashboard/fb"
)

// A screen is the framebuffer, kept open for one client after the other.
type screen struct {
	*fb.Keeper
	output config.WindowOutput
	size   image.Point // of the frames, px
	log    *slog.Logger

	shows   atomic.Pointer[client.Client] // who draws
	changed chan struct{}                 // capacity 1: the device came or went
	end     context.CancelFunc
	done    sync.WaitGroup
}

// openScreen leases the console and opens the device. If there is none yet, it is waited for.
func openScreen(s *settings, log *slog.Logger) (*screen, error) {
	sc := &screen{output: s.output, size: s.client.Size, log: log, changed: make(chan struct{}, 1)}
	opts := s.window
	opts.OnRepaint, opts.Log = sc.repaint, log
	if opts.Connector != nil {
		c := *opts.Connector // the settings stay as they are
		c.Log, opts.Connector = log, &c
	}
	var err error
	if sc.Keeper, err = fb.NewKeeper(opts); err != nil {
		return nil, err
	}
	var ctx context.Context
	ctx, sc.end = context.WithCancel(context.Background())
	sc.done.Go(func() { _ = sc.Run(ctx) }) // its error is that of Halt: nothing is left to be done about it
	sc.done.Go(func() { sc.tell(ctx) })
	return sc, nil
}

// fits reports whether the screen is what settings ask for.
func (sc *screen) fits(s *settings) bool {
	return sc.size == s.client.Size && reflect.DeepEqual(sc.output, s.output)
}

// repaint has everything drawn again. It does not wait: the console calls it.
func (sc *screen) repaint() {
	if c := sc.shows.Load(); c != nil {
		c.Invalidate()
	}
	select {
	case sc.changed <- struct{}{}:
	default:
	}
}

// tell logs what the console lacks, now and whenever that is something else.
func (sc *screen) tell(ctx context.Context) {
	var told fb.State
	for {
		st := sc.State()
		if st.Console != nil && told.Console == nil {
			sc.log.Warn("the console is not kept off the screen", "error", st.Console)
		}
		told = st
		select {
		case <-ctx.Done():
			return
		case <-sc.changed:
		}
	}
}

// close gives the console back.
func (sc *screen) close() {
	sc.end()
	sc.done.Wait()
}
