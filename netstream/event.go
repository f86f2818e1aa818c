package netstream

import (
	"math"
	"strconv"
	"time"
)

// A Published describes one announced frame: its tag without size and quotes (16 hex digits of a hash of its pixels), and the
// time at which it became the current frame, in whole microseconds.
type Published struct {
	ETag string
	At   time.Time
}

// AppendEvent appends the text of the event that announces the frame, blank line included.
//
//	data: {"etag": "1f0c8f6d5b1f0a33", "published_at": 1795235340.354578}
func (p Published) AppendEvent(dst []byte) []byte {
	dst = append(dst, `data: {"etag": "`...)
	dst = append(dst, p.ETag...)
	dst = append(dst, `", "published_at": `...)
	seconds := unixSeconds(p.At)
	dst = strconv.AppendFloat(dst, seconds, 'f', -1, 64)
	if seconds == math.Trunc(seconds) {
		dst = append(dst, ".0"...) // the value stays a float for clients that check the type
	}
	return append(dst, "}\n\n"...)
}

// AppendUnix appends a time in the form of the header X-Frame-Published-At: Unix seconds with six decimals.
func AppendUnix(dst []byte, at time.Time) []byte {
	return strconv.AppendFloat(dst, unixSeconds(at), 'f', 6, 64)
}

// unixSeconds returns the time in the form of event and header. A float64 is exact to a microsecond in this century.
func unixSeconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
