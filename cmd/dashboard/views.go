package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/netstream"
	"dashboard/render"
	"dashboard/wall/fact"
)

const (
	// lingers is how long a view that nobody shows any more goes on being painted after it was asked for: remote screens
	// that ask from time to time find a frame.
	lingers = time.Minute
	// firstFrame bounds how long a request waits for the frame of a view that was not painted.
	firstFrame = 2 * time.Second
)

// all are the views, by name. The map is not to be changed.
func (s *service) all() map[string]*view { return *s.views.Load() }

// main is the view that every configuration has.
func (s *service) main() *view { return s.all()[config.MainView] }

// names lists the views, main first.
func (s *service) names() []string {
	return slices.SortedFunc(maps.Keys(s.all()), func(a, b string) int {
		return cmp.Or(cmp.Compare(fact.Truth(b == config.MainView), fact.Truth(a == config.MainView)), strings.Compare(a, b))
	})
}

// owners switch and dim the screens of the views.
func (s *service) owners() []*power.Owner {
	all := make([]*power.Owner, 0, len(s.all()))
	for _, v := range s.all() {
		all = append(all, v.power)
	}
	return all
}

// seatOf is where the trees of a view go: to the view, or to one that may come.
func (s *service) seatOf(name string) seat {
	if v := s.all()[name]; v != nil {
		return v.seat
	}
	return newSeat()
}

// add makes a new view one of the service, and returns it.
func (s *service) add(name string, at seat) *view {
	v := newView(viewParts{
		name: name, home: s.opts.home, agent: userAgent(), log: s.log, started: s.started, seat: at, devices: s.devices, store: s.store, note: s.note,
		resized: s.askResize, ask: s.ask, sound: s.heard, passed: s.passed, timeSet: s.builder.timeSet.Load, touchable: s.touchable,
	})
	all := maps.Clone(s.all())
	all[v.name] = v
	s.views.Store(&all)
	return v
}

// open makes the views that a generation has and the service has not.
func (s *service) open(g *generation) (fresh []*view) {
	for name := range g.scenes {
		if s.all()[name] == nil {
			fresh = append(fresh, s.add(name, g.seats[name]))
		}
	}
	return fresh
}

// shut ends the views that a generation no longer has.
func (s *service) shut(g *generation) {
	all := maps.Clone(s.all())
	var gone []*view
	for name, v := range all {
		if g.scenes[name] == nil {
			gone = append(gone, v)
			delete(all, name)
		}
	}
	s.views.Store(&all)
	for _, v := range gone {
		v.end()
		<-v.ended
		v.close()
		_ = v.stream.Halt() // which has no error to tell
	}
}

// launch runs a view until ctx ends, or the view is shut.
func (v *view) launch(ctx context.Context) {
	ctx, v.end = context.WithCancel(ctx)
	v.ended = make(chan struct{})
	go func() {
		defer close(v.ended)
		v.run(ctx)
	}()
}

// watched reports whether anybody sees the view: an output that is no stream, or a client. Notifications of main run out
// though nobody sees them.
func (v *view) watched() bool {
	if !v.power.On() {
		return v.elsewhere()
	}
	return v.outs.Shown() || v.wanted() || v.name == config.MainView && v.board.Runs()
}

// wanted reports whether a client listens for frames, or has asked for one within lingers.
func (v *view) wanted() bool {
	return v.stream.Watched() || time.Since(v.started)-time.Duration(v.asked.Load()) < lingers
}

// wantsPaint reports whether the pass that begins is to paint: for whoever watches, or because main owes a frame of a new tree.
// It belongs to the loop.
func (v *view) wantsPaint() bool {
	v.paints = v.power.On() && v.owes.Swap(false) || v.watched()
	if !v.paints {
		v.behind.Store(true)
	}
	return v.paints
}

// owe has main painted once, whoever watches.
func (v *view) owe() { v.owes.Store(v.name == config.MainView) }

// stream implements server.Deps.Stream: "" is the main view.
func (s *service) stream(name string) *netstream.Stream {
	if v := s.all()[cmp.Or(name, config.MainView)]; v != nil {
		return v.stream
	}
	return nil
}

// streams implements server.Deps.Streams: "" is the main view. Of a view that was not painted there is a frame of now when
// it returns, if that does not take too long.
func (s *service) streams(name string) *netstream.Stream {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil {
		return nil
	}
	v.look()
	return v.stream
}

// look notes that somebody asks for the view. One that was not painted is brought up to date, for firstFrame at most.
func (v *view) look() {
	v.asked.Store(int64(time.Since(v.started)))
	if !v.behind.Load() && len(v.catching) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), firstFrame)
	defer cancel()
	release, err := v.catching.acquire(ctx) // whoever has it waits for the same frame
	if err != nil {
		return
	}
	defer release()
	if v.behind.Load() {
		v.awaitFrame(ctx)
	}
}

// awaitFrame waits until the loop has painted what was not, and the stream has the frame.
func (v *view) awaitFrame(ctx context.Context) {
	published := v.stream.Subscribe()
	defer published.Close()
	select {
	case <-published.C(): // of what there is
	default:
	}
	before := v.loop.Stats().Frames
	for range 2 { // the second is done when the pass after the first has ended
		if v.loop.Do(ctx, func(*render.Renderer) {}) != nil {
			return // too late: there is the older frame, or none
		}
	}
	if v.loop.Stats().Frames == before {
		return // nothing has changed
	}
	select {
	case <-published.C():
	case <-ctx.Done():
	}
}
