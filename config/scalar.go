package config

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Patterns for the types of unquoted scalars in YAML 1.1 (https://yaml.org/type/), in the stricter form of PyYAML. In this form, the
// single letters y and n are not booleans. A number with an exponent needs a sign in the exponent and a point before it. 08 is text.
var (
	intPattern = regexp.MustCompile(`^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)

	floatPattern = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?` +
		`|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|-\.[0-9][0-9_]*` +
		`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*` +
		`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// resolvePlain returns the YAML 1.1 value of an unquoted scalar: nil, bool, int, float64, or its text. If an integer is too large for an
// int, the result is a float64. A date remains text, because no key needs a date as a separate type.
func resolvePlain(s string) any {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return nil
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false
	}
	if strings.IndexByte("+-.0123456789", s[0]) < 0 {
		return s
	}
	if intPattern.MatchString(s) {
		return parseInt(s)
	}
	if floatPattern.MatchString(s) {
		return parseFloat(s)
	}
	return s
}

// PlainValue returns the YAML 1.1 value of an unquoted scalar: nil, bool, int, float64, or its text.
func PlainValue(s string) any { return resolvePlain(s) }

// parseInt converts a text that intPattern matches. If no digits follow the prefix, as in "0x_", the result is the text.
func parseInt(s string) any {
	digits, negative := cutSign(strings.ReplaceAll(s, "_", ""))
	base := 10
	switch {
	case strings.HasPrefix(digits, "0b"):
		digits, base = digits[2:], 2
	case strings.HasPrefix(digits, "0x"):
		digits, base = digits[2:], 16
	case strings.Contains(digits, ":"):
		return wholeOrFloat(base60(digits), negative)
	case len(digits) > 1 && digits[0] == '0':
		digits, base = digits[1:], 8
	}
	v, err := strconv.ParseInt(digits, base, 0)
	if err == nil {
		if negative {
			v = -v
		}
		return int(v)
	}
	if f, ok := bigFloat(digits, base); ok {
		return wholeOrFloat(f, negative)
	}
	return s
}

// bigFloat converts a number that is too large for an int. `digits` are the digits of the number in the given base.
func bigFloat(digits string, base int) (float64, bool) {
	f := 0.0
	for _, c := range digits {
		d, err := strconv.ParseInt(string(c), base, 8)
		if err != nil {
			return 0, false
		}
		f = f*float64(base) + float64(d)
	}
	return f, digits != "" && !math.IsInf(f, 0)
}

// wholeOrFloat returns a number as an int if possible, and otherwise as a float64.
func wholeOrFloat(f float64, negative bool) any {
	if negative {
		f = -f
	}
	if math.Abs(f) < math.MaxInt32 {
		return int(f)
	}
	if strconv.IntSize == 64 && math.Abs(f) < 1<<53 {
		return int(f)
	}
	return f
}

// parseFloat converts a text that floatPattern matches.
func parseFloat(s string) any {
	digits, negative := cutSign(strings.ReplaceAll(s, "_", ""))
	var f float64
	switch lower := strings.ToLower(digits); {
	case lower == ".inf":
		f = math.Inf(1)
	case lower == ".nan":
		f = math.NaN()
	case strings.Contains(lower, ":"):
		f = base60(lower)
	default:
		v, err := strconv.ParseFloat(lower, 64)
		if err != nil && !math.IsInf(v, 0) {
			return s
		}
		f = v
	}
	if negative {
		f = -f
	}
	return f
}

// base60 converts "1:30" to 90 and "1:30.5" to 90.5. Only the last part may have a fraction.
func base60(s string) float64 {
	f := 0.0
	for part := range strings.SplitSeq(s, ":") {
		v, _ := strconv.ParseFloat(part, 64) // the pattern guarantees digits. If the number is too large, v is infinite
		f = f*60 + v
	}
	return f
}

func cutSign(s string) (digits string, negative bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:], s[0] == '-'
	}
	return s, false
}

// parseNumber converts a number in a quoted text as Python's float() does. The number may have spaces around it and underscores in it.
func parseNumber(s string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(s), "_", ""), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}
