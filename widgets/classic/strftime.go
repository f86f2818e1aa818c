package classic

import (
	"strings"
	"time"

	"dashboard/internal/locale"
	"github.com/itchyny/timefmt-go"
)

// A dateFormat is a format of strftime, cut into English parts and parts with names in other languages.
type dateFormat []datePart

// A datePart is a part of a format: one of strftime, or a pattern of the language.
type datePart struct{ english, pattern string }

// newDateFormat cuts a format. Without a language it is one part.
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
		i++ // what follows the sign, another sign too, is part of it
	}
	return append(parts, datePart{english: format[from:]})
}

// hasDay reports whether a format has the day of the month in it: many languages have another form of the month then.
func hasDay(format string) bool {
	return strings.Contains(format, "%d") || strings.Contains(format, "%e") || strings.Contains(format, "%-d")
}

// named is the pattern of a directive for a name, "" for other directives.
func named(directive byte, inDate bool) string {
	alone := map[byte]string{'A': "cccc", 'a': "ccc", 'B': "LLLL", 'b': "LLL", 'h': "LLL", 'p': "a"}
	if inDate {
		alone = map[byte]string{'A': "EEEE", 'a': "EEE", 'B': "MMMM", 'b': "MMM", 'h': "MMM", 'p': "a"}
	}
	return alone[directive]
}

// append writes a time.
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
