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
)

// A Date is a day in one year. If Year is 0, it is a day in every year.
type Date struct {
	Year  int // 0: every year
	Month time.Month
	Day   int
}

const dateExample = `a date such as "2026-12-24", or "12-24" for each year`

var dateForm = regexp.MustCompile(`^(?:(\d{4})-)?(\d{1,2})-(\d{1,2})$`)

// ParseDate parses a date.
func ParseDate(s string) (Date, error) {
	m := dateForm.FindStringSubmatch(s)
	if m == nil {
		return Date{}, fmt.Errorf("must be %s, not %q", dateExample, s)
	}
	year, _ := strconv.Atoi(m[1])
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	in := year
	if m[1] == "" {
		in = 2024 // this year has a February 29
	}
	if t := time.Date(in, time.Month(month), day, 0, 0, 0, 0, time.UTC); m[1] == "0000" || int(t.Month()) != month || t.Day() != day {
		return Date{}, fmt.Errorf("there is no day %s", s)
	}
	return Date{year, time.Month(month), day}, nil
}

// In returns the beginning of the date in the given year. If the date has a year, In ignores the given year. In a year without a February
// 29, this date becomes March 1.
func (d Date) In(year int, loc *time.Location) time.Time {
	if d.Year != 0 {
		year = d.Year
	}
	return localtime.At(year, d.Month, d.Day, 0, loc)
}

// TypeName implements config.TypeNamer.
func (*Date) TypeName() string { return "date" }

// JSONSchema implements config.Describer.
func (*Date) JSONSchema() map[string]any {
	return textSchema(`^([0-9]{4}-)?[0-9]{1,2}-[0-9]{1,2}$`, "A date is '2026-12-24', or '12-24' for each year.")
}

// SetNode implements config.NodeSetter.
func (d *Date) SetNode(n *config.Node, _ *config.Context) error {
	text, ok := scalar(n)
	if !ok {
		return mustBe(dateExample, n)
	}
	v, err := ParseDate(text)
	if err == nil {
		*d = v
	}
	return err
}

// A Moment is a date, or a date with a time of day.
type Moment struct {
	Date
	Time Clock          // zero if there is only a date
	Zone *time.Location // nil if the file sets no time zone
}

const momentExample = `a date, or a date and a time such as "2026-12-24 18:00" or "2026-12-24T18:00:00Z"`

// momentForm matches a date with an optional time of day. As in ISO 8601, the time may have seconds and a time zone.
var momentForm = regexp.MustCompile(`^([0-9-]+)(?:[T ] *([0-9]{1,2}:[0-9]{2}|[^ :]+)(?::([0-5][0-9])(?:[.,][0-9]+)?)?(?: ?(Z|[+-][0-9]{2}:?[0-9]{2}))?)?$`)

// TypeName implements config.TypeNamer.
func (*Moment) TypeName() string { return "moment" }

// JSONSchema implements config.Describer.
func (*Moment) JSONSchema() map[string]any {
	const form = `^([0-9]{4}-)?[0-9]{1,2}-[0-9]{1,2}([ T]+[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?(Z|[+-][0-9]{2}:?[0-9]{2}))?)?$`
	return textSchema(form, "A moment is '2026-12-24', '2026-12-24 18:00' or '2026-12-24T18:00:00Z'.")
}

// SetNode implements config.NodeSetter.
func (m *Moment) SetNode(n *config.Node, _ *config.Context) error {
	text, ok := scalar(n)
	if !ok {
		return mustBe(momentExample, n)
	}
	v, err := ParseMoment(text)
	if err == nil {
		*m = v
	}
	return err
}

// ParseMoment parses a moment.
func ParseMoment(s string) (Moment, error) {
	part := momentForm.FindStringSubmatch(strings.TrimSpace(s))
	if part == nil {
		return Moment{}, fmt.Errorf("must be %s, not %q", momentExample, s)
	}
	d, err := ParseDate(part[1])
	if err != nil {
		return Moment{}, errors.New(strings.Replace(err.Error(), dateExample, momentExample, 1))
	}
	m := Moment{Date: d}
	if part[2] == "" {
		return m, nil
	}
	switch m.Time, err = ParseClock(part[2]); {
	case err != nil && timeOfDay.MatchString(part[2]):
		return Moment{}, err
	case err != nil:
		return Moment{}, fmt.Errorf("must be %s, not %q", momentExample, s)
	case m.Time.Event != Midnight:
		return Moment{}, fmt.Errorf("must be %s: sunrise and sunset are not allowed here", momentExample)
	}
	seconds, _ := strconv.Atoi(part[3])
	m.Time.Offset += time.Duration(seconds) * time.Second
	m.Zone = zoneOf(part[4])
	return m, nil
}

// zoneOf returns the time zone at the end of an ISO 8601 time, or nil if there is none.
func zoneOf(s string) *time.Location {
	if s == "" {
		return nil
	}
	if s == "Z" {
		return time.UTC
	}
	at, err := time.Parse("-0700", strings.Replace(s, ":", "", 1))
	if err != nil {
		return time.UTC
	}
	return at.Location()
}

// Whole reports whether the moment is only a date.
func (m Moment) Whole() bool { return m.Time == Clock{} && m.Zone == nil }

// After returns the next occurrence of the moment after `now`. If there is none, ok is false.
func (m Moment) After(now time.Time) (at time.Time, ok bool) {
	const years = 9 // two February 29 may be eight years apart, as in 2096 and 2104
	zone := now.Location()
	if m.Zone != nil {
		zone = m.Zone
	}
	for year := now.Year() - 1; year < now.Year()+years; year++ { // in the moment's time zone, it may still be the previous year
		at, _ = m.Time.On(m.In(year, zone), nil)
		at = at.Add(m.Time.Offset % time.Minute)
		if at.After(now) && (m.Year != 0 || at.Day() == m.Date.Day || m.Time.Offset == 24*time.Hour) {
			return at.In(now.Location()), true
		}
	}
	return at.In(now.Location()), false
}

// A Span is a range of days in one year or in every year. It includes its first and its last day.
type Span struct{ From, To Date }

const spanExample = `a span such as "2026-12-24 - 2027-01-06", or "12-24 - 01-06" for each year`

// TypeName implements config.TypeNamer.
func (*Span) TypeName() string { return "span" }

// JSONSchema implements config.Describer.
func (*Span) JSONSchema() map[string]any {
	const date = `([0-9]{4}-)?[0-9]{1,2}-[0-9]{1,2}`
	return textSchema(`^`+date+`( +[-–] +`+date+`)?$`, "A span is '2026-12-24 - 2027-01-06', or '12-24 - 01-06' for each year.")
}

// SetNode implements config.NodeSetter.
func (s *Span) SetNode(n *config.Node, _ *config.Context) error {
	text, ok := scalar(n)
	if !ok {
		return mustBe(spanExample, n)
	}
	v, err := ParseSpan(text)
	if err == nil {
		*s = v
	}
	return err
}

// ParseSpan parses a span. A single date is a span of one day.
func ParseSpan(s string) (Span, error) {
	first, last, two := strings.Cut(strings.Replace(s, " – ", " - ", 1), " - ")
	from, err := ParseDate(strings.TrimSpace(first))
	if err != nil {
		return Span{}, errors.New(strings.Replace(err.Error(), dateExample, spanExample, 1))
	}
	to := from
	if two {
		if to, err = ParseDate(strings.TrimSpace(last)); err != nil {
			return Span{}, err
		}
	}
	switch {
	case (from.Year == 0) != (to.Year == 0):
		return Span{}, errors.New("has a year at one end only: write it at both, or at none for each year")
	case from.Year != 0 && to.In(0, time.UTC).Before(from.In(0, time.UTC)):
		return Span{}, errors.New("ends before it begins")
	}
	return Span{from, to}, nil
}

// Holds reports whether the date of `day` is in the span.
func (s Span) Holds(day time.Time) bool {
	if s.From.Year != 0 {
		d := Date{day.Year(), day.Month(), day.Day()}
		return !before(d, s.From) && !before(s.To, d)
	}
	d := Date{0, day.Month(), day.Day()}
	if before(s.To, s.From) { // the span includes the turn of the year
		return !before(d, s.From) || !before(s.To, d)
	}
	return !before(d, s.From) && !before(s.To, d)
}

func before(a, b Date) bool {
	if a.Year != b.Year {
		return a.Year < b.Year
	}
	if a.Month != b.Month {
		return a.Month < b.Month
	}
	return a.Day < b.Day
}

// Days is a set of days of the week. The zero value is the empty set.
type Days uint8

// dayWords contains the names of the days. Sunday is the first, as in time.Weekday.
var dayWords = [...]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

const daysExample = "days of the week such as mon-fri or [sat, sun]"

// Has reports whether the set contains the given day.
func (d Days) Has(day time.Weekday) bool { return d>>day&1 == 1 }

// TypeName implements config.TypeNamer.
func (*Days) TypeName() string { return "days" }

// JSONSchema implements config.Describer.
func (*Days) JSONSchema() map[string]any {
	const day = `(sun|mon|tue|wed|thu|fri|sat)`
	one := textSchema(`^`+day+`( *[-–] *`+day+`)?( *, *`+day+`( *[-–] *`+day+`)?)*$`, "Days are mon-fri or [sat, sun], in English with three letters.")
	return anyOf(one, map[string]any{"type": "array", "items": one, "minItems": 1})
}

// SetNode implements config.NodeSetter.
func (d *Days) SetNode(n *config.Node, c *config.Context) error {
	parts := n.Items()
	if n.Kind() != config.List {
		parts = []*config.Node{n}
	}
	if len(parts) == 0 {
		return mustBe(daysExample, n)
	}
	var all Days
	for _, part := range parts {
		text, ok := scalar(part)
		if !ok {
			return mustBe(daysExample, part)
		}
		for _, word := range strings.Split(text, ",") {
			days, err := parseDays(strings.TrimSpace(word))
			if err != nil {
				return err
			}
			all |= days
		}
	}
	*d = all
	return nil
}

// parseDays parses one day, or two days with a dash between them.
func parseDays(s string) (Days, error) {
	first, last, two := strings.Cut(strings.Replace(s, "–", "-", 1), "-")
	from, err := weekday(strings.TrimSpace(first))
	if err != nil || !two {
		return 1 << from, err
	}
	to, err := weekday(strings.TrimSpace(last))
	if err != nil {
		return 0, err
	}
	days := Days(0)
	for day := from; ; day = (day + 1) % 7 {
		days |= 1 << day
		if day == to {
			return days, nil
		}
	}
}

func weekday(s string) (int, error) {
	for i, word := range dayWords {
		if strings.EqualFold(s, word) {
			return i, nil
		}
	}
	near := ""
	for i, word := range dayWords { // suggest mon for monday and mo
		if lower := strings.ToLower(s); len(lower) > 1 && (strings.HasPrefix(lower, word) || strings.HasPrefix(word, lower)) {
			near = dayWords[i]
		}
	}
	if near != "" {
		return 0, wordError{fmt.Sprintf("must be %s, not %q", daysExample, s), near}
	}
	return 0, unknown(s, dayWords[:], "must be %s, not %q", daysExample, s)
}
