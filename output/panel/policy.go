package panel

import "time"

// An Action describes how a panel shows a new picture.
type Action uint8

// The actions.
const (
	Skip    Action = iota // do nothing
	Partial               // refresh only the changed part, without flashing
	Full                  // refresh the whole panel, which flashes
	Clean                 // show white, black and white, and then the picture. This removes traces of old pictures
)

// String returns the name of the action.
func (a Action) String() string { return [...]string{"skip", "partial", "full", "clean"}[a] }

const (
	// DefaultFullEvery is the default of Policy.FullEvery. Guides recommend 5 to 20.
	DefaultFullEvery = 10
	// partialFor bounds the time without a full refresh. If the latest full refresh is at least partialFor ago and a partial refresh has
	// followed it, the next change causes a full refresh.
	partialFor = time.Hour
	// partialShare is a threshold in tenths of the panel's rows. If at least this share of the rows has changed, the whole panel is
	// refreshed.
	partialShare = 4
	// cleanHour is the hour in the night at which panels with partial refreshes are cleaned.
	cleanHour = 3
)

// A Policy decides when and how a panel is refreshed.
type Policy struct {
	Partial     bool           // the panel can refresh a part
	FullEvery   int            // number of partial refreshes between two full refreshes
	MinInterval time.Duration  // minimum time between two updates
	Location    *time.Location // time zone for the time of cleaning
}

// A State is the information that a policy has about a panel. With the zero value, the next update is a full refresh.
type State struct {
	Known    bool      // the content of the panel is known, because the latest update was completed
	Partials int       // number of partial refreshes since the latest full refresh
	Full     time.Time // time of the latest full refresh
	Cleaned  time.Time // time of the latest cleaning
	Updated  time.Time // start of the latest update
}

// A Change is the difference between the shown and the next picture.
type Change struct {
	Equal bool
	Rows  int // number of rows with differences
	Of    int // number of rows of the panel
}

// Next returns the action for a change at the time `now`. If it is too early for an update, `again` is the time of the next attempt.
func (p Policy) Next(s State, now time.Time, c Change) (a Action, again time.Time) {
	// If the time of the latest update lies in the future, the clock was wrong, and MinInterval is ignored.
	if early := s.Updated.Add(p.MinInterval); now.Before(early) && !now.Before(s.Updated) {
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

// night() returns the latest time of cleaning before `now`.
func (p Policy) night(now time.Time) time.Time {
	at := now.In(p.Location)
	for back := 0; ; back++ {
		if t := time.Date(at.Year(), at.Month(), at.Day()-back, cleanHour, 0, 0, 0, p.Location); !t.After(now) {
			return t
		}
	}
}

// NextNight returns the next time of cleaning after `now`.
func (p Policy) NextNight(now time.Time) time.Time {
	at := now.In(p.Location)
	for ahead := 0; ; ahead++ {
		if t := time.Date(at.Year(), at.Month(), at.Day()+ahead, cleanHour, 0, 0, 0, p.Location); t.After(now) {
			return t
		}
	}
}

// Begin returns the state during an update. During an update, the content of the panel counts as unknown, because the power may fail.
func (s State) Begin(now time.Time) State {
	s.Known, s.Updated = false, now
	return s
}

// Done returns the state after the action was completed.
func (s State) Done(a Action, now time.Time) State {
	s.Known = true
	switch a {
	case Partial:
		s.Partials++
	case Full, Clean:
		s.Partials, s.Full = 0, now
		if a == Clean || s.Cleaned.IsZero() || s.Cleaned.After(now) { // a new panel counts as clean until the next night
			s.Cleaned = now
		}
	}
	return s
}
