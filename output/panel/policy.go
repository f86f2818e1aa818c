package panel

import "time"

// An Action is the response to a new picture.
type Action uint8

// The actions.
const (
	Skip    Action = iota // nothing
	Partial               // refreshes only changed parts, without flashing
	Full                  // refreshes everything, with the panel's own flashing
	Clean                 // shows white, black, white, and then everything, which removes shadows of old pictures
)

// String returns the name of the action.
func (a Action) String() string { return [...]string{"skip", "partial", "full", "clean"}[a] }

const (
	// DefaultFullEvery is the default number of partial refreshes before a full refresh. Guides recommend 5 to 20.
	DefaultFullEvery = 10
	// partialFor limits the time without a full refresh.
	partialFor = time.Hour
	// partialShare is the share of changed rows, in tenths, that causes a full refresh.
	partialShare = 4
	// cleanHour is the hour of the nightly cleaning.
	cleanHour = 3
)

// A Policy decides when and how a panel is refreshed.
type Policy struct {
	Partial     bool           // the panel can refresh a part
	FullEvery   int            // number of partial refreshes before a full one
	MinInterval time.Duration  // minimum time between two updates
	Location    *time.Location // time zone of the night
}

// A State is the information that a policy has about a panel. For the zero value, the next update is a full one.
type State struct {
	Known    bool      // the content of the panel is known: the latest update was completed
	Partials int       // number of partial refreshes since the latest full one
	Full     time.Time // time of the latest full refresh
	Cleaned  time.Time // time at which the whole panel was last white and black
	Updated  time.Time // start of the latest update
}

// A Change is the difference between the next and the shown picture.
type Change struct {
	Equal bool
	Rows  int // number of rows that differ
	Of    int // number of rows of the panel
}

// Next returns the action for a change. If it is too early, it returns the time of the next try.
func (p Policy) Next(s State, now time.Time, c Change) (a Action, again time.Time) {
	if early := s.Updated.Add(p.MinInterval); now.Before(early) && !now.Before(s.Updated) { // otherwise the clock was wrong
		return Skip, early
	}
	switch {
	case !s.Known:
		return Full, time.Time{}
	case p.Partial && s.Cleaned.Before(p.night(now)):
		return Clean, time.Time{}
	case c.Equal:
		return Skip, time.Time{}
	case !p.Partial, c.Rows*10 >= c.Of*partialShare, s.Partials >= p.FullEvery:
		return Full, time.Time{}
	case s.Partials > 0 && (now.Sub(s.Full) >= partialFor || now.Before(s.Full)):
		return Full, time.Time{}
	}
	return Partial, time.Time{}
}

// night returns the latest time before now at which panels are cleaned.
func (p Policy) night(now time.Time) time.Time {
	at := now.In(p.Location)
	for back := 0; ; back++ {
		if t := time.Date(at.Year(), at.Month(), at.Day()-back, cleanHour, 0, 0, 0, p.Location); !t.After(now) {
			return t
		}
	}
}

// NextNight returns the next time after now at which panels are cleaned.
func (p Policy) NextNight(now time.Time) time.Time {
	at := now.In(p.Location)
	for ahead := 0; ; ahead++ {
		if t := time.Date(at.Year(), at.Month(), at.Day()+ahead, cleanHour, 0, 0, 0, p.Location); t.After(now) {
			return t
		}
	}
}

// Begin returns the state during an update. If the power fails then, the content of the panel is unknown.
func (s State) Begin(now time.Time) State {
	s.Known, s.Updated = false, now
	return s
}

// Done returns the state after a completed update.
func (s State) Done(a Action, now time.Time) State {
	s.Known = true
	switch a {
	case Partial:
		s.Partials++
	case Full, Clean:
		s.Partials, s.Full = 0, now
		if a == Clean || s.Cleaned.IsZero() || s.Cleaned.After(now) { // a new panel counts as clean until the night
			s.Cleaned = now
		}
	}
	return s
}
