package client

import "time"

// A State is the state of the connection.
type State uint8

// States. See the package comment.
const (
	Down State = iota
	Connected
	Stale
	Rejected
)

// String names the state.
func (s State) String() string { return [...]string{"down", "connected", "stale", "rejected"}[s] }

// warns reports whether the screen shows a problem.
func (s State) warns() bool { return s == Stale || s == Rejected }

// A link is the state machine. It knows the time only from its arguments, and is not safe for concurrent use.
type link struct {
	staleAfter time.Duration
	connected  bool
	rejected   bool
	since      time.Time // start of Down. The program's start counts
	dark       bool      // the wall's screen is off, according to its latest message
	light      Light     // brightness and warmth of that screen, likewise
}

func newLink(now time.Time, staleAfter time.Duration) link {
	return link{staleAfter: staleAfter, since: now}
}

// opened records that events arrive.
func (l *link) opened() { l.connected = true }

// darkLimit limits the time for which a screen stays off without a connection.
const darkLimit = 12 * time.Hour

// off reports whether the screen should be off like the wall's screen. Without a connection it stays off until darkLimit.
func (l *link) off(now time.Time) bool {
	return l.dark && !l.rejected && (l.connected || now.Before(l.since.Add(darkLimit)))
}

// closed records the end of the connection. If it was closed already, the downtime continues.
func (l *link) closed(now time.Time) {
	if l.connected {
		l.connected, l.since = false, now
	}
}

// refused records that the token was rejected.
func (l *link) refused() { l.rejected = true }

// accepted records any other answer to a request for a frame.
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

// turns returns the time when a down link becomes stale.
func (l *link) turns() time.Time { return l.since.Add(l.staleAfter) }

// next returns the time when the state changes, or zero for never.
func (l *link) next(now time.Time) time.Time {
	if l.state(now) == Down {
		return l.turns()
	}
	return time.Time{}
}
