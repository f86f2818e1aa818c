// Package page decides which page a wall shows. A page is chosen by a user, by a trigger, or by a rotation in which pages take turns.
package page

import (
	"slices"
	"time"
)

// A Page is one of several pages of a widget.
type Page struct {
	Name    string
	At      string // file:line:column
	Rule    string // condition of its trigger, or condition for its place in the rotation, as text; "" without a condition
	Dwell   time.Duration
	Only    bool     // whether pages without Only are skipped while this page is in the rotation
	Trigger *Trigger // nil if the page is in the rotation
}

// A Trigger shows a page while a condition is true, independently of the rotation.
type Trigger struct {
	After    time.Duration // time for which the condition must be true before the page is shown
	Hold     time.Duration // minimum time for which the page is shown
	Cooldown time.Duration // minimum time between the end of the trigger and its next start
	Priority int           // a trigger with a lower number is stronger
	Wake     bool          // whether it switches the screen on
}

// A Condition is the result of a page's conditions at a time.
type Condition struct {
	When  bool // whether the page may be shown
	Fire  bool // whether the condition of its trigger is true
	Clear bool // whether its trigger may end. Without a condition for the end, Clear is the opposite of Fire

	WhenTurns, FireTurns, ClearTurns time.Time // times when the three fields above will change because of the time of day; zero if unknown
}

// Why is the reason why a page is shown.
type Why string

// The reasons. A stronger reason comes first.
const (
	Hand    Why = "hand"    // a user has chosen the page
	Fired   Why = "trigger" // the trigger of the page is active
	Only    Why = "only"    // the page has Only, and such pages take turns
	Turn    Why = "turn"    // the pages take turns
	Remains Why = "last"    // no page may be shown, so the last page stays
)

// A Rotation chooses the page. It does not read a clock; its methods get the time. Callers must call Step whenever a condition changes,
// and at the time that Next returns. Only one goroutine may use a Rotation. It does not allocate after NewRotation.
type Rotation struct {
	pages  []Page
	states []state
	in     []Condition

	now   time.Time
	shown int
	why   Why
	since time.Time // time since which the page is shown for this reason

	turn      int // index of the page whose turn it is; -1 if all pages have triggers
	turnSince time.Time
	touched   time.Time // time of the last touch; zero for never

	hand       int // index of the page that a user has chosen; -1 for none
	handSince  time.Time
	handLength time.Duration // time for which that page is shown; 0 until Auto
}

// A state is the state of a trigger.
type state struct {
	since  time.Time // time since which the condition is true; zero if it is false
	active bool
	begun  time.Time
	until  time.Time // earliest time at which the trigger may end
	rest   time.Time // earliest time at which the trigger may start again
}

// NewRotation returns a rotation of at least one page. Before the first step, only pages without a condition are in the rotation.
func NewRotation(pages []Page) *Rotation {
	r := &Rotation{pages: pages, states: make([]state, len(pages)), in: make([]Condition, len(pages)), turn: -1, hand: -1, why: Remains}
	for i, p := range slices.Backward(pages) {
		if p.Trigger == nil {
			r.turn, r.shown = i, i
			r.in[i].When = p.Rule == ""
		}
	}
	return r
}

// Step updates the rotation. The parameter `in` contains the conditions of each page at this time.
func (r *Rotation) Step(now time.Time, in []Condition) {
	if now.Before(r.now) {
		r.rewind(now)
	}
	r.now = now
	copy(r.in, in)
	for i := range r.pages {
		r.follow(i)
	}
	if r.hand >= 0 && r.handLength > 0 && now.Sub(r.handSince) >= r.handLength {
		r.release()
	}
	r.choose()
}

// Shown returns the index of the page to show.
func (r *Rotation) Shown() int { return r.shown }

// Why returns the reason for the shown page.
func (r *Rotation) Why() Why { return r.why }

// Since returns the time since which the page is shown for the reason Why.
func (r *Rotation) Since() time.Time { return r.since }

// Awake reports whether the page keeps the screen on.
func (r *Rotation) Awake() bool { return r.why == Fired && r.pages[r.shown].Trigger.Wake }

// Show shows the page with index i for a time. If `hold` is 0, the page stays until Auto.
func (r *Rotation) Show(i int, hold time.Duration, now time.Time) {
	r.hand, r.handSince, r.handLength = i, now, hold
	r.why = Hand
	r.shown, r.since = i, now
}

// Go shows the next page of the rotation for a time. If `by` is -1, it shows the previous page. If `hold` is 0, the time is the Dwell
// time of the page. It returns false if there is no other page.
func (r *Rotation) Go(by int, hold time.Duration, now time.Time) bool {
	i := r.after(r.shown, by)
	if i == r.shown {
		return false
	}
	if hold == 0 {
		hold = r.pages[i].Dwell
	}
	r.Show(i, hold, now)
	return true
}

// Touched records that a person touched the screen. The rotation then pauses for TouchPause.
func (r *Rotation) Touched(now time.Time) { r.touched = now }

// due() returns the time when the turn of the current page ends.
func (r *Rotation) due() time.Time {
	at := r.turnSince.Add(r.pages[r.turn].Dwell)
	if r.touched.IsZero() {
		return at
	}
	if free := r.touched.Add(TouchPause); free.After(at) {
		return free
	}
	return at
}

// Auto returns to the rules after a user has chosen a page.
func (r *Rotation) Auto(now time.Time) {
	r.release()
	r.Step(now, r.in)
}

// release ends the choice of a user. If the chosen page is in the rotation, the rotation continues from that page.
func (r *Rotation) release() {
	if r.hand >= 0 && r.inTurn(r.hand) {
		r.turn, r.turnSince = r.hand, r.handSince
		r.why = Turn
	}
	r.hand = -1
}

// follow updates the state of the trigger of page i.
func (r *Rotation) follow(i int) {
	t, s, c := r.pages[i].Trigger, &r.states[i], r.in[i]
	if t == nil {
		return
	}
	if s.active {
		if r.lasts(i) || r.now.Before(s.until) {
			return
		}
		*s = state{rest: r.now.Add(t.Cooldown)}
	}
	if !c.When || !c.Fire || c.Clear {
		s.since = time.Time{}
		return
	}
	if s.since.IsZero() {
		s.since = r.now
	}
	if !r.now.Before(r.ripe(i)) {
		s.active, s.begun, s.until = true, r.now, r.now.Add(t.Hold)
	}
}

// lasts() reports whether the conditions let an active trigger continue. It ignores the minimum time.
func (r *Rotation) lasts(i int) bool { return r.in[i].When && !r.in[i].Clear }

// ripe returns the time when a trigger becomes active, provided that its condition stays true.
func (r *Rotation) ripe(i int) time.Time {
	at := r.states[i].since.Add(r.pages[i].Trigger.After)
	if rest := r.states[i].rest; rest.After(at) {
		return rest
	}
	return at
}

func (r *Rotation) choose() {
	if r.hand >= 0 {
		r.show(r.hand, Hand)
		return
	}
	if i := r.strongest(); i >= 0 {
		if r.why != Fired || r.shown != i { // Hold begins when the page is shown, even if its trigger became active long before
			if until := r.now.Add(r.pages[i].Trigger.Hold); until.After(r.states[i].until) {
				r.states[i].until = until
			}
		}
		r.show(i, Fired)
		return
	}
	r.take()
}

// strongest() returns the page whose trigger is active and strongest, or -1. A lower priority number is stronger. Among equal numbers,
// the newer trigger is stronger. Within its minimum time, the shown page is only replaced by a page with a lower priority number.
func (r *Rotation) strongest() int {
	best := -1
	for i := range r.pages {
		if r.states[i].active && (best < 0 || r.before(i, best)) {
			best = i
		}
	}
	if best >= 0 && r.why == Fired && r.held(r.shown) && r.pages[best].Trigger.Priority >= r.pages[r.shown].Trigger.Priority {
		return r.shown
	}
	return best
}

func (r *Rotation) held(i int) bool { return r.states[i].active && r.now.Before(r.states[i].until) }

func (r *Rotation) before(i, other int) bool {
	a, b := r.pages[i].Trigger.Priority, r.pages[other].Trigger.Priority
	return a < b || a == b && r.states[i].begun.After(r.states[other].begun)
}

// take shows the page whose turn it is.
func (r *Rotation) take() {
	taking := r.why == Turn || r.why == Only
	switch {
	case r.turn < 0:
		r.show(r.shown, Remains)
		return
	case !r.inTurn(r.turn):
		if next := r.after(r.turn, 1); next != r.turn {
			r.turn, r.turnSince = next, r.now
		}
	case !taking:
		r.turnSince = r.now
	case !r.now.Before(r.due()):
		if next := r.after(r.turn, 1); next != r.turn {
			r.turn, r.turnSince = next, r.now
		}
	}
	switch {
	case !r.inTurn(r.turn):
		r.show(r.turn, Remains)
	case r.pages[r.turn].Only:
		r.show(r.turn, Only)
	default:
		r.show(r.turn, Turn)
	}
}

func (r *Rotation) show(i int, why Why) {
	if i != r.shown || why != r.why || r.since.IsZero() {
		r.shown, r.why, r.since = i, why, r.now
	}
}

// inTurn reports whether a page is in the rotation now.
func (r *Rotation) inTurn(i int) bool {
	if r.pages[i].Trigger != nil || !r.in[i].When {
		return false
	}
	if r.pages[i].Only {
		return true
	}
	for j, other := range r.pages {
		if other.Only && other.Trigger == nil && r.in[j].When {
			return false
		}
	}
	return true
}

// after() returns the page that follows the given page in the rotation. If `by` is -1, it returns the page before the given page. If there
// is no other page, it returns the given page.
func (r *Rotation) after(from, by int) int {
	n := len(r.pages)
	for k := 1; k < n; k++ {
		if i := ((from+by*k)%n + n) % n; r.inTurn(i) {
			return i
		}
	}
	return from
}
