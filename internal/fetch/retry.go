package fetch

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// maxRetryAfter limits the pause that retryAfter returns, so that the pause fits in a time.Duration. Callers have a lower limit of their
// own.
const maxRetryAfter = 30 * 24 * time.Hour

// retryAfter parses the header Retry-After, which is a number of seconds or a date. The result is at most maxRetryAfter. For other values
// and past dates, retryAfter returns 0. `now` is the time of this machine.
func retryAfter(h http.Header, now time.Time) time.Duration {
	header := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(header, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(serverTime(h, now)), 0), maxRetryAfter)
}
