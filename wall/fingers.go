package wall

import (
	"context"
	"image"
	"sync"
	"time"

	"dashboard/control"
	"dashboard/control/touch"
	"dashboard/fb/evdev"
	"dashboard/wall/outputs"
	"dashboard/wall/view"
)

// runAsked runs the queued actions of touches and keys until ctx ends.
func (s *Service) runAsked(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	free := make(chan struct{}, view.MaxAsked)
	for {
		var a control.Action
		select {
		case <-ctx.Done():
			return
		case a = <-s.asked:
		}
		select {
		case <-ctx.Done():
			return
		case free <- struct{}{}:
			wg.Go(func() {
				defer func() { <-free }()
				_, _ = s.verbs.Do(ctx, a) // Do logs errors
			})
		}
	}
}

// ask queues an action. If the queue is full, it drops the action. It does not block.
func (s *Service) ask(a control.Action) {
	select {
	case s.asked <- a:
	default:
		s.leftOut.Tell(time.Now(), s.log, a.By)
	}
}

// A hand handles the fingers and keys of one input device. It acts on the view that the device's screen shows.
type hand struct {
	s    *Service
	info evdev.Info

	machine touch.Machine
	base    time.Duration   // kernel time of the newest packet
	read    time.Time       // time at which the newest packet was read
	at      image.Point     // position of the first finger
	view    *view.View      // view to which the finger's gestures go
	window  *outputs.Member // window that shows `view`
}

var _ evdev.Listener = (*hand)(nil)

// listen returns the listener for a device, or nil if the device belongs to no screen.
func (s *Service) listen(i evdev.Info) evdev.Listener {
	h := &hand{s: s, info: i}
	if v, _ := s.screenFor(i); v == nil {
		return nil
	}
	return h
}

// Packet implements evdev.Listener.
func (h *hand) Packet(p *evdev.Packet) time.Time {
	h.base, h.read = time.Duration(p.At)*time.Microsecond, time.Now()
	v, m := h.s.screenFor(h.info)
	if v == nil {
		return time.Time{}
	}
	for _, k := range p.Keys {
		if k = evdev.Plain(k); !v.Power.On() || !h.s.keyedAbove(m, k) {
			v.Key(k, h.info.Name)
		}
	}
	if !h.info.Touch {
		return time.Time{}
	}
	if p.Down > 0 {
		for _, f := range p.Fingers {
			if f.Down {
				at, ok := m.FramePoint(f.X, f.Y)
				if !ok {
					return time.Time{}
				}
				h.at = at
				break
			}
		}
	}
	if h.view != v {
		h.Gone() // the fingers end their gesture on the previous view
	}
	if h.view != v || h.machine.Rest() {
		h.view, h.window, h.machine.Size = v, m, v.Size()
	}
	h.tell(h.machine.Step(h.base, p.Down, h.at))
	return h.late()
}

// tell passes a gesture to the view. If the screen is off, a gesture only switches the screen on.
func (h *hand) tell(g touch.Gesture) {
	switch g.Kind {
	case touch.None:
		return
	case touch.Down:
		if h.view.Power.Touch() || h.s.touchedAbove(h.window, g.At) {
			h.machine.Ignore()
			return
		}
	case touch.Up, touch.Swipe, touch.Cancel:
		h.view.Power.Touch() // restarts the time until the screen is switched off
	}
	h.view.Touched(g)
}

// late() returns the time at which Late must be called next, or zero if no call is needed.
func (h *hand) late() time.Time {
	due := h.machine.Due()
	if due < 0 {
		return time.Time{}
	}
	return h.read.Add(max(0, due-h.base))
}

// Late implements evdev.Listener.
func (h *hand) Late() time.Time {
	h.tell(h.machine.Late(h.base + max(0, time.Since(h.read))))
	return h.late()
}

// Gone implements evdev.Listener. It ends the current gesture of the device's fingers.
func (h *hand) Gone() {
	if h.view != nil {
		if g := h.machine.Ignore(); g.Kind != touch.None {
			h.view.Touched(g)
		}
	}
}
