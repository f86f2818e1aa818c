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

// Devices opens the devices on which outputs draw.
type Devices struct {
	Keeper   func(fb.Options) (*fb.Keeper, error)     // opens the screen of a window
	Board    func(*panel.Model) (*panel.Wires, error) // opens the pins of a panel
	Hardware switches.Hardware                        // additional connections that control the screens of windows
	Cards    *fb.Cards                                // shared by all windows of the program
}

// ThisMachine returns the devices of this machine.
func ThisMachine() *Devices {
	return &Devices{Keeper: fb.NewKeeper, Board: panel.OpenBoard, Hardware: switches.ThisMachine(), Cards: fb.NewCards()}
}

// Parts are the parts of a view's outputs.
type Parts struct {
	View    string // name of the view
	Agent   string // User-Agent of uploads
	Log     *slog.Logger
	Stream  *netstream.Stream // lives as long as the view, so that a reload keeps its clients
	Devices *Devices
	Store   *state.Store `optional:"true"` // keeps the pictures of panels for the next start
	Note    *Note        `optional:"true"` // drawn above windows

	Dark    func() bool // reports whether newly opened screens must be off
	Again   func()      // called when a screen appears, so that a screen that must be off is switched again
	Repaint func()      // called when a screen appears for which there is no frame. It must not block
	Resized func()      // called when the size of a screen differs from its frames. It must not block
}

// Set holds the outputs of a view, each with its own goroutines.
type Set struct {
	Parts

	mu       sync.Mutex // guards the following fields. It is held while a frame is passed on, which does not block
	members  []*Member
	backends []string // backends that may switch screens, nil for the default order
	yield    bool     // true if a television with another source is not switched
	multi    *output.Multi
	streams  *output.Multi // members that are streams
	end      *image.RGBA   // end of the running fade, or nil
	ahead    bool          // true if the streams already have the end of the fade
}

// A Plan lists the outputs of a view, with the form of their frames.
type Plan struct {
	Outputs []config.Output
	Size    image.Point // size of the frames, in px
	Sizing  Sizing
	Flip    bool           // true if the picture is rotated by 180 degrees
	Zone    *time.Location // time zone of the view
}

// A Member is an output of the configuration.
type Member struct {
	*output.Pacer
	Conf   config.Output
	size   image.Point
	sizing Sizing
	flip   bool
	screen window.Screen    // screen of a window, otherwise nil
	noted  *noted           // note above a window, otherwise nil
	Window *switches.Window // switch of a window, otherwise nil
	state  func() any       // returns additional fields for /healthz, may be nil
	end    context.CancelFunc
	done   sync.WaitGroup
}

// New returns a set without outputs. The caller ends it with Close.
func New(p Parts) *Set {
	whole.Check(p)
	return &Set{Parts: p, multi: output.NewMulti(p.Log), streams: output.NewMulti(p.Log)}
}

// Show passes a frame to every output. During a theme fade, streams of clients that fetch whole frames immediately get the end of
// the fade. Otherwise such clients would fetch each frame of the fade, and get the last one late.
func (o *Set) Show(frame *image.RGBA, damage []image.Rectangle) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.multi.DrawFrame(frame, damage) // the members' stats include errors
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

// Settled sets the end of the running fade, or nil, until the next call of Show returns.
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

// Check reports errors of outputs before any output is opened.
func Check(list []config.Output, size image.Point, r *config.Report) {
	for _, c := range list {
		if err := validOutput(c, size); err != nil {
			switch {
			case c.Window != nil:
				r.Errorf(c.Node, "%v", err)
			case !toldWithin(r, c.Node): // the other outputs continue without this one
				r.Tolerate(c.Node, "%v", err)
			}
		}
	}
}

// toldWithin reports whether the report has an error inside a node.
func toldWithin(r *config.Report, n *config.Node) bool {
	return slices.ContainsFunc(r.Diagnostics(), func(d config.Diagnostic) bool { return strings.HasPrefix(d.Path, n.Path()+".") })
}

// Apply opens the outputs of a plan. Unchanged outputs continue. It reports whether an output is new and needs a whole frame.
func (o *Set) Apply(p Plan) (fresh bool) {
	defer o.Devices.Cards.Keep()() // a window that follows another one needs its card
	old := o.List()
	var next []*Member
	for _, c := range p.Outputs {
		if c.TRMNL != nil {
			continue // the devices of a TRMNL output request pictures
		}
		m := take(&old, c, p)
		if m == nil {
			closeSame(&old, c) // close a device before opening it again
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

// Shown reports whether an output other than a stream shows the view.
func (o *Set) Shown() bool {
	return slices.ContainsFunc(o.List(), func(m *Member) bool { return m.Conf.Stream == nil })
}

// List returns the outputs. The caller must not change the list.
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

// take removes and returns the member with the same definition and the same form of frames, or nil.
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

// sameOutput compares two definitions without their positions in the file.
func sameOutput(a, b config.Output) bool {
	a.Node, b.Node = nil, nil
	return reflect.DeepEqual(a, b)
}

// Close ends every output and restores the console.
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
	_ = m.Halt() // an error here has no further effect
}
