// Package outputs draws the frames of one view on its screens, panels, files, uploads and streams.
package outputs

import (
	"context"
	"image"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/internal/state"
	"dashboard/internal/whole"
	"dashboard/netstream"
	"dashboard/output"
	"dashboard/output/panel"
	"dashboard/render/ink"
	"dashboard/wall/switches"
	"dashboard/wall/window"
)

// Devices open what outputs draw on.
type Devices struct {
	Keeper   func(fb.Options) (*fb.Keeper, error)     // of a window's screen
	Board    func(*panel.Model) (*panel.Wires, error) // of the pins of a panel
	Hardware switches.Hardware                        // the separate wires for controlling windows
	Cards    *fb.Cards                                // shared by all windows of the program
}

// ThisMachine opens the devices of the machine.
func ThisMachine() *Devices {
	return &Devices{Keeper: fb.NewKeeper, Board: panel.OpenBoard, Hardware: switches.ThisMachine(), Cards: fb.NewCards()}
}

// Parts are what the outputs of a view are made of.
type Parts struct {
	View    string // that they show
	Agent   string // the User-Agent of uploads
	Log     *slog.Logger
	Stream  *netstream.Stream // lives as long as the view, so that a reload keeps its clients
	Devices *Devices
	Store   *state.Store `optional:"true"` // keeps what panels show for the next start
	Note    *Note        `optional:"true"` // is drawn over windows

	Dark    func() bool // reports whether screens that are opened are to be off
	Again   func()      // is called when a screen came: one that is to be off is switched once more
	Repaint func()      // is called when a screen came for which no frame was kept; it must not wait
	Resized func()      // is called when a screen has another size than the frames that follow it; it must not wait
}

// Set are the outputs of one view, each with the goroutines it needs.
type Set struct {
	Parts

	mu       sync.Mutex // guards the following fields. It is held while a frame is handed over, which does not wait
	members  []*Member
	backends []string // what screens may be switched by; nil is the usual order
	yield    bool     // a television with another source is not switched
	multi    *output.Multi
	streams  *output.Multi // the members that are streams
	end      *image.RGBA   // of the running fade, nil without one
	ahead    bool          // the streams have it already
}

// A Plan is which outputs a view has, and the frames for them.
type Plan struct {
	Outputs []config.Output
	Size    image.Point // of the frames, px
	Sizing  Sizing
	Flip    bool           // the picture is turned by 180 degrees
	Zone    *time.Location // of the view
}

// A Member is one output of the configuration.
type Member struct {
	*output.Pacer
	Conf   config.Output
	size   image.Point
	sizing Sizing
	flip   bool
	screen window.Screen    // of a window; else nil
	Window *switches.Window // the same
	state  func() any       // more fields for /healthz, may be nil
	end    context.CancelFunc
	done   sync.WaitGroup
}

// New returns outputs without members. They end with close.
func New(p Parts) *Set {
	whole.Check(p)
	return &Set{Parts: p, multi: output.NewMulti(p.Log), streams: output.NewMulti(p.Log)}
}

// Show passes a frame to every output. While one theme fades into another and a client fetches whole frames, streams
// have the picture at the end of the fade at once, because such clients would fetch each frame of the fade, and the
// last one late.
func (o *Set) Show(frame *image.RGBA, damage []image.Rectangle) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.multi.DrawFrame(frame, damage) // what failed is in its members' stats
	switch {
	case o.end == nil && o.ahead:
		o.ahead = false
		_ = o.streams.DrawFrame(frame, []image.Rectangle{frame.Rect})
	case o.end == nil || !o.ahead && !o.Stream.HasWholes():
		_ = o.streams.DrawFrame(frame, damage)
	case !o.ahead:
		o.ahead = true
		_ = o.streams.DrawFrame(o.end, damage)
	}
}

// Settled takes over the picture at the end of the running fade, nil without one, until the next call of Show returns.
func (o *Set) Settled(end *image.RGBA) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.end = end
}

// Mark sets the photos of the next frame.
func (o *Set) Mark(r *ink.Regions) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.multi.Mark(r)
	o.streams.Mark(r)
}

// Check reports errors of outputs, before any of them is opened.
func Check(list []config.Output, size image.Point, r *config.Report) {
	for _, c := range list {
		if err := validOutput(c, size); err != nil {
			switch {
			case c.Window != nil:
				r.Errorf(c.Node, "%v", err)
			case !toldWithin(r, c.Node): // the others continue without it
				r.Tolerate(c.Node, "%v", err)
			}
		}
	}
}

// toldWithin reports whether a mistake inside a node is in the report.
func toldWithin(r *config.Report, n *config.Node) bool {
	return slices.ContainsFunc(r.Diagnostics(), func(d config.Diagnostic) bool { return strings.HasPrefix(d.Path, n.Path()+".") })
}

// Apply makes the outputs of a plan. Unchanged ones continue untouched. It reports whether any output is new and waits
// for a whole frame.
func (o *Set) Apply(p Plan) (fresh bool) {
	defer o.Devices.Cards.Keep()() // a window that follows another has its card
	old := o.List()
	var next []*Member
	for _, c := range p.Outputs {
		if c.TRMNL != nil {
			continue // its devices ask
		}
		m := take(&old, c, p)
		if m == nil {
			closeSame(&old, c) // a device is closed before it is opened again
			m, fresh = o.open(c, p), true
		}
		if m != nil {
			next = append(next, m)
		}
	}
	o.set(next)
	closeAll(old)
	return fresh
}

// Shown reports whether any output but a stream shows the view.
func (o *Set) Shown() bool {
	return slices.ContainsFunc(o.List(), func(m *Member) bool { return m.Conf.Stream == nil })
}

// List returns the outputs. The caller does not change the list.
func (o *Set) List() []*Member {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.members
}

func (o *Set) set(next []*Member) {
	var pacers, streams []output.FrameDrawer
	for _, m := range next {
		if m.Conf.Stream != nil {
			streams = append(streams, m.Pacer)
		} else {
			pacers = append(pacers, m.Pacer)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.members, o.multi, o.streams = next, output.NewMulti(o.Log, pacers...), output.NewMulti(o.Log, streams...)
}

// take removes and returns the member with this definition and frames like the plan's, nil if there is none.
func take(old *[]*Member, c config.Output, p Plan) *Member {
	for i, m := range *old {
		if m.size == p.Size && m.sizing == p.Sizing && m.flip == p.Flip && sameOutput(m.Conf, c) {
			rest := append([]*Member{}, (*old)[:i]...)
			*old = append(rest, (*old)[i+1:]...)
			return m
		}
	}
	return nil
}

// closeSame closes and removes the first member of the same type.
func closeSame(old *[]*Member, c config.Output) {
	for i, m := range *old {
		if m.Conf.Type == c.Type {
			rest := append([]*Member{}, (*old)[:i]...)
			*old = append(rest, (*old)[i+1:]...)
			m.close()
			return
		}
	}
}

// sameOutput compares two definitions without their places in the file.
func sameOutput(a, b config.Output) bool {
	a.Node, b.Node = nil, nil
	return reflect.DeepEqual(a, b)
}

// Close ends every output and gives the console back.
func (o *Set) Close() { closeAll(o.List()) }

func closeAll(members []*Member) {
	var wg sync.WaitGroup
	for _, m := range members {
		wg.Go(m.close)
	}
	wg.Wait()
}

// close ends the goroutines of a member, then its device.
func (m *Member) close() {
	m.end()
	m.done.Wait()
	if m.Window != nil {
		m.Window.Close()
	}
	_ = m.Halt() // nothing is left to be done about it
}
