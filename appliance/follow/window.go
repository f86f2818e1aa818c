package follow

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// A Window is a part of each day, in minutes since midnight. It may cross midnight. The zero value is the whole day.
type Window struct{ From, To int }

const (
	minutesOfHour, minutesOfDay = 60, 24 * 60
	// DefaultWindow is the window if update_window is not set.
	DefaultWindow = "03:00-04:00"
)

// ErrWindow is the error for a text that is not a window.
var ErrWindow = errors.New("two times as 03:00-04:00")

// ParseWindow reads a window such as 03:00-04:00.
func ParseWindow(text string) (w Window, err error) {
	from, to, ok := strings.Cut(text, "-")
	a, okA := minutes(from)
	b, okB := minutes(to)
	if !ok || !okA || !okB {
		return w, ErrWindow
	}
	return Window{a, b}, nil
}

// minutes() reads a time of day such as 03:00.
func minutes(text string) (int, bool) {
	hour, minute, ok := strings.Cut(strings.TrimSpace(text), ":")
	h, err := strconv.ParseUint(hour, 10, 8)
	m, err2 := strconv.ParseUint(minute, 10, 8)
	at := int(h)*minutesOfHour + int(m)
	return at, ok && err == nil && err2 == nil && m < minutesOfHour && at <= minutesOfDay && len(minute) == len("00")
}

// String implements fmt.Stringer.
func (w Window) String() string {
	return clock(w.From) + "-" + clock(w.To)
}

func clock(at int) string {
	two := func(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }
	return two(at/minutesOfHour) + ":" + two(at%minutesOfHour)
}

// open() reports whether a board may install at the time `now`. After the window opens, the board first waits for the fraction `share`
// (at least 0, less than 1) of the window's first half.
func (w Window) open(now time.Time, share float64) bool {
	length := (w.To - w.From + minutesOfDay) % minutesOfDay
	if length == 0 {
		return true
	}
	since := (now.Hour()*minutesOfHour + now.Minute() - w.From + minutesOfDay) % minutesOfDay
	return since < length && since >= int(share*float64(length)/2)
}
