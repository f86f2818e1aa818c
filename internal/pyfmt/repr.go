package pyfmt

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AppendStr appends the result of Python's str() for v.
func AppendStr(dst []byte, v any) []byte {
	if s, ok := v.(string); ok {
		return append(dst, s...)
	}
	return AppendRepr(dst, v)
}

// Str returns the result of Python's str() for v.
func Str(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(AppendStr(nil, v))
}

// AppendRepr appends the result of Python's repr() for v.
func AppendRepr(dst []byte, v any) []byte { return appendRepr(dst, v, false) }

func appendRepr(dst []byte, v any, ascii bool) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "None"...)
	case bool:
		if v {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case *big.Int:
		return v.Append(dst, 10)
	case float64:
		return appendFloatRepr(dst, v)
	case string:
		return appendQuoted(dst, v, ascii)
	case []any:
		return appendList(dst, v, ascii)
	case map[string]any:
		return appendDict(dst, v, ascii)
	}
	return fmt.Append(dst, v)
}

func appendList(dst []byte, l []any, ascii bool) []byte {
	dst = append(dst, '[')
	for i, e := range l {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendRepr(dst, e, ascii)
	}
	return append(dst, ']')
}

func appendDict(dst []byte, m map[string]any, ascii bool) []byte {
	dst = append(dst, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendQuoted(dst, k, ascii)
		dst = append(dst, ": "...)
		dst = appendRepr(dst, m[k], ascii)
	}
	return append(dst, '}')
}

// appendFloatRepr appends the shortest digits that can be parsed to f. From 1e16 on and below 1e-4 it writes an exponent (CPython,
// float_repr and format_float_short with code 'r').
func appendFloatRepr(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 0):
		return appendInf(dst, f)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if bytes.IndexByte(dst[from:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

func appendInf(dst []byte, f float64) []byte {
	if f < 0 {
		dst = append(dst, '-')
	}
	return append(dst, "inf"...)
}

// appendQuoted appends a text in single quotes. If the text contains single quotes but no double quotes, it appends the text in double
// quotes, so that no quote needs an escape.
func appendQuoted(dst []byte, s string, ascii bool) []byte {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	dst = append(dst, quote)
	for _, r := range s {
		dst = appendEscaped(dst, r, quote, ascii)
	}
	return append(dst, quote)
}

func appendEscaped(dst []byte, r rune, quote byte, ascii bool) []byte {
	switch {
	case r == rune(quote) || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < utf8.RuneSelf && unicode.IsPrint(r), r >= utf8.RuneSelf && !ascii && unicode.IsPrint(r):
		return utf8.AppendRune(dst, r)
	case r <= 0xff:
		return fmt.Appendf(dst, `\x%02x`, r)
	case r <= 0xffff:
		return fmt.Appendf(dst, `\u%04x`, r)
	}
	return fmt.Appendf(dst, `\U%08x`, r)
}
