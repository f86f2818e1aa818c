package panel

import "time"

// An Action is the response to a new picture.
type Action uint8

// The actions.
const (
	Skip    Action = iota // nothing
	Partial               // only what changed, without a flash
	Full                  // everything, with the panel's own flashing
	Clean                 // white, black, white, then everything: against shadows of old pictures
)

// String names the action.
func (a Action) String() string { return [...]string{"skip", "partial", "full", "clean"}[a] }

const (
	// DefaultFullEvery is the default number of partial refreshes before a full one. Guides recommend 5 to 20.
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
	MinInterval time.Duration  // from one update to the next
	Location    *time.Location // of the night
}

// A State is what a policy knows of a panel. The zero value knows nothing: the next update is a full one.
type State struct {
	Known    bool      // the content of the panel is known: the latest update was completed
	Partials int       // since the latest full refresh
	Full     time.Time // when that was
	Cleaned  time.Time // when all of the panel was last white and black
	Updated  time.Time // when the latest update began
}

// A Change is the difference between the next and the shown picture.
type Change struct {
	Equal bool
	Rows  int // that differ
	Of    int // rows of the panel
}

// Next returns the action for a change. If it is too early, it returns the time of the next try.
func (p Policy) Next(s State, now time.Time, c Change) (a Action, again time.Time) {
	if early := s.Updated.Add(p.MinInterval); now.Before(early) && !now.Before(s.Updated) { // else the clock was wrong
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

// night is the latest moment before now at which panels are cleaned.
func (p Policy) night(now time.Time) time.Time {
	at := now.In(p.Location)
	for back := 0; ; back++ {
		if t := time.Date(at.Year(), at.Month(), at.Day()-back, cleanHour, 0, 0, 0, p.Location); !t.After(now) {
			return t
		}
	}
}

// NextNight is the next moment after now at which panels are cleaned.
func (p Policy) NextNight(now time.Time) time.Time {
	at := now.In(p.Location)
	for ahead := 0; ; ahead++ {
		if t := time.Date(at.Year(), at.Month(), at.Day()+ahead, cleanHour, 0, 0, 0, p.Location); t.After(now) {
			return t
		}
	}
}

// Begin is the state while an update is under way: if it ends here, with the power, nothing is known.
func (s State) Begin(now time.Time) State {
	s.Known, s.Updated = false, now
	return s
}

// Done is the state after an update that was begun.
func (s State) Done(a Action, now time.Time) State {
	s.Known = true
	switch a {
	case Partial:
		s.Partials++
	case Full, Clean:
		s.Partials, s.Full = 0, now
		if a == Clean || s.Cleaned.IsZero() || s.Cleaned.After(now) { // a panel that begins is as good as clean until night
			s.Cleaned = now
		}
	}
	return s
}
