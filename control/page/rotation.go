// Package page decides which of several pages a wall shows: by hand, by triggers, or in turn.
package page

import (
	"slices"
	"time"
)

// Page is one of several pages.
type Page struct {
	Name    string
	At      string // file:line:column
	Rule    string // configured condition of its trigger or its rotation, or ""
	Dwell   time.Duration
	Only    bool     // true if pages without Only are hidden while this page is in turn
	Trigger *Trigger // nil for a page in the rotation
}

// Trigger shows a page outside of the rotation.
type Trigger struct {
	After    time.Duration // time for which its condition must hold first
	Hold     time.Duration // minimum time
	Cooldown time.Duration // time after its end during which it cannot start again
	Priority int           // the lowest number wins
	Wake     bool          // true to switch the screen on
}

// Condition holds the conditions of a page at a time.
type Condition struct {
	When  bool // true if the page may be shown
	Fire  bool // condition of its trigger
	Clear bool // end of its trigger, which is not Fire if there is no condition for the end

	WhenTurns, FireTurns, ClearTurns time.Time // time when the clock changes each; zero if unknown
}

// Why is the reason for which a page is shown.
type Why string

// Reasons, the strongest first.
const (
	Hand    Why = "hand"    // chosen by a user
	Fired   Why = "trigger" // its trigger
	Only    Why = "only"    // pages with only take turns
	Turn    Why = "turn"    // pages take turns
	Remains Why = "last"    // no page may be shown: the last one stays
)

// Rotation chooses a page. All methods take the time. Between two steps, nothing changes before Next unless a condition changes.
// Only one goroutine may use it. It does not allocate after NewRotation.
type Rotation struct {
	pages  []Page
	states []state
	in     []Condition

	now   time.Time
	shown int
	why   Why
	since time.Time // time since which shown is shown for this reason

	turn      int // index of the page in turn, -1 if all have triggers
	turnSince time.Time
	touched   time.Time // zero for never

	hand       int // index of the page chosen by hand, -1 for none
	handSince  time.Time
	handLength time.Duration // 0 until Auto
}

// state is the state of a trigger.
type state struct {
	since  time.Time // start of its condition, zero while it does not hold
	active bool
	begun  time.Time
	until  time.Time // earliest time of its end
	rest   time.Time // earliest time of its next start
}

// NewRotation returns a rotation of at least one page. Until the first step, the pages without a condition are in turn.
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

// Step updates the rotation for a time, with the conditions of each page at that time.
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

// Since returns the time since which the page is shown for this reason.
func (r *Rotation) Since() time.Time { return r.since }

// Awake reports whether the shown page keeps the screen on.
func (r *Rotation) Awake() bool { return r.why == Fired && r.pages[r.shown].Trigger.Wake }

// Show shows a page for a time, or until Auto if hold is 0.
func (r *Rotation) Show(i int, hold time.Duration, now time.Time) {
	r.hand, r.handSince, r.handLength = i, now, hold
	r.why = Hand
	r.shown, r.since = i, now
}

// Go shows the next page in turn, or the previous one if by is -1, for a time. If hold is 0, the time is the page's dwell. It
// returns false if there is no other page.
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

// Touched records a person at the screen. The rotation pauses for TouchPause.
func (r *Rotation) Touched(now time.Time) { r.touched = now }

// due returns the end of the page in turn.
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

// Auto lets the rules choose again.
func (r *Rotation) Auto(now time.Time) {
	r.release()
	r.Step(now, r.in)
}

// release ends a choice by hand. If the page is in the rotation, the rotation continues there.
func (r *Rotation) release() {
	if r.hand >= 0 && r.inTurn(r.hand) {
		r.turn, r.turnSince = r.hand, r.handSince
		r.why = Turn
	}
	r.hand = -1
}

// follow updates the state of a trigger.
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

// lasts reports whether an active trigger continues, regardless of its hold.
func (r *Rotation) lasts(i int) bool { return r.in[i].When && !r.in[i].Clear }

// ripe returns the time when a trigger with a true condition begins.
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
		if r.why != Fired || r.shown != i { // the page is shown for at least Hold, whenever its condition began
			if until := r.now.Add(r.pages[i].Trigger.Hold); until.After(r.states[i].until) {
				r.states[i].until = until
			}
		}
		r.show(i, Fired)
		return
	}
	r.take()
}

// strongest returns the page with the strongest active trigger, or -1. A lower priority number is stronger. Among equals, the
// newer trigger is stronger. During its hold, a page is only replaced by a stronger one.
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

// inTurn reports whether a page is currently in the rotation.
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

// after returns the next page in turn, or the previous one if by is -1. If there is no other page, it returns from.
func (r *Rotation) after(from, by int) int {
	n := len(r.pages)
	for k := 1; k < n; k++ {
		if i := ((from+by*k)%n + n) % n; r.inTurn(i) {
			return i
		}
	}
	return from
}
