package feed

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// longestTime is the maximum length of a time, in bytes.
const longestTime = 64

// `dates`, `hours` and `ends` are layouts of a date, a time of day and a zone. A time consists of one layout of each list, in this order.
// `whole` has the layouts of complete times. The layouts do not contain the weekday.
var (
	dates = []string{"2 Jan 2006", "2 January 2006", "2 Jan 06", "2-Jan-2006", "2-Jan-06", "Jan 2, 2006", "January 2, 2006", "Jan 2 2006", "January 2 2006", "2006-01-02", "2006/01/02"}
	hours = []string{"", " 15:04:05", " 15:04", " 3:04:05 PM", " 3:04 PM", " 3:04PM"}
	ends  = []string{"", " -0700", " Z07:00", "Z07:00"}
	whole = []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02T15:04:05-0700",
		"Jan 2 15:04:05 2006", "Jan 2 15:04:05 -0700 2006",
	}
)

// zones maps names of zones to offsets. The names are from RFC 822, section 5, and from zones in Europe.
var zones = map[string]string{
	"UT": "+0000", "GMT": "+0000", "UTC": "+0000", "Z": "+0000", "EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600",
	"PST": "-0800", "PDT": "-0700", "WET": "+0000", "BST": "+0100", "CET": "+0100", "CEST": "+0200", "MEZ": "+0100", "MESZ": "+0200", "EET": "+0200", "EEST": "+0300",
}

// weekdays are the first three letters of the English weekdays. A date may follow such a word without a comma between them.
var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// moment returns the time in Unix seconds from the first text that is a time. If no text is a time, it returns nil. A time without a zone
// is in UTC.
func moment(texts ...string) any {
	for _, text := range texts {
		if t, ok := parseTime(text); ok {
			return int(t.Unix())
		}
	}
	return nil
}

func parseTime(text string) (time.Time, bool) {
	words := strings.Fields(text)
	if len(words) == 0 || len(text) > 2*longestTime {
		return time.Time{}, false
	}
	if day, rest, ok := strings.Cut(strings.Join(words, " "), ","); ok && strings.Trim(day, "0123456789 ") != "" && !strings.Contains(day, " ") {
		words = strings.Fields(rest) // the text before the comma is the weekday; it may be in any language, or wrong
	} else if isWeekday(words[0]) {
		words = words[1:]
	}
	for i, w := range words {
		words[i] = plainWord(w)
	}
	text = strings.Join(words, " ")
	if len(text) > longestTime {
		return time.Time{}, false
	}
	for _, layout := range whole {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	for _, date := range dates {
		for _, hour := range hours {
			for _, end := range ends {
				if t, err := time.Parse(date+hour+end, text); err == nil {
					return t, true
				}
			}
		}
	}
	return time.Time{}, false
}

func isWeekday(word string) bool {
	word = strings.ToLower(strings.TrimRight(word, "."))
	return len(word) >= 3 && slices.Contains(weekdays, word[:3]) && strings.IndexFunc(word, unicode.IsDigit) < 0
}

// plainWord converts a word of a time to the form that Go's layouts need: zones to numbers, Sept. to Sep, am to AM.
func plainWord(w string) string {
	bare := strings.ToUpper(strings.ReplaceAll(w, ".", ""))
	switch zone := zones[bare]; {
	case zone != "":
		return zone
	case bare == "SEPT" || bare == "SEPT,":
		return "Sep" + w[len(strings.TrimRight(w, ",")):]
	case bare == "AM" || bare == "PM":
		return bare
	case strings.Trim(bare, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "":
		return strings.TrimRight(w, ".")
	}
	return w
}
