package fetch

import (
	"net/http"
	"strconv"
	"time"
)

// maxRetryAfter limits the pause, so that it fits in a time.Duration. Callers have a lower limit of their own.
const maxRetryAfter = 30 * 24 * time.Hour

// retryAfter parses a Retry-After header: a number of seconds or a date. It returns 0 for other values and past dates, and at most
// maxRetryAfter.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
