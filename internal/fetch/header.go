package fetch

import (
	"net/http"
	"time"
)

// expires() returns the time until which a response is valid (RFC 9111, section 5.3), or the zero time if no header states it.
func expires(h http.Header) time.Time {
	t, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return time.Time{}
	}
	return t
}
