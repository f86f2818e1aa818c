package main

import (
	"context"
	"image"
	"log/slog"
	"sync"
	"time"

	"dashboard/control"
	"dashboard/control/touch"
	"dashboard/fb/evdev"
	"dashboard/widgets/kit"
)

const (
	// maxGestures bounds what fingers did since the last pass: more than ten fingers do within one.
	maxGestures = 16
	// maxWishes bounds what is done at a time because of touches and keys.
	maxWishes = 4
)

// fingers are what touches of a view have begun.
type fingers struct {
	gestures gestures        // that the loop has not seen
	taken    []touch.Gesture // the loop's
	first    *kit.Wish       // the loop's: of a tap that waits for a second one; nil for none
}

// gestures are what fingers did on a view since its last pass. Moves that follow each other are one.
type gestures struct {
	mu  sync.Mutex
	all []touch.Gesture
}

// put adds one; of too many the newest are left out, but for those that end something.
func (q *gestures) put(g touch.Gesture) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.all)
	switch {
	case n > 0 && g.Kind == touch.Drag && q.all[n-1].Kind == touch.Drag && q.all[n-1].From == g.From:
		q.all[n-1] = g
	case n < maxGestures:
		q.all = append(q.all, g)
	case g.Kind == touch.Cancel || g.Kind == touch.Swipe || g.Kind == touch.Up || g.Kind == touch.Alone:
		q.all[n-1] = g
	}
}

// take empties the queue into dst.
func (q *gestures) take(dst []touch.Gesture) []touch.Gesture {
	q.mu.Lock()
	defer q.mu.Unlock()
	dst = append(dst[:0], q.all...)
	q.all = q.all[:0]
	return dst
}

// touched takes over what a finger did on the view's screen.
func (v *view) touched(g touch.Gesture) {
	v.gestures.put(g)
	v.loop.Wake()
}

// handle has the wall take what fingers did, at the start of a pass.
func (v *view) handle(now time.Time) {
	v.taken = v.gestures.take(v.taken)
	if len(v.taken) > 0 {
		v.pages.Touched(now)
	}
	for _, g := range v.taken {
		if v.answered(g) {
			continue
		}
		root, ok := v.shown.Load().tree().root.(*kit.Screen)
		if !ok {
			return
		}
		switch w, ok := root.Touch(g, now); {
		case ok && w.Twice != nil && g.Count == 1:
			v.first = &w
		case ok:
			v.wished(w)
		}
	}
}

// answered does what a tap asked for that waited for a second one, if a gesture tells whether that came. It reports whether it did:
// the two mean what they mean together.
func (v *view) answered(g touch.Gesture) bool {
	w := v.first
	if w == nil || g.Kind == touch.Down {
		return false
	}
	v.first = nil
	if g.Kind == touch.Tap && g.Count == 2 {
		v.wished(*w.Twice)
		return true
	}
	v.wished(*w)
	return false
}

// wished asks for what a finger asks for.
func (v *view) wished(w kit.Wish) {
	v.wish(control.Caller{Via: "touch", From: w.Widget, Local: true}, actionOf(w))
}

// A wish is an action that somebody at the screen asks for.
type wish struct {
	by   control.Caller
	view string
	do   func(context.Context, control.Verbs) error
}

// runWishes does what touches and keys ask for, until ctx ends. What comes faster is dropped.
func (s *service) runWishes(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	free := make(chan struct{}, maxWishes)
	for {
		var w wish
		select {
		case <-ctx.Done():
			return
		case w = <-s.wishes:
		}
		select {
		case <-ctx.Done():
			return
		case free <- struct{}{}:
			wg.Go(func() {
				defer func() { <-free }()
				_ = w.do(ctx, s.verbs) // they tell the log
			})
		}
	}
}

// ask has something done soon. It does not wait.
func (s *service) ask(w wish) {
	select {
	case s.wishes <- w:
	default:
		s.leftOut.tell(time.Now(), s.log, w.by)
	}
}

// leftOutEvery is the least time between two lines about what was left out: a key that is broken can be pressed 100,000 times a second.
const leftOutEvery = time.Minute

// A leftOut counts what was left out because too much was asked for at screens. The zero value has none.
type leftOut struct {
	mu    sync.Mutex
	said  time.Time // when it was told
	count int       // since
}

// tell tells of something that was left out, and how much was before, or counts it.
func (c *leftOut) tell(now time.Time, log *slog.Logger, by control.Caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if !c.said.IsZero() && now.Sub(c.said) < leftOutEvery {
		return
	}
	log.Warn("too much is asked for at the screen: left out", "via", by.Via, "from", by.From, "count", c.count)
	c.said, c.count = now, 0
}

// A hand is one input device: its fingers and keys, on the view whose screen it belongs to.
type hand struct {
	s    *service
	info evdev.Info

	machine touch.Machine
	base    time.Duration // of the newest packet, by the kernel's clock
	read    time.Time     // when it was read
	at      image.Point   // of the first finger
	view    *view         // on which the machine's finger is
}

var _ evdev.Listener = (*hand)(nil)

// listen returns who listens to a device; nil if it belongs to no screen.
func (s *service) listen(i evdev.Info) evdev.Listener {
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
		v.key(evdev.Plain(k), h.info.Name)
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
		h.Gone() // from there
	}
	if h.view != v || h.machine.Rest() {
		h.view, h.machine.Size = v, v.size()
	}
	h.tell(h.machine.Step(h.base, p.Down, h.at))
	return h.late()
}

// tell hands a gesture to the view. One that begins while the screen is off switches it on, and does nothing else.
func (h *hand) tell(g touch.Gesture) {
	switch g.Kind {
	case touch.None:
		return
	case touch.Down:
		if h.view.power.Touch() {
			h.machine.Ignore()
			return
		}
	case touch.Up, touch.Swipe, touch.Cancel:
		h.view.power.Touch() // somebody is still there
	}
	h.view.touched(g)
}

// late is when the machine is to be asked again.
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

// Gone implements evdev.Listener: nothing of the device is down any more.
func (h *hand) Gone() {
	if h.view != nil {
		if g := h.machine.Ignore(); g.Kind != touch.None {
			h.view.touched(g)
		}
	}
}
