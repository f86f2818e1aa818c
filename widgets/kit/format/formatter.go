// Package format writes values as text, with the icon and the color that map and thresholds define.
package format

import (
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/localtime"
	"dashboard/internal/pyfmt"
)

// Shown is a formatted value: a text, and optionally an icon and a color.
type Shown struct {
	Text  string
	Icon  string // "" means the icon of the widget
	Color *color.NRGBA
	Role  string // name of the color, if it is a role of the theme
	Num   float64
	IsNum bool
	Told  bool   // true if the text comes from the key `map` or `thresholds`
	Range string // text of the range that contains the value, or ""
	None  bool   // true if there is no value
	Bound *Range // range of the key `thresholds` that contains the value, or nil
}

// Formatter formats the values of a parameter.
type Formatter struct {
	*Wording
	Locale *locale.Locale
	Zone   *time.Location
	pieces *pyfmt.Format // format in Python's syntax
	Time   string        // format as a CLDR pattern
}

// New returns a formatter for values with the given parameters. If the key `format` is wrong, the formatter ignores it.
func New(w *Wording, l *locale.Locale, zone *time.Location) (x *Formatter, err error) {
	x = &Formatter{Wording: w, Locale: l, Zone: zone}
	_, isTime := TimeWords[w.Format]
	switch {
	case w.Format == "" || isTime || slices.Contains(numberWords, w.Format):
	case !strings.Contains(w.Format, "{"):
		return x, fmt.Errorf("'%s' is no word for a format; there are signed, compact, percent, bytes, duration, text, time, "+
			"time_seconds, date, date_short, date_full, weekday, month_year, relative, and texts with braces", w.Format)
	case strings.Contains(w.Format, "{value"):
		x.pieces, err = pyfmt.Parse(w.Format)
	default:
		x.Time = ClockPattern(w.Format)
	}
	return x, err
}

// TimeWords are the values of the key `format` that select a format for times.
var TimeWords = map[string]locale.Word{
	"time": locale.Time, "time_seconds": locale.TimeSeconds, "date": locale.Date, "date_short": locale.DateShort,
	"date_full": locale.DateFull, "weekday": locale.Weekday, "month_year": locale.MonthYear,
}

// numberWords are the other words that the key `format` allows. `text` selects the unchanged value, and `relative` selects the distance
// of a time from now. The other words select a format for numbers.
var numberWords = []string{"signed", "compact", "percent", "bytes", "duration", "text", "relative"}

// ClockPattern converts a format such as "{EEEE}, {d MMMM}" to a CLDR pattern. It quotes the text outside braces, except line breaks.
func ClockPattern(format string) string {
	var b strings.Builder
	quote := func(s string) {
		for i, line := range strings.Split(s, "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			if line != "" {
				b.WriteString("'" + strings.ReplaceAll(line, "'", "''") + "'")
			}
		}
	}
	for format != "" {
		before, rest, found := strings.Cut(format, "{")
		quote(before)
		if !found {
			break
		}
		inner, after, _ := strings.Cut(rest, "}")
		b.WriteString(inner)
		format = after
	}
	return b.String()
}

// Say formats the value v for the time `now`. `present` is false if there is no value.
func (w *Formatter) Say(v any, present bool, now time.Time) Shown {
	out, told := w.Entry(v, present)
	if out.Told = told; !out.None && !told {
		out.Text = string(w.Append(nil, v, &out, now))
	}
	return out
}

// Entry returns the text, the icon and the color that the keys `map` and `thresholds` define for v. `told` reports whether there is a text.
func (w *Formatter) Entry(v any, present bool) (out Shown, told bool) {
	if !present || v == nil && w.Map == nil {
		return Shown{None: true}, false
	}
	out.Num, out.IsNum = w.number(v)
	if e, ok := w.mapped(v, out.Num, out.IsNum); ok {
		w.apply(&out, e)
		if e.Text != "" {
			out.Text = e.Text
			return out, true
		}
	}
	if v == nil {
		out.None = true
		return out, false
	}
	w.Threshold(&out)
	return out, out.Text != ""
}

// apply copies the color and the icon of an entry to `out`.
func (w *Formatter) apply(out *Shown, e Entry) {
	if e.Color != nil {
		out.Color, out.Role = &e.Color.NRGBA, e.Color.Role
	}
	if e.Icon != nil {
		out.Icon = IconText(*e.Icon)
	}
}

// number() converts a value to a number. A text counts as a number if it has the syntax of a JSON number and if the key `format` is not
// text.
func (w *Formatter) number(v any) (float64, bool) {
	if w.Format == "text" {
		return 0, false
	}
	return NumberOf(v)
}

// NumberOf converts a number of a sample, or a text with a JSON number, to a float64.
func NumberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case string:
		t := strings.TrimSpace(v)
		if len(t) > 40 || !IsNumber(t) {
			return 0, false
		}
		f, err := strconv.ParseFloat(t, 64)
		return f, err == nil && !math.IsInf(f, 0)
	}
	return 0, false
}

// IsNumber reports whether a text is a number in JSON's syntax (RFC 8259, section 6). It allocates no memory.
func IsNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if rest, ok := strings.CutPrefix(s, "."); ok {
		n := digits(rest)
		if n == 0 {
			return false
		}
		s = rest[n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digits(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

// digits() returns the number of digits at the start of a text.
func digits(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// mapped() finds the entry of the key `map` for a value. It compares texts first, then numbers. If nothing matches, it uses the entry with
// the key "else".
func (w *Formatter) mapped(v any, num float64, isNum bool) (Entry, bool) {
	if w.Map == nil {
		return Entry{}, false
	}
	var buf [40]byte
	if e, ok := w.Map[string(appendPlain(buf[:0], v))]; ok {
		return e, true
	}
	if isNum {
		for key, e := range w.Map {
			if key == "" || strings.IndexByte("+-.0123456789", key[0]) < 0 {
				continue // not a number. This check avoids the error that ParseFloat would allocate
			}
			if k, err := strconv.ParseFloat(key, 64); err == nil && k == num {
				return e, true
			}
		}
	}
	e, ok := w.Map["else"]
	return e, ok
}

// PlainText returns a value as text without formatting, for comparisons and for display.
func PlainText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	}
	return string(appendPlain(nil, v))
}

// appendPlain appends a value as text without formatting, like PlainText.
func appendPlain(dst []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(dst, v...)
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case float64:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	}
	b, err := appendJSON(nil, v, MaxShown)
	if err != nil {
		return dst
	}
	return append(dst, Short(string(b))...)
}

// Threshold applies the range that contains the number. If several ranges contain the number, Threshold applies the range with the
// nearest bound. If several bounds are equally near, it applies the last of these ranges. If `out` already has a color, its color and its
// icon do not change.
func (w *Formatter) Threshold(out *Shown) {
	if !out.IsNum {
		return
	}
	best := math.Inf(1)
	var found *Range
	for i := range w.Thresholds {
		t := &w.Thresholds[i]
		if t.Above != nil && out.Num < *t.Above || t.Below != nil && out.Num >= *t.Below || t.Above == nil && t.Below == nil {
			continue
		}
		away := math.Inf(1)
		for _, bound := range []*float64{t.Above, t.Below} {
			if bound != nil {
				away = min(away, math.Abs(out.Num-*bound))
			}
		}
		if away <= best {
			best, found = away, t
		}
	}
	if found == nil {
		return
	}
	e := Entry{Text: found.Text, Icon: found.Icon, Color: found.Color}
	if out.Color == nil {
		w.apply(out, e)
	}
	out.Text, out.Range, out.Bound = found.Text, found.Text, found
}

// Append appends the formatted value v.
func (w *Formatter) Append(dst []byte, v any, out *Shown, now time.Time) []byte {
	l := w.Locale
	decimals := locale.Auto
	if w.Decimals != nil {
		decimals = *w.Decimals
	}
	if word, ok := TimeWords[w.Format]; ok {
		if t, ok := TimeOf(v, w.Zone); ok {
			return l.Append(dst, t, word)
		}
		return appendShort(dst, v)
	}
	switch {
	case w.Time != "" || w.Format == "relative":
		t, ok := TimeOf(v, w.Zone)
		if !ok {
			return appendShort(dst, v)
		}
		if w.Time != "" {
			return l.AppendPattern(dst, t, w.Time)
		}
		return l.AppendRelative(dst, t, now)
	case w.pieces != nil:
		return append(dst, Short(string(w.pieces.AppendOr(nil, v)))...)
	case !out.IsNum:
		return appendShort(dst, v)
	}
	return w.appendNumber(dst, out.Num, decimals)
}

// appendShort appends a value without formatting, cut to MaxShown bytes.
func appendShort(dst []byte, v any) []byte {
	if s, ok := v.(string); ok {
		return append(dst, Short(s)...)
	}
	return appendPlain(dst, v)
}

// WriteNumber returns a formatted number.
func (w *Formatter) WriteNumber(v float64, decimals int) []byte {
	return w.appendNumber(nil, v, decimals)
}

// appendNumber appends a formatted number.
func (w *Formatter) appendNumber(dst []byte, v float64, decimals int) []byte {
	l := w.Locale
	switch w.Format {
	case "percent":
		return l.AppendPercent(dst, v, decimals)
	case "bytes":
		return l.AppendBytes(dst, v)
	case "compact":
		return l.AppendCompact(dst, v)
	case "duration":
		return l.AppendDuration(dst, LengthOfTime(v))
	}
	return l.AppendNumber(dst, v, decimals, w.Format == "signed")
}

// LengthOfTime returns the absolute value of a duration of v seconds.
func LengthOfTime(v float64) time.Duration {
	return time.Duration(min(math.Abs(v), maxSeconds) * float64(time.Second))
}

// maxSeconds is the maximum duration in seconds that fits into a time.Duration.
const maxSeconds = 9e9

// msFrom is the smallest number that counts as a time in milliseconds. Smaller numbers are seconds.
const msFrom = 1e11

// TimeOf converts a value to a time. The value is in ISO 8601, in Unix seconds or in Unix milliseconds. If the text has no time zone, the
// parameter `zone` applies.
func TimeOf(v any, zone *time.Location) (time.Time, bool) {
	if s, ok := v.(string); ok {
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05Z0700"} {
			if t, err := time.Parse(layout, s); err == nil {
				return t.In(zone), true
			}
		}
		for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
			if t, err := time.Parse(layout, s); err == nil {
				return localtime.Resolve(t, zone), true
			}
		}
	}
	n, ok := NumberOf(v)
	if !ok || math.Abs(n) > 1e15 {
		return time.Time{}, false
	}
	if math.Abs(n) >= msFrom {
		n /= 1000
	}
	sec, frac := math.Modf(n)
	return time.Unix(int64(sec), int64(frac*1e9)).In(zone), true
}
