package server

import "time"

// A calm line is the /events connection of a client that fetches whole frames, such as Grydgets. It receives only the first and the last
// frame of a transition, and one frame in every second (calmMost). Without this limit, the client would fetch every frame of a
// transition.
const (
	// calmFor is the time without a change after which calm lines receive a frame. If the wall had no change for at least calmFor, the
	// next frame is sent immediately. An example of such a frame is the tick of a clock. The value is the same as Grydgets' debounce.
	calmFor = 200 * time.Millisecond
	// calmMost is the maximum time for which a calm line waits. It makes an endless animation visible.
	calmMost = 5 * calmFor
)

// A rhythm records when frames arrive.
type rhythm struct {
	latest  *event
	at      time.Time // time at which the latest frame arrived
	resting bool      // true if no frame arrived for at least calmFor before the latest frame
}

// note records the newest frame.
func (r *rhythm) note(latest *event, now time.Time) {
	if latest == r.latest {
		return
	}
	r.resting = r.latest == nil || now.Sub(r.at) >= calmFor
	r.latest, r.at = latest, now
}

// hold returns the time for which a line must wait before it gets the newest frame, or 0 if it must not wait.
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
