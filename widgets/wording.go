package widgets

import (
	"encoding/json"
	"image/color"
	"math"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/pyfmt"
)

// shown is a value as it is told: its words, an icon and a color where something asks for them.
type shown struct {
	text  string
	icon  string // "" leaves the widget's own
	color *color.NRGBA
	num   float64
	isNum bool
	none  bool // there is no value
}

// wording turns values into words. It is made once, for one parameter.
type wording struct {
	*Wording
	env    *Env
	pieces *pyfmt.Format // of a format in Python's terms
	time   string        // of a format in CLDR's terms
}

// timeWords are the words of format for times.
var timeWords = map[string]locale.Word{
	"time": locale.Time, "time_seconds": locale.TimeSeconds, "date": locale.Date, "date_short": locale.DateShort,
	"date_full": locale.DateFull, "weekday": locale.Weekday, "month_year": locale.MonthYear,
}

// numberWords are the words of format for numbers, and for what is as it came.
var numberWords = []string{"signed", "compact", "percent", "bytes", "duration", "text", "relative"}

// wording checks the parameters of a value's words; what is wrong is reported at the key format.
func (b *Builder) wording(s *Spec, w *Wording) *wording {
	x := &wording{Wording: w, env: &b.Env}
	_, isTime := timeWords[w.Format]
	switch {
	case w.Format == "" || isTime || contains(numberWords, w.Format):
	case !strings.Contains(w.Format, "{"):
		s.Errorf("format", "'%s' is no word for a format; there are signed, compact, percent, bytes, duration, text, time, time_seconds, date, date_short, date_full, weekday, month_year, relative, and texts with braces", w.Format)
	case strings.Contains(w.Format, "{value"):
		f, err := pyfmt.Parse(w.Format)
		if err != nil {
			s.Errorf("format", "%v", err)
		}
		x.pieces = f
	default:
		x.time = clockPattern(w.Format)
	}
	return x
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// clockPattern turns "{EEEE}, {d MMMM}" into a CLDR pattern: what is outside braces is quoted, but for line breaks.
func clockPattern(format string) string {
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

// say returns how v is told at a moment. present is false where there is no value.
func (w *wording) say(v any, present bool, now time.Time) shown {
	out, told := w.entry(v, present)
	if !out.none && !told {
		out.text = string(w.append(nil, v, &out, now))
	}
	return out
}

// entry returns what map and thresholds make of v; told is whether they give its words.
func (w *wording) entry(v any, present bool) (out shown, told bool) {
	if !present || v == nil && w.Map == nil {
		return shown{none: true}, false
	}
	out.num, out.isNum = w.number(v)
	if e, ok := w.mapped(v, out.num, out.isNum); ok {
		w.apply(&out, e)
		if e.Text != "" {
			out.text = e.Text
			return out, true
		}
	}
	if v == nil {
		out.none = true
		return out, false
	}
	w.threshold(&out)
	return out, out.text != ""
}

// apply takes over an entry's color and icon.
func (w *wording) apply(out *shown, e Entry) {
	if e.Color != nil {
		out.color = &e.Color.NRGBA
	}
	if e.Icon != nil {
		out.icon = iconText(*e.Icon)
	}
}

// number reads a number; text that is a JSON number counts as one, but with format: text.
func (w *wording) number(v any) (float64, bool) {
	if w.Format == "text" {
		return 0, false
	}
	return numberOf(v)
}

// numberOf reads a number of a sample: JSON's, or text that is one.
func numberOf(v any) (float64, bool) {
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
		if len(t) > 40 || !isNumber(t) {
			return 0, false
		}
		f, err := strconv.ParseFloat(t, 64)
		return f, err == nil && !math.IsInf(f, 0)
	}
	return 0, false
}

// isNumber reports whether a text is a number of JSON (RFC 8259, section 6). It allocates nothing.
func isNumber(s string) bool {
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

// digits is how many digits a text begins with.
func digits(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// mapped finds the entry of a value: as text, numbers by value, else last.
func (w *wording) mapped(v any, num float64, isNum bool) (Entry, bool) {
	if w.Map == nil {
		return Entry{}, false
	}
	var buf [40]byte
	if e, ok := w.Map[string(appendPlain(buf[:0], v))]; ok {
		return e, true
	}
	if isNum {
		for key, e := range w.Map {
			if k, err := strconv.ParseFloat(key, 64); err == nil && k == num {
				return e, true
			}
		}
	}
	e, ok := w.Map["else"]
	return e, ok
}

// plainText is a value as it is compared.
func plainText(v any) string {
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

// appendPlain appends a value as it is compared.
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
	b, err := appendJSON(nil, v, maxShown)
	if err != nil {
		return dst
	}
	return append(dst, short(string(b))...)
}

// threshold takes over what the range with the bound nearest to the number says; of equals the later.
func (w *wording) threshold(out *shown) {
	if !out.isNum {
		return
	}
	best := math.Inf(1)
	var found *Range
	for i := range w.Thresholds {
		t := &w.Thresholds[i]
		if t.Above != nil && out.num < *t.Above || t.Below != nil && out.num >= *t.Below || t.Above == nil && t.Below == nil {
			continue
		}
		away := math.Inf(1)
		for _, bound := range []*float64{t.Above, t.Below} {
			if bound != nil {
				away = min(away, math.Abs(out.num-*bound))
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
	if out.color == nil {
		w.apply(out, e)
	}
	out.text = found.Text
}

// append appends the value in words, by its format.
func (w *wording) append(dst []byte, v any, out *shown, now time.Time) []byte {
	l := w.env.Locale
	decimals := locale.Auto
	if w.Decimals != nil {
		decimals = *w.Decimals
	}
	if word, ok := timeWords[w.Format]; ok {
		if t, ok := w.env.timeOf(v); ok {
			return l.Append(dst, t, word)
		}
		return appendShort(dst, v)
	}
	switch {
	case w.time != "" || w.Format == "relative":
		t, ok := w.env.timeOf(v)
		if !ok {
			return appendShort(dst, v)
		}
		if w.time != "" {
			return l.AppendPattern(dst, t, w.time)
		}
		return l.AppendRelative(dst, t, now)
	case w.pieces != nil:
		return append(dst, short(string(w.pieces.AppendOr(nil, v)))...)
	case !out.isNum:
		return appendShort(dst, v)
	}
	return w.appendNumber(dst, out.num, decimals)
}

// appendShort appends a value as it came, cut where it is too long for any cell.
func appendShort(dst []byte, v any) []byte {
	if s, ok := v.(string); ok {
		return append(dst, short(s)...)
	}
	return appendPlain(dst, v)
}

// writeNumber is a number in words.
func (w *wording) writeNumber(v float64, decimals int) []byte {
	return w.appendNumber(nil, v, decimals)
}

// appendNumber appends a number in words.
func (w *wording) appendNumber(dst []byte, v float64, decimals int) []byte {
	l := w.env.Locale
	switch w.Format {
	case "percent":
		return l.AppendPercent(dst, v, decimals)
	case "bytes":
		return l.AppendBytes(dst, v)
	case "compact":
		return l.AppendCompact(dst, v)
	case "duration":
		return l.AppendDuration(dst, lengthOfTime(v))
	}
	return l.AppendNumber(dst, v, decimals, w.Format == "signed")
}

// lengthOfTime is so many seconds, whatever their sign.
func lengthOfTime(v float64) time.Duration {
	return time.Duration(min(math.Abs(v), maxSeconds) * float64(time.Second))
}

// maxSeconds bounds a duration that is told: longer ones would not fit into a time.Duration.
const maxSeconds = 9e9

// msFrom is from which number on a time is in milliseconds.
const msFrom = 1e11

// timeOf reads a moment: ISO 8601, without a zone the wall's, or Unix seconds or milliseconds.
func (e *Env) timeOf(v any) (time.Time, bool) {
	if s, ok := v.(string); ok {
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05Z0700"} {
			if t, err := time.Parse(layout, s); err == nil {
				return t.In(e.Location), true
			}
		}
		for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
			if t, err := time.ParseInLocation(layout, s, e.Location); err == nil {
				return t, true
			}
		}
	}
	n, ok := numberOf(v)
	if !ok || math.Abs(n) > 1e15 {
		return time.Time{}, false
	}
	if math.Abs(n) >= msFrom {
		n /= 1000
	}
	sec, frac := math.Modf(n)
	return time.Unix(int64(sec), int64(frac*1e9)).In(e.Location), true
}
