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
	"dashboard/control/switches"
	"dashboard/fb"
	"dashboard/internal/state"
	"dashboard/internal/whole"
	"dashboard/netstream"
	"dashboard/output"
	"dashboard/output/panel"
	"dashboard/output/window"
	"dashboard/render/ink"
)

// Devices contains the functions that open the devices of outputs.
type Devices struct {
	Keeper   func(fb.Options) (*fb.Keeper, error)     // opens the screen of a window
	Board    func(*panel.Model) (*panel.Wires, error) // opens the pins of a panel
	Hardware switches.Hardware                        // other connections that can switch or dim a window's screen
	Cards    *fb.Cards                                // graphics cards that all windows of the program share
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
	Stream  *netstream.Stream // stream of the view. It exists as long as the view, so its clients stay connected during a reload
	Devices *Devices
	Store   *state.Store `optional:"true"` // stores the pictures of panels for the next start
	Note    *Note        `optional:"true"` // note over windows

	Dark    func() bool // reports whether a screen must be off when it is opened
	Again   func()      // called when a screen appears, so that the screen is switched off if it must be off
	Repaint func()      // called when a screen appears for which there is no frame. It must not block
	Resized func()      // called when the size of a screen differs from its frames. It must not block
}

// Set is the set of a view's outputs. Each output has its own goroutines.
type Set struct {
	Parts

	mu       sync.Mutex // guards the following fields. Show also holds mu while it passes a frame to the outputs, which does not block
	members  []*Member
	backends []string // backends that may switch screens, or nil for the default order
	yield    bool     // true if a television that shows another source must not be switched
	multi    *output.Multi
	streams  *output.Multi // members that are streams
	end      *image.RGBA   // final frame of the running fade, or nil
	ahead    bool          // true if the streams have already received the frame in the field `end`
}

// A Plan lists the outputs of a view and describes their frames.
type Plan struct {
	Outputs []config.Output
	Size    image.Point // size of the frames, in px
	Sizing  Sizing
	Flip    bool           // true if the picture is rotated by 180 degrees
	Zone    *time.Location // time zone of the view
}

// A Member is an open output.
type Member struct {
	*output.Pacer
	Conf   config.Output
	size   image.Point
	sizing Sizing
	flip   bool
	screen window.Screen    // screen of a window, or nil
	noted  *noted           // window with notes, or nil
	Window *switches.Window // switches the screen of a window, or nil
	state  func() any       // returns additional fields for /healthz; may be nil
	end    context.CancelFunc
	done   sync.WaitGroup
}

// New returns a set without outputs. The caller ends it with Close.
func New(p Parts) *Set {
	whole.Check(p)
	return &Set{Parts: p, multi: output.NewMulti(p.Log), streams: output.NewMulti(p.Log)}
}

// Show passes a frame to every output. During a fade between themes, if a client of the stream fetches whole frames, Show first passes
// the final frame of the fade to the streams. Such a client would otherwise fetch each frame of the fade and receive the final frame
// late.
func (o *Set) Show(frame *image.RGBA, damage []image.Rectangle) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.multi.DrawFrame(frame, damage) // each member counts its errors, so ignore this error
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

// Settled sets the final frame of the running fade. A nil frame means that no fade is running.
func (o *Set) Settled(end *image.RGBA) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.end = end
}

// Mark sets the regions with photos in the next frame.
func (o *Set) Mark(r *ink.Regions) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.multi.Mark(r)
	o.streams.Mark(r)
}

// Check reports the outputs whose settings cannot work. It opens nothing.
func Check(list []config.Output, size image.Point, r *config.Report) {
	for _, c := range list {
		if err := validOutput(c, size); err != nil {
			switch {
			case c.Window != nil:
				r.Errorf(c.Node, "%v", err)
			case !toldWithin(r, c.Node): // tolerated, so the other outputs continue without this output
				r.Tolerate(c.Node, "%v", err)
			}
		}
	}
}

// toldWithin reports whether the report already has an error inside the node n.
func toldWithin(r *config.Report, n *config.Node) bool {
	return slices.ContainsFunc(r.Diagnostics(), func(d config.Diagnostic) bool { return strings.HasPrefix(d.Path, n.Path()+".") })
}

// Apply opens the outputs of a plan. An output continues if its definition and the size and rotation of its frames have not changed.
// `fresh` is true if Apply has opened an output, because a new output needs a whole frame.
func (o *Set) Apply(p Plan) (fresh bool) {
	defer o.Devices.Cards.Keep()() // keep the graphics cards open, because a new window may need the card of a removed window
	old := o.List()
	var next []*Member
	for _, c := range p.Outputs {
		if c.TRMNL != nil {
			continue // devices request the pictures of a TRMNL output, so there is nothing to open
		}
		m := take(&old, c, p)
		if m == nil {
			closeSame(&old, c) // close the old output first, because both may need the same device
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

// Shown reports whether at least one output is not a stream.
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

// take removes and returns the member with the definition c whose frames have the size and rotation of the plan p. If there is none, it
// returns nil.
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

// closeSame removes and closes the first member that has the type of c.
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

// sameOutput reports whether two definitions are equal, apart from their positions in the file.
func sameOutput(a, b config.Output) bool {
	a.Node, b.Node = nil, nil
	return reflect.DeepEqual(a, b)
}

// Close closes every output. The window restores the console.
func (o *Set) Close() { closeAll(o.List()) }

func closeAll(members []*Member) {
	var wg sync.WaitGroup
	for _, m := range members {
		wg.Go(m.close)
	}
	wg.Wait()
}

// close ends the goroutines of a member and then closes its device.
func (m *Member) close() {
	m.end()
	m.done.Wait()
	if m.Window != nil {
		m.Window.Close()
	}
	_ = m.Halt() // ignore the error, because the device is not used any more
}
