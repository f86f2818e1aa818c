package feed

import (
	"strings"
	"time"
)

// layouts are how feeds write times, the weekday left out.
var layouts = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02",
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04 -0700", "2 Jan 06 15:04:05 -0700", "2 Jan 06 15:04 -0700", "2 January 2006 15:04:05 -0700",
	"2 Jan 2006 15:04:05 Z07:00", "2 Jan 2006 15:04:05", "2 Jan 2006 15:04", "2 Jan 2006", "2 January 2006", "Jan 2, 2006 15:04:05 -0700", "January 2, 2006",
}

// zones are the names of RFC 822, section 5, and those of Europe.
var zones = map[string]string{
	"UT": "+0000", "GMT": "+0000", "UTC": "+0000", "Z": "+0000", "EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600",
	"PST": "-0800", "PDT": "-0700", "WET": "+0000", "BST": "+0100", "CET": "+0100", "CEST": "+0200", "MEZ": "+0100", "MESZ": "+0200", "EET": "+0200", "EEST": "+0300",
}

// moment is the first of some texts that is a time, in Unix seconds; nil for none. A time without a zone is UTC.
func moment(texts ...string) any {
	for _, text := range texts {
		if t, ok := parseTime(text); ok {
			return int(t.Unix())
		}
	}
	return nil
}

func parseTime(text string) (time.Time, bool) {
	const most = 64 // bytes; none is longer
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || len(text) > most {
		return time.Time{}, false
	}
	if day, rest, ok := strings.Cut(text, ","); ok && strings.Trim(day, "0123456789 ") != "" && !strings.Contains(day, " ") {
		text = strings.TrimSpace(rest) // the weekday, whose language and truth do not matter
	}
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		if zone, ok := zones[strings.ToUpper(text[i+1:])]; ok {
			text = text[:i+1] + zone
		}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
