package server

import "time"

// A calm line belongs to a client that fetches whole frames, such as Grydgets. During a transition the client would otherwise fetch every
// frame. So a calm line receives only the first and the last frame of a transition, and one frame in every second (calmMost).
const (
	// calmFor is the time without a change after which calm lines receive a frame. If a frame
	// changes the wall after at least this time without a change, it is sent immediately. An
	// example of such a frame is the tick of a clock. The value is the same as Grydgets' debounce.
	calmFor = 200 * time.Millisecond
	// calmMost is the maximum time for which a calm line waits. It makes an endless animation visible.
	calmMost = 5 * calmFor
)

// A rhythm records when frames arrive.
type rhythm struct {
	latest  *event
	at      time.Time // time at which the latest frame arrived
	resting bool      // true if the frame before the latest frame had stayed unchanged for calmFor
}

// note records the newest frame.
func (r *rhythm) note(latest *event, now time.Time) {
	if latest == r.latest {
		return
	}
	r.resting = r.latest == nil || now.Sub(r.at) >= calmFor
	r.latest, r.at = latest, now
}

// hold returns the time for which a line must wait, or 0 if it must not wait.
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
