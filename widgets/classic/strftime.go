package classic

import (
	"strings"
	"time"

	"dashboard/internal/locale"
	"github.com/itchyny/timefmt-go"
)

// A dateFormat is a strftime format, split into parts. Some parts are formatted in English. The
// parts with names are formatted in the wall's language.
type dateFormat []datePart

// A datePart is a part of a format. One of its fields is set: `english` is a strftime format, and `pattern` is a CLDR pattern for the
// wall's language.
type datePart struct{ english, pattern string }

// newDateFormat splits a strftime format. If l is nil, the whole format is one part in English.
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
		i++ // skip the character after the %, because it may be a second % sign
	}
	return append(parts, datePart{english: format[from:]})
}

// hasDay reports whether a format includes the day of the month. After a day of the month, many languages use another form of the month's
// name.
func hasDay(format string) bool {
	return strings.Contains(format, "%d") || strings.Contains(format, "%e") || strings.Contains(format, "%-d")
}

// named() returns the CLDR pattern for a directive that prints a name. For other directives it returns "". `inDate` selects the form that
// names have in a date with a day of the month.
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
