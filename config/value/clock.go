package value

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/internal/localtime"
	"dashboard/internal/spelling"
)

// An Event is the time from which a time of day is counted: midnight, sunrise or sunset.
type Event uint8

// The events.
const (
	Midnight Event = iota
	Sunrise
	Sunset
)

// A Clock is a time of day. It is a duration after midnight in local time, or a duration before or
// after sunrise or sunset. The zero value is midnight.
type Clock struct {
	Event  Event
	Offset time.Duration // 0 to 24 h after midnight, or −12 h to 12 h after sunrise or sunset. A negative offset is before the event
}

// maxSunOffset is the maximum distance from sunrise or sunset. A greater distance would reach another day.
const maxSunOffset = 12 * time.Hour

// TypeName implements config.TypeNamer.
func (*Clock) TypeName() string { return "clock time" }

// JSONSchema implements config.Describer. The schema allows numbers, because YAML reads an unquoted 6:30 as a number.
func (*Clock) JSONSchema() map[string]any {
	return anyOf(map[string]any{"type": "integer", "minimum": 0, "maximum": 1440},
		textSchema(`^([0-9]{1,2}:[0-9]{2}|(sunrise|sunset) *([+-].+)?)$`, "A time is '06:30', sunrise, or sunset-30m."))
}

// SetNode implements config.NodeSetter.
func (t *Clock) SetNode(n *config.Node, _ *config.Context) error {
	text, ok := scalar(n)
	if !ok {
		return mustBe(clockExample, n)
	}
	v, err := ParseClock(text)
	if err == nil {
		*t = v
	}
	return err
}

const clockExample = `a time such as "06:30", sunrise or sunset-30m`

var (
	timeOfDay = regexp.MustCompile(`^(\d{1,2}):(\d{2})$`)
	ofSun     = regexp.MustCompile(`^([a-z]+)(?:\s*([+-])\s*(.+))?$`)
)

// ParseClock parses a time of day.
func ParseClock(s string) (Clock, error) {
	if m := timeOfDay.FindStringSubmatch(s); m != nil {
		hour, _ := strconv.Atoi(m[1])
		minute, _ := strconv.Atoi(m[2])
		if hour > 24 || minute > 59 || hour == 24 && minute > 0 {
			return Clock{}, fmt.Errorf("there is no time %s: hours are 00 to 23 (24:00 is the end of the day), minutes 00 to 59", s)
		}
		return Clock{Offset: time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute}, nil
	}
	m := ofSun.FindStringSubmatch(s)
	if m == nil {
		return Clock{}, fmt.Errorf("must be %s, not %q", clockExample, s)
	}
	event, ok := map[string]Event{"sunrise": Sunrise, "sunset": Sunset}[m[1]]
	if !ok {
		near := spelling.Nearest(m[1], []string{"sunrise", "sunset"})
		if near != "" {
			near += s[len(m[1]):]
		}
		return Clock{}, wordError{fmt.Sprintf("must be %s, not %q", clockExample, s), near}
	}
	offset, ok := time.Duration(0), true
	if m[2] != "" {
		offset, ok = ParseDuration(m[3])
	}
	if !ok || offset > maxSunOffset {
		return Clock{}, fmt.Errorf("after %s%s there is a duration of at most 12h, such as 30m, not %q", m[1], m[2], m[3])
	}
	if m[2] == "-" {
		offset = -offset
	}
	return Clock{event, offset}, nil
}

// A Sun returns the times of sunrise and sunset on a day. If the day does not have both, or if the location is not known, ok is false. In
// this case, `rise` is not zero if the sun is up all day, and `set` is not zero if the sun is down all day.
type Sun func(day time.Time) (rise, set time.Time, ok bool)

// On returns the time of t on a day. If t depends on a sunrise or sunset that does not occur on this day, ok is false. If the local time
// occurs twice on this day, On returns the first time. If clocks are set forward and skip the local time, On uses the UTC offset before
// the skip.
func (t Clock) On(day time.Time, sun Sun) (at time.Time, ok bool) {
	if t.Event == Midnight {
		y, m, d := day.Date()
		return localtime.At(y, m, d, int(t.Offset/time.Minute), day.Location()), true
	}
	if sun == nil {
		return time.Time{}, false
	}
	rise, set, ok := sun(day)
	if t.Event == Sunset {
		rise = set
	}
	return rise.Add(t.Offset), ok
}

// A Window is a part of each day, from From up to but not including To. If To is before From, the window ends on the next day.
type Window struct{ From, To Clock }

// TypeName implements config.TypeNamer.
func (*Window) TypeName() string { return "window" }

// JSONSchema implements config.Describer.
func (*Window) JSONSchema() map[string]any {
	return textSchema(`^.+[-–].+$`, "A window is '22:00-06:00' or 'sunset+1h - sunrise'.")
}

// SetNode implements config.NodeSetter.
func (w *Window) SetNode(n *config.Node, _ *config.Context) error {
	text, ok := scalar(n)
	if !ok {
		return mustBe(windowExample, n)
	}
	v, err := ParseWindow(text)
	if err == nil {
		*w = v
	}
	return err
}

const windowExample = `a window such as "22:00-06:00" or "sunset+1h - sunrise"`

// twoTimes matches two times with a dash between them. There may be spaces around the dash.
var twoTimes = regexp.MustCompile(`^(\d{1,2}(?::\d{2})?|[a-z]+(?:\s*[+-]\s*[0-9][0-9a-z.]*)?)\s*[-–]\s*(\d{1,2}(?::\d{2})?|[a-z]+(?:\s*[+-]\s*[0-9][0-9a-z.]*)?)$`)

// ParseWindow parses a window. Full hours may be written without minutes, as in 07-22.
func ParseWindow(s string) (Window, error) {
	m := twoTimes.FindStringSubmatch(s)
	if m == nil {
		return Window{}, fmt.Errorf("must be %s, not %q", windowExample, s)
	}
	var w Window
	for i, into := range []*Clock{&w.From, &w.To} {
		text := m[i+1]
		if strings.Trim(text, "0123456789") == "" {
			text += ":00"
		}
		var err error
		if *into, err = ParseClock(text); err != nil {
			return Window{}, err
		}
	}
	if w.From == w.To || w.From.Event == Midnight && w.To.Event == Midnight && w.From.Offset%(24*time.Hour) == w.To.Offset%(24*time.Hour) && w.To.Offset-w.From.Offset != 24*time.Hour {
		return Window{}, errors.New("begins and ends at the same time; leave it out for the whole day")
	}
	return w, nil
}

// Holds reports whether `now` is in a window of a day for which `of` returns true, and returns noon of this day. If `of` is nil, all days
// count. A window belongs to the day of its From, for example to the day of a sunrise. Offsets and a late sunset can move both edges to the
// days before and after this day.
func (w Window) Holds(now time.Time, sun Sun, of func(day time.Time) bool) (in bool, day time.Time) {
	y, m, d := now.Date()
	for _, next := range w.days() {
		day = time.Date(y, m, d+next, 12, 0, 0, 0, now.Location())
		from, to, ok := w.On(day, sun)
		if ok && !now.Before(from) && now.Before(to) && (of == nil || of(day)) {
			return true, day
		}
	}
	return false, time.Time{}
}

// days returns the days whose windows may include a time, relative to the day of that time. 1 is the next day.
func (w Window) days() []int {
	switch {
	case w.From.Offset < 0: // the beginning can be on the day before
		return aroundDays[:]
	case w.From.Event != Midnight:
		return aroundDays[:3]
	}
	return aroundDays[:2]
}

var aroundDays = [...]int{0, -1, -2, 1}

// Next returns the first time after `now` at which a window begins or ends, or zero.
func (w Window) Next(now time.Time, sun Sun) (first time.Time) {
	for _, next := range aroundDays {
		from, to, ok := w.On(localtime.At(now.Year(), now.Month(), now.Day()+next, 12*60, now.Location()), sun)
		for _, at := range []time.Time{from, to} {
			if ok && at.After(now) && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
	}
	return first
}

// On returns the beginning and the end of the window of a day. If clocks are set forward and skip the whole window, or if one of its
// sunrises or sunsets does not occur, ok is false. If a time occurs twice, the window begins at its first occurrence and ends at its second
// occurrence. While the sun does not rise or set, a window between sunrise and sunset can last all day.
func (w Window) On(day time.Time, sun Sun) (from, to time.Time, ok bool) {
	first := 0
	if from, ok = w.From.On(day, sun); !ok {
		if !w.allDay(day, sun) {
			return from, to, false
		}
		from = localtime.At(day.Year(), day.Month(), day.Day(), 0, day.Location())
		if w.From.Event == Sunset { // a night lasts until the next sunrise
			first = 1
		}
	}
	for next := first; next <= mostDays; next++ {
		end := localtime.At(day.Year(), day.Month(), day.Day()+next, 12*60, day.Location())
		if to, ok = w.To.On(end, sun); !ok {
			return from, localtime.NextDay(end), w.allDay(end, sun)
		}
		if to.After(from) {
			break
		}
		if w.From.Event == Midnight && w.To.Event == Midnight && w.From.Offset < w.To.Offset {
			return from, to, false
		}
	}
	if w.To.Event == Midnight {
		to = localtime.Last(to)
	}
	return from, to, to.After(from)
}

// mostDays is the maximum number of days between a window's day and the day of its end. It is 2 if a sunset after midnight is the beginning.
const mostDays = 2

// allDay reports whether a window between sunrise and sunset lasts all day on a day on which the sun does not rise or set. A window that
// begins at sunrise lasts all day if the sun is up all day. A window that begins at sunset lasts all day if the sun is down all day.
func (w Window) allDay(day time.Time, sun Sun) bool {
	if sun == nil || w.From.Event == Midnight || w.To.Event == Midnight || w.From.Event == w.To.Event {
		return false
	}
	up, down, ok := sun(day)
	return !ok && (w.From.Event == Sunrise && !up.IsZero() || w.From.Event == Sunset && !down.IsZero())
}
