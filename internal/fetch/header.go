package fetch

import (
	"net/http"
	"time"
)

// expires() returns the time until which a response is valid (RFC 9111, section 5.3), or the zero time if no header states it. `now` is the
// time of this machine.
func expires(h http.Header, now time.Time) time.Time {
	t, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return time.Time{}
	}
	return t.Add(now.Sub(serverTime(h, now)))
}

// serverTime returns the time at which a server has sent its response (RFC 9110, section 6.6.1), or `now` if that time is earlier or
// unknown. A board without a battery starts with a clock that is hours behind, and requests may come before the clock is set. Compared with
// this clock, the times of a server are far away.
func serverTime(h http.Header, now time.Time) time.Time {
	if t, err := http.ParseTime(h.Get("Date")); err == nil && t.After(now) {
		return t
	}
	return now
}
