package locale

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/feature/plural"
)

// signs are the signs of numbers.
type signs struct {
	decimal, group, minus, percent string
	lakh                           bool // true if the groups before the last three digits have two digits, as in India
	least                          int  // minimum number of digits before the first group sign
}

// Auto makes the package choose the decimals, so that the written number has three digits. Digits before the decimal sign are never
// removed.
const Auto = -1

// maxDecimals is the maximum number of digits after the decimal sign.
const maxDecimals = 12

// `zeros` maps numbering systems to their digits for 0.
var zeros = map[string]rune{"arab": '٠', "arabext": '۰', "beng": '০', "deva": '०', "mymr": '၀', "tamldec": '௦', "thai": '๐'}

// ownDigits maps languages to the numbering systems with their own digits (CLDR's otherNumberingSystems, native). The digits need not be in
// common use.
var ownDigits = map[string]string{"ar": "arab", "bn": "beng", "fa": "arabext", "hi": "deva", "mr": "deva", "ta": "tamldec", "th": "thai", "ur": "arabext"}

// setDigits sets the digits, and the signs that are used with them.
func (l *Locale) setDigits(system string) {
	s := l.data.Signs
	l.signs = signs{decimal: s[0], group: s[1], minus: "\u2212", percent: s[3], lakh: strings.HasPrefix(l.data.Pattern, "#,##,")}
	from, _ := strconv.Atoi(l.data.GroupFrom)
	l.signs.least = 3 + max(1, from)
	l.zero = '0'
	if zero, ok := zeros[system]; ok {
		l.zero = zero
	}
	if system == "arab" || system == "arabext" {
		l.signs.decimal, l.signs.group, l.signs.percent = "٫", "٬", "٪"
	}
}

// appendInt appends a whole number with at least n digits, without groups.
func (l *Locale) appendInt(dst []byte, v, n int) []byte {
	from := len(dst)
	if v < 0 {
		dst, v = append(dst, l.signs.minus...), -v
		from = len(dst)
	}
	for limit := 10; n > 1; n, limit = n-1, limit*10 {
		if v < limit {
			dst = append(dst, '0')
		}
	}
	dst = strconv.AppendInt(dst, int64(v), 10)
	return l.native(dst, from)
}

// native() replaces the digits 0 to 9 in dst with the locale's digits, beginning at the index `from`.
func (l *Locale) native(dst []byte, from int) []byte {
	if l.zero == '0' {
		return dst
	}
	digits := slices.Clone(dst[from:])
	dst = dst[:from]
	for _, c := range digits {
		if c >= '0' && c <= '9' {
			dst = utf8.AppendRune(dst, l.zero+rune(c-'0'))
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// AppendNumber appends v with the locale's signs and groups. `decimals` is the number of digits after the decimal sign, or Auto. If
// `signed` is true, a positive number gets a plus sign.
func (l *Locale) AppendNumber(dst []byte, v float64, decimals int, signed bool) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "—"...)
	case math.IsInf(v, 0):
		return append(l.appendSign(dst, v, signed), "∞"...)
	}
	if decimals == Auto {
		decimals = automatic(v)
	}
	var scratch [maxDigits]byte
	digits := strconv.AppendFloat(scratch[:0], math.Abs(v), 'f', min(decimals, maxDecimals), 64)
	if !slices.ContainsFunc(digits, func(c byte) bool { return c > '0' }) {
		v = 0 // avoids "-0": −0.04 with one decimal is 0.0
	}
	dst = l.appendSign(dst, v, signed)
	whole, fraction := digits, []byte(nil)
	if i := slices.Index(digits, '.'); i >= 0 {
		whole, fraction = digits[:i], digits[i+1:]
	}
	dst = l.appendGroups(dst, whole)
	if len(fraction) > 0 {
		dst = append(dst, l.signs.decimal...)
		from := len(dst)
		dst = l.native(append(dst, fraction...), from)
	}
	return dst
}

// maxDigits is the maximum number of digits of a float64, including its decimals.
const maxDigits = 330

func (l *Locale) appendSign(dst []byte, v float64, signed bool) []byte {
	switch {
	case v < 0:
		return append(dst, l.signs.minus...)
	case signed && v > 0:
		return append(dst, '+')
	}
	return dst
}

// appendGroups appends the digits of a whole number. If there are enough digits, it adds group signs.
func (l *Locale) appendGroups(dst, digits []byte) []byte {
	for i, c := range digits {
		left := len(digits) - i
		if i > 0 && len(digits) >= l.signs.least && l.groupAt(left) {
			dst = append(dst, l.signs.group...)
		}
		from := len(dst)
		dst = l.native(append(dst, c), from)
	}
	return dst
}

// groupAt reports whether a number has a group sign in front of its last `left` digits.
func (l *Locale) groupAt(left int) bool {
	if l.signs.lakh && left > 3 {
		return (left-3)%2 == 0
	}
	return left%3 == 0
}

// `least` is a limit for numbers whose number of decimals is Auto. Smaller numbers are written as 0. Rounding errors of sums are smaller
// than this limit.
const least = 1e-6

// automatic() returns the number of decimals that gives v three digits. For example, 21.43 has one decimal, 1240.4 has no decimals, and
// 0.31 has two decimals. Zeros at the end are left out. Below 0.1, zeros after the decimal sign are not counted, so 0.000123 has six
// decimals.
func automatic(v float64) int {
	v = math.Abs(v)
	most := 2
	switch {
	case v < least:
		return 0
	case v < 0.1:
		return figures(v)
	case v >= 99.95:
		most = 0
	case v >= 9.995:
		most = 1
	}
	for n := range most {
		if scaled := v * math.Pow10(n); math.Abs(scaled-math.Round(scaled)) < 1e-9*math.Max(1, scaled) {
			return n
		}
	}
	return most
}

// figures() returns the number of decimals that gives a number below 0.1 three digits. Zeros at the end are left out.
func figures(v float64) int {
	n := 2 - int(math.Floor(math.Log10(v)))
	for shown := math.Round(v * math.Pow10(n)); n > 0 && math.Mod(shown, 10) == 0; n-- {
		shown /= 10
	}
	return n
}

// AppendPercent appends v as a percentage. The value 1 is 100 %.
func (l *Locale) AppendPercent(dst []byte, v float64, decimals int) []byte {
	before, after, _ := strings.Cut(l.data.Percent, "#,##0")
	if b, a, ok := strings.Cut(l.data.Percent, "#,##,##0"); ok {
		before, after = b, a
	}
	sign := func(s string) string { return strings.ReplaceAll(s, "%", l.signs.percent) }
	dst = append(dst, sign(before)...)
	dst = l.AppendNumber(dst, v*100, decimals, false)
	return append(dst, sign(after)...)
}

// AppendCompact appends v with at most three digits and the language's word for thousands, millions and so on, such as "1.2K".
func (l *Locale) AppendCompact(dst []byte, v float64) []byte { return l.AppendCompactIn(dst, v, 1) }

// AppendCompactIn is like AppendCompact. From 1,000 on, the parameter `places` is the maximum number of decimals, 0 or 1.
func (l *Locale) AppendCompactIn(dst []byte, v float64, places int) []byte {
	abs := math.Abs(v)
	if abs < 1000 || math.IsInf(v, 0) || math.IsNaN(v) {
		return l.AppendNumber(dst, v, Auto, false)
	}
	most := 2 + len(l.data.Thousands)
	power := min(int(math.Floor(math.Log10(abs)+1e-12)), most)
	pattern, short, decimals := l.compact(v, power, places)
	if pattern == "" || pattern == "0" {
		return l.AppendNumber(dst, v, 0, false)
	}
	digits := strings.Count(pattern, "0")
	// Use the next power of ten if 999,999 would become 1000K instead of 1M.
	if shown := math.Pow10(decimals); power < most && math.Round(math.Abs(short)*shown)/shown >= math.Pow10(digits) {
		power++
		v = math.Copysign(math.Pow10(power), v)
		pattern, short, decimals = l.compact(v, power, places)
		digits = strings.Count(pattern, "0")
	}
	before, after, _ := strings.Cut(pattern, strings.Repeat("0", digits))
	dst = append(dst, strings.ReplaceAll(before, "'", "")...)
	dst = l.AppendNumber(dst, short, decimals, false)
	return append(dst, strings.ReplaceAll(after, "'", "")...)
}

// compact() divides v by a power of ten. It returns the pattern of this power, the quotient and the number of decimals. The parameter
// `places` is the maximum number of decimals.
func (l *Locale) compact(v float64, power, places int) (pattern string, short float64, decimals int) {
	pattern = l.data.Thousands[power-3]
	short = v / math.Pow10(power+1-strings.Count(pattern, "0"))
	return pattern, short, min(automatic(short), places)
}

// byteUnits are the units of bytes. Each unit is 1,000 times the previous unit.
var byteUnits = [...]string{"B", "kB", "MB", "GB", "TB", "PB"}

// AppendBytes appends a number of bytes, such as "1.2 GB".
func (l *Locale) AppendBytes(dst []byte, v float64) []byte { return l.AppendBytesIn(dst, v, Auto) }

// AppendBytesIn is like AppendBytes. `decimals` is the number of decimals, or Auto.
func (l *Locale) AppendBytesIn(dst []byte, v float64, decimals int) []byte {
	i := 0
	for math.Abs(v) >= 999.5 && i < len(byteUnits)-1 {
		v, i = v/1000, i+1
	}
	dst = l.AppendNumber(dst, v, decimals, false)
	return append(append(dst, "\u00a0"...), byteUnits[i]...)
}

// category() returns the plural category of a whole number.
func (l *Locale) category(n int) string {
	return map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}[plural.Cardinal.MatchPlural(l.plural, n, 0, 0, 0, 0)]
}

// appendCounted appends n with the pattern for its plural category.
func (l *Locale) appendCounted(dst []byte, forms map[string]string, n int) []byte {
	pattern, ok := forms[l.category(n)]
	if !ok {
		pattern = forms["other"]
	}
	before, after, found := strings.Cut(pattern, "{0}")
	dst = append(dst, before...)
	if found {
		dst = l.AppendNumber(dst, float64(n), 0, false)
	}
	return append(dst, after...)
}

// UnitOfTime returns the text that follows a number of hours or minutes. No supported language puts words before the number. The number
// is always written in digits.
func (l *Locale) UnitOfTime(unit time.Duration, n int) string {
	at := steps[1]
	if unit == time.Hour {
		at = steps[2]
	}
	forms := l.data.Durations[at.unit]
	pattern := forms[l.category(n)]
	if !strings.Contains(pattern, "{0}") { // such as "an hour", or a separate form for two
		pattern = forms["other"]
	}
	_, after, _ := strings.Cut(pattern, "{0}")
	return strings.TrimSpace(after)
}

// step is a unit of time with its length.
type step struct {
	unit   string
	length time.Duration
}

const aDay = 24 * time.Hour

var steps = [...]step{{"second", time.Second}, {"minute", time.Minute}, {"hour", time.Hour}, {"day", aDay}, {"week", 7 * aDay}, {"month", 30 * aDay}, {"year", 365 * aDay}}

func (s step) seconds() int64 { return int64(s.length / time.Second) }

// AppendRelative appends the time from now to t, such as "in 5 min". It uses the largest unit that is not longer than this time. From one
// day to two weeks it uses days. For less than a minute it appends "now".
func (l *Locale) AppendRelative(dst []byte, t, now time.Time) []byte {
	away := secondsBetween(t, now)
	at := steps[1]
	for _, s := range steps[2:] {
		if away >= s.seconds() && (s.unit != "week" || away >= 2*s.seconds()) {
			at = s
		}
	}
	n := int(away / at.seconds())
	if n == 0 {
		return append(dst, l.words[Now]...)
	}
	if t.Before(now) {
		return l.appendCounted(dst, l.data.Relative[at.unit].Ago, n)
	}
	return l.appendCounted(dst, l.data.Relative[at.unit].In, n)
}

// secondsBetween returns the number of whole seconds between two times. The difference may be too long for a time.Duration.
func secondsBetween(a, b time.Time) int64 {
	if a.Before(b) {
		a, b = b, a
	}
	s := a.Unix() - b.Unix()
	if a.Nanosecond() < b.Nanosecond() {
		s--
	}
	return s
}

// NearDay returns the name of yesterday (-1), today (0) or tomorrow (1). For other days it returns "".
func (l *Locale) NearDay(days int) string {
	if days < -1 || days > 1 {
		return ""
	}
	return l.data.NearDays[days+1]
}

// AppendDays appends a number of days with the word for days. Unlike AppendDuration, it has no limit of 106,751 days.
func (l *Locale) AppendDays(dst []byte, n int) []byte {
	return l.appendCounted(dst, l.data.Durations["day"], n)
}

// shorten replaces the English units hr, hrs, mins and secs with h, min and s, because these symbols have no plural.
func (l *Locale) shorten() {
	if l.Language == "en" {
		l.data.Durations["hour"] = map[string]string{"other": "{0} h"}
		l.data.Durations["minute"] = map[string]string{"other": "{0} min"}
		l.data.Durations["second"] = map[string]string{"other": "{0} s"}
	}
}

// AppendDuration appends a duration in its two largest units, without a comma, such as "3 days 4 h". A duration below an hour has only
// one unit.
func (l *Locale) AppendDuration(dst []byte, d time.Duration) []byte {
	return l.appendDuration(dst, d, false)
}

// AppendRoughDuration appends a duration in its largest unit, rounded down, such as "3 days".
func (l *Locale) AppendRoughDuration(dst []byte, d time.Duration) []byte {
	return l.appendDuration(dst, d, true)
}

func (l *Locale) appendDuration(dst []byte, d time.Duration, rough bool) []byte {
	if d < 0 {
		dst, d = append(dst, l.signs.minus...), -d
	}
	largest := 0
	for i := 1; i <= 3; i++ {
		if d >= steps[i].length {
			largest = i
		}
	}
	n := int(d / steps[largest].length)
	dst = l.appendCounted(dst, l.data.Durations[steps[largest].unit], n)
	if largest == 0 || rough {
		return dst
	}
	if rest := int(d % steps[largest].length / steps[largest-1].length); rest > 0 && largest > 1 {
		dst = append(dst, ' ')
		dst = l.appendCounted(dst, l.data.Durations[steps[largest-1].unit], rest)
	}
	return dst
}
