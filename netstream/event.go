package netstream

import (
	"math"
	"strconv"
	"time"
)

// A Published announces one frame. It holds the frame's tag without size and quotes: a hash of the frame's pixels, 16 hexadecimal digits.
// It also holds the publication time in whole microseconds.
type Published struct {
	ETag string
	At   time.Time
}

// AppendEvent appends the text of the event that announces the frame, including the blank line at its end.
//
//	data: {"etag": "1f0c8f6d5b1f0a33", "published_at": 1795235340.354578}
func (p Published) AppendEvent(dst []byte) []byte {
	dst = append(dst, `data: {"etag": "`...)
	dst = append(dst, p.ETag...)
	dst = append(dst, `", "published_at": `...)
	seconds := unixSeconds(p.At)
	dst = strconv.AppendFloat(dst, seconds, 'f', -1, 64)
	if seconds == math.Trunc(seconds) {
		dst = append(dst, ".0"...) // add a decimal point, for clients that require a float
	}
	return append(dst, "}\n\n"...)
}

// AppendUnix appends a time in the format of the header X-Frame-Published-At: Unix seconds with six decimals.
func AppendUnix(dst []byte, at time.Time) []byte {
	return strconv.AppendFloat(dst, unixSeconds(at), 'f', 6, 64)
}

// unixSeconds returns t in Unix seconds, for events and headers. In this century, a float64 is exact to a microsecond.
func unixSeconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
