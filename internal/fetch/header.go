package fetch

import (
	"net/http"
	"time"
)

// expires is until when an answer is good (RFC 9111, section 5.3), or zero if it has no such header.
func expires(h http.Header) time.Time {
	t, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return time.Time{}
	}
	return t
}
