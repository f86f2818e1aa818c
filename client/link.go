package client

import "time"

// A State is how the connection is.
type State uint8

// The states; see the package comment.
const (
	Down State = iota
	Connected
	Stale
	Rejected
)

// String names the state.
func (s State) String() string { return [...]string{"down", "connected", "stale", "rejected"}[s] }

// warns reports whether the screen says that something is wrong.
func (s State) warns() bool { return s == Stale || s == Rejected }

// A link is the state machine. It knows the time only from its arguments, and is not safe for concurrent use.
type link struct {
	staleAfter time.Duration
	connected  bool
	rejected   bool
	since      time.Time // when it went down; the start counts
	dark       bool      // the wall's screen is off, as was last told
	light      Light     // how bright that is, likewise
}

func newLink(now time.Time, staleAfter time.Duration) link {
	return link{staleAfter: staleAfter, since: now}
}

// opened notes that events come in.
func (l *link) opened() { l.connected = true }

// darkLimit is how long a screen stays off of whose wall nothing is known any more.
const darkLimit = 12 * time.Hour

// off reports whether the screen is to be off, as that of the wall: also while the wall cannot be reached, but not for ever.
func (l *link) off(now time.Time) bool {
	return l.dark && !l.rejected && (l.connected || now.Before(l.since.Add(darkLimit)))
}

// closed notes that none come in any more. While it is closed already, nothing changes: downtime goes on.
func (l *link) closed(now time.Time) {
	if l.connected {
		l.connected, l.since = false, now
	}
}

// refused notes that the token was not taken.
func (l *link) refused() { l.rejected = true }

// accepted notes any other answer to a request for a frame.
func (l *link) accepted() { l.rejected = false }

// state returns the state at a time.
func (l *link) state(now time.Time) State {
	switch {
	case l.rejected:
		return Rejected
	case l.connected:
		return Connected
	case now.Before(l.turns()):
		return Down
	}
	return Stale
}

// turns is when a link that stays down becomes stale.
func (l *link) turns() time.Time { return l.since.Add(l.staleAfter) }

// next returns when the state changes by itself, zero if it does not.
func (l *link) next(now time.Time) time.Time {
	if l.state(now) == Down {
		return l.turns()
	}
	return time.Time{}
}
