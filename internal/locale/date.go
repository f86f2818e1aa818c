package locale

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Word identifies a form of a date or time. Each form has a name in the configuration.
type Word uint8

// The words, in this order, with an example each: "14:05"; "14:05:09"; "15 May"; "15/05/2025"; "Thursday, 15 May 2025"; "Thursday"; "May
// 2025"; "Thursday, 15 May"; "Thu 15 May"; "14"; "Thursday 15"; "Thu 15"; "15 May" with a short month.
const (
	Time Word = iota
	TimeSeconds
	Date
	DateShort
	DateFull
	Weekday
	MonthYear
	DayDate
	DayDateShort
	Hour
	WeekdayDay
	DayShort
	DateBrief
)

// Pattern returns the CLDR pattern of a word.
func (l *Locale) Pattern(w Word) string {
	switch w {
	case Time:
		return l.hours("Hm", "hm")
	case TimeSeconds:
		return l.hours("Hms", "hms")
	case Hour:
		return bareHour(l.hours("H", "h"))
	case Date:
		return l.format("MMMMd")
	case DateShort:
		return l.format("yMd")
	case DateFull:
		return l.data.DateFull
	case Weekday:
		return "cccc"
	case MonthYear:
		return l.format("yMMMM")
	case DayDate:
		return l.dayDate
	case DayShort:
		return l.dayShort()
	case DateBrief:
		return l.format("MMMd")
	case WeekdayDay:
		return l.wideDay
	}
	return l.format("MMMEd")
}

// dayShort returns the pattern of a short weekday and the day of the month. CLDR's pattern for American English is "17 Sat". dayShort puts
// the weekday first, because American dates with a month also begin with the weekday.
func (l *Locale) dayShort() string {
	if l.Language == "en" && l.monthFirst() {
		return "EEE d"
	}
	return l.format("Ed")
}

// monthFirst reports whether the month is first in a date of numbers only.
func (l *Locale) monthFirst() bool { return strings.HasPrefix(l.format("yMd"), "M") }

// longDayDate returns the pattern of a weekday, a day and the name of a month. If CLDR has no such pattern, longDayDate changes the
// pattern with a short month.
func (l *Locale) longDayDate() string {
	p := l.format("MMMMEd")
	if p == "" {
		p = strings.NewReplacer("MMM", "MMMM", "LLL", "LLLL").Replace(l.format("MMMEd"))
	}
	return widen(p)
}

// widen replaces the short weekday in a pattern with the long weekday.
func widen(pattern string) string {
	switch {
	case strings.Contains(pattern, "ccc"):
		return strings.Replace(pattern, "ccc", "cccc", 1)
	case strings.Contains(pattern, "EEE"):
		return strings.Replace(pattern, "EEE", "EEEE", 1)
	}
	return strings.Replace(pattern, "E", "EEEE", 1)
}

func (l *Locale) hours(day, half string) string {
	if l.Hours == 12 {
		return l.format(half)
	}
	return l.format(day)
}

// bareHour returns the pattern of an hour without the word after it, such as "14" for "14 Uhr". Charts show many hours side by side.
func bareHour(pattern string) string {
	if i := strings.IndexByte(pattern, '\''); i > 0 {
		return strings.TrimSpace(pattern[:i])
	}
	return pattern
}

func (l *Locale) format(skeleton string) string {
	i := slices.Index(Skeletons[:], skeleton)
	if i < 0 || i >= len(l.data.Formats) {
		return ""
	}
	return l.data.Formats[i]
}

// Append appends t in the form of a word. It uses the time zone of t.
func (l *Locale) Append(dst []byte, t time.Time, w Word) []byte {
	return l.AppendPattern(dst, t, l.Pattern(w))
}

// AppendPattern appends t in the form of a pattern of UTS 35. It uses the time zone of t. Letters are replaced by parts of the date.
// Unknown letters, text in single quotes and all other characters are copied. Two single quotes become one quote.
func (l *Locale) AppendPattern(dst []byte, t time.Time, pattern string) []byte {
	for len(pattern) > 0 {
		switch c := pattern[0]; {
		case c == '\'':
			dst, pattern = appendQuoted(dst, pattern)
		case isLetter(c):
			n := 1
			for n < len(pattern) && pattern[n] == c {
				n++
			}
			dst, pattern = l.appendField(dst, t, c, n), pattern[n:]
		default:
			_, n := utf8.DecodeRuneInString(pattern)
			dst, pattern = append(dst, pattern[:n]...), pattern[n:]
		}
	}
	return dst
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// appendQuoted appends the quoted text at the start of `pattern`. It returns the rest of the pattern.
func appendQuoted(dst []byte, pattern string) ([]byte, string) {
	pattern = pattern[1:]
	if strings.HasPrefix(pattern, "'") {
		return append(dst, '\''), pattern[1:]
	}
	for len(pattern) > 0 {
		switch {
		case strings.HasPrefix(pattern, "''"):
			dst, pattern = append(dst, '\''), pattern[2:]
		case pattern[0] == '\'':
			return dst, pattern[1:]
		default:
			dst, pattern = append(dst, pattern[0]), pattern[1:]
		}
	}
	return dst, pattern
}

// appendField appends one part of a date. c is the letter in the pattern, and n is the number of its repetitions.
func (l *Locale) appendField(dst []byte, t time.Time, c byte, n int) []byte {
	switch c {
	case 'E', 'e', 'c':
		return append(dst, l.day(t.Weekday(), n, c == 'c')...)
	case 'M', 'L':
		if n < 3 {
			return l.appendInt(dst, int(t.Month()), n)
		}
		return append(dst, l.month(t.Month(), n, c == 'L')...)
	case 'd':
		return l.appendInt(dst, t.Day(), n)
	case 'D':
		return l.appendInt(dst, t.YearDay(), n)
	case 'y', 'u':
		if n == 2 {
			return l.appendInt(dst, t.Year()%100, 2)
		}
		return l.appendInt(dst, t.Year(), n)
	case 'Y':
		year, _ := l.Week(t)
		return l.appendInt(dst, year, n)
	case 'w':
		_, week := l.Week(t)
		return l.appendInt(dst, week, n)
	case 'H', 'h', 'K', 'k', 'm', 's':
		return l.appendInt(dst, clock(t, c), n)
	case 'a', 'b', 'B':
		return append(dst, l.data.AMPM[t.Hour()/12]...)
	case 'G':
		return dst // the era is omitted, because it is always the same
	case 'z', 'v':
		return t.AppendFormat(dst, "MST")
	}
	for range n {
		dst = append(dst, c)
	}
	return dst
}

// clock() returns the number that a clock shows for the pattern letter c.
func clock(t time.Time, c byte) int {
	switch c {
	case 'H':
		return t.Hour()
	case 'h':
		return (t.Hour()+11)%12 + 1
	case 'K':
		return t.Hour() % 12
	case 'k':
		return (t.Hour()+23)%24 + 1
	case 'm':
		return t.Minute()
	}
	return t.Second()
}

// day() returns the name of a weekday. n is the number of pattern letters, which selects the length. `alone` is true for a name outside of
// a date.
func (l *Locale) day(d time.Weekday, n int, alone bool) string {
	row := map[int]int{4: 0, 5: 5, 6: 4}[n]
	if n < 4 {
		row = 1
	}
	if alone && n <= 4 {
		row += 2
	}
	return l.data.Days[row][d]
}

// Day returns the name of a weekday outside of a date, such as "Thursday", or "Thu" if `short` is true.
func (l *Locale) Day(d time.Weekday, short bool) string {
	if short {
		return l.day(d, 3, true)
	}
	return l.day(d, 4, true)
}

// DayLetter returns the shortest name of a weekday. In most languages it has one letter.
func (l *Locale) DayLetter(d time.Weekday) string { return l.day(d, 5, true) }

// Month returns the name of a month outside of a date, such as "January", or "Jan" if `short` is true.
func (l *Locale) Month(m time.Month, short bool) string {
	if short {
		return l.month(m, 3, true)
	}
	return l.month(m, 4, true)
}

func (l *Locale) month(m time.Month, n int, alone bool) string {
	row := 0
	if n == 3 {
		row = 1
	}
	if alone {
		row += 2
	}
	name := l.data.Months[row][m-1]
	if n == 5 {
		_, size := utf8.DecodeRuneInString(name)
		name = name[:size]
	}
	return name
}

// Week returns the number of the week that contains t, and the year to which this week belongs. Both depend on the locale's first day of
// the week and on MinDays.
func (l *Locale) Week(t time.Time) (year, week int) {
	year = t.Year()
	if sameOrAfter(t, l.firstWeek(year+1)) {
		return year + 1, 1
	}
	start := l.firstWeek(year)
	if !sameOrAfter(t, start) {
		year--
		start = l.firstWeek(year)
	}
	return year, days(start, t)/7 + 1
}

// firstWeek returns the first day of a year's first week, in UTC.
func (l *Locale) firstWeek(year int) time.Time {
	first := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	before := (int(first.Weekday()) - int(l.FirstDay) + 7) % 7 // number of days of the old year in the week of 1 January
	start := first.AddDate(0, 0, -before)
	if 7-before < l.MinDays {
		start = start.AddDate(0, 0, 7)
	}
	return start
}

// days() returns the number of days from a date, in UTC, to the date of t.
func days(from, t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(from) / (24 * time.Hour))
}

func sameOrAfter(t, start time.Time) bool {
	y, m, d := t.Date()
	return !time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Before(start)
}
