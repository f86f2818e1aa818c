package main

import (
	"context"
	"image"
	"log/slog"
	"reflect"
	"sync"

	"dashboard/config"
	"dashboard/netstream"
	"dashboard/output"

	"periph.io/x/conn/v3/display"
)

// outputs are the displays of the configuration, each with the goroutines it needs.
type outputs struct {
	log    *slog.Logger
	stream *netstream.Stream // lives as long as the view, so that a reload keeps its clients

	mu      sync.Mutex // guards what follows; held while a frame is handed over, which waits for nobody
	members []*member
	multi   *output.Multi
}

// A member is one output of the configuration.
type member struct {
	display.Drawer
	conf  config.Output
	size  image.Point
	stats func() output.Stats
	state func() any // more that /healthz tells of it; may be nil
	end   context.CancelFunc
	done  sync.WaitGroup
}

func newOutputs(log *slog.Logger, stream *netstream.Stream) *outputs {
	return &outputs{log: log, stream: stream, multi: output.NewMulti(log)}
}

// show gives a frame to every display.
func (o *outputs) show(frame *image.RGBA, damage []image.Rectangle) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.multi.DrawFrame(frame, damage) // what failed is in its members' stats
}

// checkOutputs reports what is wrong with outputs, before any of them is opened.
func checkOutputs(list []config.Output, size image.Point, r *config.Report) {
	for _, c := range list {
		if err := validOutput(c, size); err != nil {
			r.Errorf(c.Node, "%v", err)
		}
	}
}

// apply makes the outputs those of a scene: what did not change goes on untouched. It reports whether any
// display is new and waits for a whole frame.
func (o *outputs) apply(s *scene) (fresh bool) {
	old := o.list()
	var next []*member
	for _, c := range s.outputs {
		m := take(&old, c, s.size)
		if m == nil {
			closeSame(&old, c) // a device is closed before it is opened again
			m, fresh = o.open(c, s.size), true
		}
		if m != nil {
			next = append(next, m)
		}
	}
	o.set(next)
	closeAll(old)
	return fresh
}

func (o *outputs) list() []*member {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.members
}

func (o *outputs) set(next []*member) {
	displays := make([]display.Drawer, len(next))
	for i, m := range next {
		displays[i] = m.Drawer
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.members, o.multi = next, output.NewMulti(o.log, displays...)
}

// take removes and returns the member with this definition, nil if there is none.
func take(old *[]*member, c config.Output, size image.Point) *member {
	for i, m := range *old {
		if m.size == size && sameOutput(m.conf, c) {
			rest := append([]*member{}, (*old)[:i]...)
			*old = append(rest, (*old)[i+1:]...)
			return m
		}
	}
	return nil
}

// closeSame closes and removes the first member of the same type.
func closeSame(old *[]*member, c config.Output) {
	for i, m := range *old {
		if m.conf.Type == c.Type {
			rest := append([]*member{}, (*old)[:i]...)
			*old = append(rest, (*old)[i+1:]...)
			m.close()
			return
		}
	}
}

// sameOutput compares two definitions but for where they stand in the file.
func sameOutput(a, b config.Output) bool {
	a.Node, b.Node = nil, nil
	return reflect.DeepEqual(a, b)
}

// close ends every output and gives the console back.
func (o *outputs) close() { closeAll(o.list()) }

func closeAll(members []*member) {
	var wg sync.WaitGroup
	for _, m := range members {
		wg.Go(m.close)
	}
	wg.Wait()
}

// close ends the goroutines of a member, then its display.
func (m *member) close() {
	m.end()
	m.done.Wait()
	_ = m.Halt() // nothing is left to be done about it
}
