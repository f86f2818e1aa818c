package fetch

import (
	"net/http"
	"strconv"
	"time"
)

// maxRetryAfter keeps a number of seconds within a time.Duration; who waits has a bound of its own.
const maxRetryAfter = 30 * 24 * time.Hour

// retryAfter reads the header of that name: a number of seconds or a date; 0 for what is neither or is over.
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
