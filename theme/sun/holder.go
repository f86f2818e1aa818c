package sun

import (
	"cmp"
	"errors"
	"sync"
	"time"
)

// `recheck` is half the window. If the sun does not rise or set within the window, the package searches for the next change again after
// this time, so that it misses no change.
const recheck = Window / 2

// ErrNoPlace is the error of a request to follow the sun if the configuration has no coordinates. Callers show its text to the user.
var ErrNoPlace = errors.New("'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block")

// A Hold defines how long a manually chosen mode lasts.
type Hold string

// The two values of a Hold.
const (
	HoldNext    Hold = "next"    // until the next sunrise or sunset
	HoldForever Hold = "forever" // until a request to follow the sun
)

// A State describes the mode of the theme at one time. If a field of type time is zero, there is no such time. If a mode is empty, there
// is no such mode.
type State struct {
	Mode         Mode
	FollowingSun bool
	HeldUntil    time.Time // time at which the hold ends automatically
	NextChange   time.Time // time of the schedule's next change, also during a hold
	NextMode     Mode      // mode after that change
}

// A Holder determines the mode of the theme. It follows the sun, or it holds a mode that was chosen manually. The methods are safe for
// concurrent use. Until the sun's next change, calls are cheap.
type Holder struct {
	mu        sync.Mutex // guards all fields below
	schedule  *Schedule
	otherwise Mode
	held      Mode      // mode that was chosen manually, or ""
	until     time.Time // end of the hold, zero if the end is unknown
	unset     bool      // true if the hold lasts until the next change and the time of this change is not known yet

	// The field mode is the schedule's mode from cachedFrom to cachedTo. These times have no
	// monotonic readings, because a monotonic clock continues when the wall clock is set back.
	cachedFrom, cachedTo time.Time
	mode                 Mode
	next                 Change // zero if no change is within Window
}

// NewHolder returns a Holder that follows a schedule. If s is nil, the mode is `otherwise` until it is changed manually.
func NewHolder(s *Schedule, otherwise Mode) *Holder {
	h := &Holder{}
	h.Reconfigure(s, otherwise)
	return h
}

// Reconfigure replaces the schedule, which may be nil, and the default mode. A current hold continues. If the new schedule is nil, the
// hold does not end. Otherwise it ends at the time that was planned before. If there was no schedule when HoldNext was set, the hold ends
// at the new schedule's next change.
func (h *Holder) Reconfigure(s *Schedule, otherwise Mode) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedule, h.otherwise = nil, otherwise
	if s != nil {
		own := *s
		h.schedule = &own
	}
	h.cachedFrom, h.cachedTo = time.Time{}, time.Time{}
}

// At returns the state at a time. If the hold has expired by then, it ends.
func (h *Holder) At(now time.Time) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stateLocked(now)
}

// Set holds a mode from now on. With HoldNext, the hold has no automatic end if there is no next change within [Window].
func (h *Holder) Set(mode Mode, hold Hold, now time.Time) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held, h.until, h.unset = mode, time.Time{}, hold == HoldNext
	return h.stateLocked(now)
}

// Auto ends a hold, so that the Holder follows the sun again. Without a schedule, it changes nothing and returns [ErrNoPlace].
func (h *Holder) Auto(now time.Time) (State, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.schedule == nil {
		return h.stateLocked(now), ErrNoPlace
	}
	h.releaseLocked()
	return h.stateLocked(now), nil
}

// Wake returns the next time at which the mode may change automatically, or zero. A caller that calls Wake again at this time misses no
// change.
func (h *Holder) Wake(now time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	st := h.stateLocked(now)
	switch {
	case st.FollowingSun:
		return h.cachedTo
	default:
		return st.HeldUntil
	}
}

// releaseLocked ends the hold. The caller must hold mu.
func (h *Holder) releaseLocked() { h.held, h.until, h.unset = "", time.Time{}, false }

func (h *Holder) stateLocked(now time.Time) State {
	if h.schedule == nil {
		return State{Mode: cmp.Or(h.held, h.otherwise)}
	}
	h.lookLocked(now)
	if h.unset {
		h.until, h.unset = h.next.At, false
	}
	if h.held != "" && !h.until.IsZero() && !now.Before(h.until) {
		h.releaseLocked()
	}
	st := State{Mode: h.mode, FollowingSun: true, NextChange: h.next.At, NextMode: h.next.Mode}
	if h.held != "" {
		st.Mode, st.FollowingSun, st.HeldUntil = h.held, false, h.until
	}
	return st
}

// lookLocked computes the schedule's mode, unless the cached mode is valid at the time `now`. The cached mode is also invalid after the
// clock was set back. The caller must hold mu.
func (h *Holder) lookLocked(now time.Time) {
	now = now.Round(0)
	if !now.Before(h.cachedFrom) && now.Before(h.cachedTo) {
		return
	}
	h.mode = h.schedule.Mode(now)
	next, ok := h.schedule.nextFrom(now, h.mode)
	h.cachedFrom, h.cachedTo, h.next = now, now.Add(recheck), next
	if ok {
		h.cachedTo = next.At
	}
}
