package main

import (
	"context"
	"image"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/internal/state"
	"dashboard/netstream"
	"dashboard/output"
	"dashboard/output/panel"
	"dashboard/render/ink"
	"dashboard/wall/switches"
	"dashboard/wall/window"
)

// outputs are those of the configuration, each with the goroutines it needs.
type outputs struct {
	log    *slog.Logger
	stream *netstream.Stream // lives as long as the view, so that a reload keeps its clients

	keeper   func(fb.Options) (*fb.Keeper, error)     // of a window's screen; fb.NewKeeper outside tests
	cards    *fb.Cards                                // shared by all windows of the program
	board    func(*panel.Model) (*panel.Wires, error) // the pins of a panel; panel.OpenBoard outside tests
	view     string                                   // that they show
	store    func() *state.Store                      // for the next start
	dark     func() bool                              // screens that are opened are to be off
	notes    *notes                                   // drawn over windows; may be nil
	hardware switches.Hardware                        // what is asked by wires of its own
	again    func()                                   // a screen came: one that is to be off is switched once more
	repaint  func()                                   // a screen came for which no frame was kept; it must not wait
	resized  func()                                   // a screen has another size than the frames that follow it; it must not wait

	mu       sync.Mutex // guards what follows; held while a frame is handed over, which waits for nobody
	members  []*member
	backends []string // what screens may be switched by; nil is the usual order
	yield    bool     // a television that shows something else is left alone
	multi    *output.Multi
}

// A member is one output of the configuration.
type member struct {
	*output.Pacer
	conf   config.Output
	size   image.Point
	sizing sizing
	flip   bool
	screen window.Screen    // of a window; else nil
	window *switches.Window // the same
	state  func() any       // more that /healthz tells of it; may be nil
	end    context.CancelFunc
	done   sync.WaitGroup
}

func newOutputs(log *slog.Logger, stream *netstream.Stream) *outputs {
	return &outputs{log: log, stream: stream, keeper: fb.NewKeeper, cards: fb.NewCards(), board: panel.OpenBoard, store: func() *state.Store { return nil }, resized: func() {}, repaint: func() {}, again: func() {}, hardware: switches.ThisMachine(), dark: func() bool { return false }, multi: output.NewMulti(log)}
}

// show gives a frame to every output.
func (o *outputs) show(frame *image.RGBA, damage []image.Rectangle) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.multi.DrawFrame(frame, damage) // what failed is in its members' stats
}

// mark says what of the next frame is a photo.
func (o *outputs) mark(r *ink.Regions) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.multi.Mark(r)
}

// checkOutputs reports what is wrong with outputs, before any of them is opened.
func checkOutputs(list []config.Output, size image.Point, r *config.Report) {
	for _, c := range list {
		if err := validOutput(c, size); err != nil {
			switch {
			case c.Window != nil:
				r.Errorf(c.Node, "%v", err)
			case !toldWithin(r, c.Node): // the others go on without it
				r.Tolerate(c.Node, "%v", err)
			}
		}
	}
}

// toldWithin reports whether a mistake inside a node is in the report.
func toldWithin(r *config.Report, n *config.Node) bool {
	return slices.ContainsFunc(r.Diagnostics(), func(d config.Diagnostic) bool { return strings.HasPrefix(d.Path, n.Path()+".") })
}

// apply makes the outputs those of a scene: what did not change goes on untouched. It reports whether any
// output is new and waits for a whole frame.
func (o *outputs) apply(s *scene) (fresh bool) {
	defer o.cards.Keep()() // a window that follows another has its card
	old := o.list()
	var next []*member
	for _, c := range s.outputs {
		if c.TRMNL != nil {
			continue // its devices ask
		}
		m := take(&old, c, s)
		if m == nil {
			closeSame(&old, c) // a device is closed before it is opened again
			m, fresh = o.open(c, s), true
		}
		if m != nil {
			next = append(next, m)
		}
	}
	o.set(next)
	closeAll(old)
	return fresh
}

// shown reports whether any output but a stream shows the view.
func (o *outputs) shown() bool {
	return slices.ContainsFunc(o.list(), func(m *member) bool { return m.conf.Stream == nil })
}

func (o *outputs) list() []*member {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.members
}

func (o *outputs) set(next []*member) {
	pacers := make([]output.FrameDrawer, len(next))
	for i, m := range next {
		pacers[i] = m.Pacer
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.members, o.multi = next, output.NewMulti(o.log, pacers...)
}

// take removes and returns the member with this definition and frames like the scene's, nil if there is none.
func take(old *[]*member, c config.Output, s *scene) *member {
	for i, m := range *old {
		if m.size == s.size && m.sizing == s.sizing && m.flip == s.graphics.Flip && sameOutput(m.conf, c) {
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

// close ends the goroutines of a member, then its device.
func (m *member) close() {
	m.end()
	m.done.Wait()
	if m.window != nil {
		m.window.Close()
	}
	_ = m.Halt() // nothing is left to be done about it
}
