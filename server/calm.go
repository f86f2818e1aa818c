package server

import "time"

// A calm line belongs to a client that fetches whole frames, such as Grydgets. Of a transition it gets only the last frame, because
// otherwise the client would fetch every frame of the transition.
const (
	// calmFor is the time for which a frame must be unchanged before calm lines get it. The first frame after such a rest is sent
	// immediately, for example a clock tick. The value equals Grydgets' debounce.
	calmFor = 200 * time.Millisecond
	// calmMost is the maximum waiting time, so that an endless animation is visible.
	calmMost = 5 * calmFor
)

// A rhythm records the arrival of frames.
type rhythm struct {
	latest  *event
	at      time.Time // arrival of latest
	resting bool      // true if the previous frame had been unchanged for calmFor at that time
}

// note records the newest frame.
func (r *rhythm) note(latest *event, now time.Time) {
	if latest == r.latest {
		return
	}
	r.resting = r.latest == nil || now.Sub(r.at) >= calmFor
	r.latest, r.at = latest, now
}

// hold returns the waiting time of a line, or 0 if it need not wait.
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
