package server

import "time"

// Calm lines are those of clients that fetch whole pictures, as Grydgets' do: a transition would have them fetch as many
// as they can. They are told of the picture it leads to.
const (
	// calmFor is how long a frame rests before calm lines are told of it, unless it comes after such a rest itself: a
	// clock's tick is told at once. It is Grydgets' debounce.
	calmFor = 200 * time.Millisecond
	// calmMost is how long they are told nothing while frames go on coming: an endless animation is still seen.
	calmMost = 5 * calmFor
)

// A rhythm knows when frames came.
type rhythm struct {
	latest  *event
	at      time.Time // when latest came
	resting bool      // the one before had been there for calmFor by then
}

// note takes notice of the newest frame.
func (r *rhythm) note(latest *event, now time.Time) {
	if latest == r.latest {
		return
	}
	r.resting = r.latest == nil || now.Sub(r.at) >= calmFor
	r.latest, r.at = latest, now
}

// hold returns for how long a line is told nothing yet; 0 if it need not wait.
func (r *rhythm) hold(l *line, fresh bool, now time.Time) time.Duration {
	switch {
	case !fresh:
		l.owed = time.Time{}
		return 0
	case !l.calm || l.told == nil:
		return 0
	case l.owed.IsZero():
		l.owed = now
	}
	due := r.at.Add(calmFor)
	if r.resting {
		due = r.at
	}
	if most := l.owed.Add(calmMost); most.Before(due) {
		due = most
	}
	if again := l.said.Add(calmFor); again.After(due) {
		due = again
	}
	return max(0, due.Sub(now))
}
