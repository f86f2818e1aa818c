package client

import "time"

// A State is the state of the connection.
type State uint8

// The states are described in the package comment.
const (
	Down State = iota
	Connected
	Stale
	Rejected
)

// String returns the name of the state.
func (s State) String() string { return [...]string{"down", "connected", "stale", "rejected"}[s] }

// warns() reports whether the screen must show a problem.
func (s State) warns() bool { return s == Stale || s == Rejected }

// A link is the state machine of the connection. It gets the time only from the arguments of its
// methods. It is not safe for concurrent use.
type link struct {
	staleAfter time.Duration
	connected  bool
	rejected   bool
	empty      bool      // there was no frame yet, so the screen is black
	unpainted  bool      // the service has no frame yet
	failed     bool      // a connection has failed
	since      time.Time // start of the downtime: the end of the connection, or the start of the program
	dark       bool      // the wall's screen is off, according to the last report of the service
	light      Light     // brightness and warmth of the wall's screen, according to the last report of the service
}

func newLink(now time.Time, staleAfter time.Duration) link {
	return link{staleAfter: staleAfter, since: now, empty: true}
}

// opened() records that the event stream is open.
func (l *link) opened() { l.connected = true }

// darkLimit is the maximum time for which the screen stays off without a connection.
const darkLimit = 12 * time.Hour

// off() reports whether the screen should be off because the wall's screen is off. Without a connection, the last report is valid for at
// most darkLimit after the connection was lost.
func (l *link) off(now time.Time) bool {
	return l.dark && !l.rejected && (l.connected || now.Before(l.since.Add(darkLimit)))
}

// closed() records the end of the connection. If the connection was already lost, the downtime continues.
func (l *link) closed(now time.Time) {
	if l.connected {
		l.connected, l.since = false, now
	}
	l.failed, l.unpainted = true, false
}

// refused() records that the service has rejected the token.
func (l *link) refused() { l.rejected = true }

// accepted() records that the service has accepted the token.
func (l *link) accepted() { l.rejected = false }

// state() returns the state at the time `now`.
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

// turns() returns the time at which a link without a connection becomes stale.
func (l *link) turns() time.Time { return l.since.Add(l.staleAfter) }

// emptyTime is the maximum time for which the screen is black before the first frame. An answer usually takes less than a second.
const emptyTime = 2 * time.Second

// shown() returns the state that the screen shows. A screen without a frame does not wait until the link is stale. It shows at once that
// the first attempt has failed, or that the service has no frame. If there is no answer, it shows this problem after emptyTime.
func (l *link) shown(now time.Time) State {
	s := l.state(now)
	if l.empty && l.unpainted && s == Connected {
		return Stale
	}
	if s == Down && l.empty && (l.failed || !now.Before(l.since.Add(emptyTime))) {
		return Stale
	}
	return s
}

// next() returns the time of the next change of the shown state, or zero for never.
func (l *link) next(now time.Time) time.Time {
	switch {
	case l.shown(now) == Down && l.empty:
		return earliest(l.turns(), l.since.Add(emptyTime))
	case l.state(now) == Down:
		return l.turns()
	}
	return time.Time{}
}
