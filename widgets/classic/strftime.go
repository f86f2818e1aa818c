package classic

import (
	"strings"
	"time"

	"dashboard/internal/locale"
	"github.com/itchyny/timefmt-go"
)

// A dateFormat is a strftime format, split into English parts and parts with names in other languages.
type dateFormat []datePart

// A datePart is a part of a format: a strftime format, or a pattern of the language.
type datePart struct{ english, pattern string }

// newDateFormat splits a format. If l is nil, the format is a single part.
func newDateFormat(format string, l *locale.Locale) dateFormat {
	if l == nil {
		return dateFormat{{english: format}}
	}
	var parts dateFormat
	from := 0
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		if p := named(format[i+1], hasDay(format)); p != "" {
			parts = append(parts, datePart{english: format[from:i]}, datePart{pattern: p})
			from = i + 2
		}
		i++ // the next character belongs to the directive, even if it is a % sign
	}
	return append(parts, datePart{english: format[from:]})
}

// hasDay reports whether a format includes the day of the month. Many languages use another form of the month's name then.
func hasDay(format string) bool {
	return strings.Contains(format, "%d") || strings.Contains(format, "%e") || strings.Contains(format, "%-d")
}

// named returns the pattern for a directive with a name, or "" for other directives.
func named(directive byte, inDate bool) string {
	alone := map[byte]string{'A': "cccc", 'a': "ccc", 'B': "LLLL", 'b': "LLL", 'h': "LLL", 'p': "a"}
	if inDate {
		alone = map[byte]string{'A': "EEEE", 'a': "EEE", 'B': "MMMM", 'b': "MMM", 'h': "MMM", 'p': "a"}
	}
	return alone[directive]
}

// append appends a formatted time.
func (f dateFormat) append(dst []byte, t time.Time, l *locale.Locale) []byte {
	for _, p := range f {
		if p.pattern != "" {
			dst = l.AppendPattern(dst, t, p.pattern)
		} else if p.english != "" {
			dst = timefmt.AppendFormat(dst, t, p.english)
		}
	}
	return dst
}
