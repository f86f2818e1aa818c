package calendar

import (
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// kindBirthday is the kind of calendars with birthdays.
const kindBirthday = "birthday"

// kindTasks is the kind of calendars with tasks.
const kindTasks = "tasks"

// iconBirthday is the icon of a birthday whose calendar has no icon.
const iconBirthday = "mdi:cake-variant"

// appendSaid appends a phrase in the wall's language, with its placeholder replaced by `with`.
func appendSaid(b *kit.Builder, dst []byte, p locale.Phrase, with []byte) []byte {
	before, after, found := strings.Cut(b.Locale.Say(p), "{}")
	dst = append(dst, before...)
	if found {
		dst = append(dst, with...)
	}
	return append(dst, after...)
}

// appendTime appends the time of day of t in the format of the wall's language.
func appendTime(b *kit.Builder, dst []byte, t time.Time) []byte {
	return b.Locale.Append(dst, t, locale.Time)
}

// appendWhen appends the time of an event on a day: "all day", the start or, if the event starts before this day, the end. The day starts
// at `from` and ends at `to`.
func appendWhen(b *kit.Builder, dst []byte, e *calendar.Event, from, to time.Time) []byte {
	switch {
	case e.AllDay || e.Start.Before(from) && !e.End.Before(to):
		return append(dst, b.Locale.Say(locale.AllDay)...)
	case e.Start.Before(from):
		var buf [32]byte
		return appendSaid(b, dst, locale.Until, appendTime(b, buf[:0], e.End))
	}
	return appendTime(b, dst, e.Start)
}

// birthdayWords are parts of the word "birthday" in many languages. A title that contains one of these parts already names the birthday.
var birthdayWords = [...]string{"birth", "geburt", "annivers", "cumple", "complean", "verjaar", "fødsel", "födelse", "syntym", "urodzin", "narozen", "naroden", "rođendan", "誕生", "生日", "생일", "день рожд", "день народж"}

// age() returns the age at a birthday. The year of birth comes from brackets at the end of the title or from the first occurrence. If the
// age is unknown, it returns 0.
func age(e *calendar.Event) int {
	born := e.First.Year()
	if n := len(e.Title); n > 6 && e.Title[n-1] == ')' && e.Title[n-6] == '(' {
		if year, ok := fourDigits(e.Title[n-5 : n-1]); ok {
			born = year
		}
	}
	const first, oldest = 1800, 130 // for an unknown year of birth, calendars use 1604 or the year in which the entry was created
	if n := e.Start.Year() - born; born >= first && n > 0 && n <= oldest {
		return n
	}
	return 0
}

func fourDigits(s string) (n int, ok bool) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(s) == 4
}

// bare() returns a title without the year of birth at its end.
func bare(title string) string {
	if n := len(title); n > 6 && title[n-1] == ')' && title[n-6] == '(' {
		if _, ok := fourDigits(title[n-5 : n-1]); ok {
			return strings.TrimSpace(title[:n-6])
		}
	}
	return title
}

// titleOf returns the title of an event and the text after the title. For a birthday, this text is the age. If the title does not contain
// a word for birthday, the age is a part of the returned title.
func titleOf(b *kit.Builder, e *calendar.Event) (title, after string) {
	if e.Calendar.Kind != kindBirthday {
		return e.Title, ""
	}
	title = bare(e.Title)
	n := age(e)
	if n == 0 {
		return title, ""
	}
	var buf [16]byte
	turns := string(appendSaid(b, nil, locale.Turns, b.Locale.AppendNumber(buf[:0], float64(n), 0, false)))
	lower := strings.ToLower(title)
	for _, w := range birthdayWords {
		if strings.Contains(lower, w) {
			return title, turns
		}
	}
	return title + " " + turns, ""
}

// iconOfEvent returns the icon before an event's title, or "".
func iconOfEvent(e *calendar.Event) string {
	switch {
	case e.Calendar.Icon != "":
		return e.Calendar.Icon
	case e.Calendar.Kind == kindBirthday:
		return iconBirthday
	}
	return ""
}

// appendDay appends the name of a day: "Today", "Thursday 15", or "Thursday, 15 May". If `short` is true, it appends "Thu 15" or "15
// May". `ahead` is the number of days from today.
func appendDay(b *kit.Builder, dst []byte, day time.Time, ahead int, short bool) []byte {
	if near := b.Locale.NearDay(ahead); near != "" {
		return append(dst, b.Locale.Capital(near)...)
	}
	switch {
	case short && ahead < piece.DaysOfWeek:
		return b.Locale.Append(dst, day, locale.DayShort)
	case short:
		return b.Locale.Append(dst, day, locale.DateBrief)
	case ahead < piece.DaysOfWeek:
		return b.Locale.Append(dst, day, locale.WeekdayDay)
	}
	return b.Locale.Append(dst, day, locale.DayDate)
}
