package pyfmt

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"
)

// stackDigits is large enough for the digits of common numbers. Formatting common numbers therefore needs no allocation.
const stackDigits = 64

func (s *spec) appendInt(dst []byte, v int) ([]byte, error) {
	if base := s.base(); base > 0 {
		if err := s.checkInt(); err != nil {
			return dst, err
		}
		var buf [stackDigits + 1]byte // a sign and 64 binary digits
		return s.number(dst, strconv.AppendInt(buf[:0], int64(v), base)), nil
	}
	switch s.verb {
	case 'c':
		return s.appendChar(dst, v)
	case 's':
		return dst, s.unsuited("int")
	}
	return s.appendFloat(dst, float64(v))
}

func (s *spec) appendBig(dst []byte, v *big.Int) ([]byte, error) {
	if base := s.base(); base > 0 {
		if err := s.checkInt(); err != nil {
			return dst, err
		}
		return s.number(dst, v.Append(nil, base)), nil
	}
	f, _ := new(big.Float).SetInt(v).Float64()
	if s.verb == 'c' || s.verb == 's' || math.IsInf(f, 0) {
		return dst, s.unsuited("int")
	}
	return s.appendFloat(dst, f)
}

// base() returns the number base of an integer verb. For other verbs it returns 0.
func (s *spec) base() int {
	switch s.verb {
	case 0, 'd', 'n':
		return 10
	case 'b':
		return 2
	case 'o':
		return 8
	case 'x', 'X':
		return 16
	}
	return 0
}

func (s *spec) checkInt() error {
	if s.precision >= 0 || s.noNegZero {
		return s.unsuited("int")
	}
	return nil
}

func (s *spec) appendChar(dst []byte, v int) ([]byte, error) {
	if s.sign != 0 || s.alt || s.precision >= 0 || s.noNegZero || v < 0 || v > utf8.MaxRune {
		return dst, s.unsuited("int")
	}
	var buf [utf8.UTFMax]byte
	c := utf8.AppendRune(buf[:0], rune(v))
	before, after := s.padding(1, '>')
	dst = appendFill(dst, s.fill, before)
	dst = append(dst, c...)
	return appendFill(dst, s.fill, after), nil
}

func (s *spec) appendFloat(dst []byte, f float64) ([]byte, error) {
	var buf [stackDigits]byte
	digits, err := s.floatDigits(buf[:0], f)
	if err != nil {
		return dst, err
	}
	if s.noNegZero && digits[0] == '-' && isZero(digits) {
		digits = digits[1:]
	}
	return s.number(dst, digits), nil
}

// isZero reports whether all digits before the exponent of a formatted number are 0.
func isZero(digits []byte) bool {
	mantissa, _, _ := bytes.Cut(digits, []byte{'e'})
	mantissa, _, _ = bytes.Cut(mantissa, []byte{'E'})
	return !bytes.ContainsAny(mantissa, "123456789") && bytes.IndexByte(mantissa, '0') >= 0
}

// floatDigits appends f without groups or padding. A negative number has a minus sign.
func (s *spec) floatDigits(b []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return s.notFinite(b, f)
	}
	precision := s.precision
	if precision < 0 {
		precision = 6
	}
	switch s.verb {
	case 'e', 'E':
		return s.pointed(strconv.AppendFloat(b, f, s.verb, precision, 64)), nil
	case 'f', 'F':
		return s.pointed(strconv.AppendFloat(b, f, 'f', precision, 64)), nil
	case '%':
		b = s.pointed(strconv.AppendFloat(b, f*100, 'f', precision, 64))
		return append(b, '%'), nil
	case 'g', 'n':
		return s.general(b, f, max(precision, 1), 'e', 0), nil
	case 'G':
		return s.general(b, f, max(precision, 1), 'E', 0), nil
	case 0:
		if s.precision < 0 {
			return s.pointed(appendFloatRepr(b, f)), nil
		}
		return s.general(b, f, max(precision, 1), 'e', 1), nil
	}
	return nil, s.unsuited("float")
}

// notFinite appends inf or nan. If the verb is a capital letter, the text is in capitals.
func (s *spec) notFinite(b []byte, f float64) ([]byte, error) {
	word := "nan"
	if math.IsInf(f, 0) {
		word = "inf"
	}
	switch s.verb {
	case 'E', 'F', 'G':
		word = string(bytes.ToUpper([]byte(word)))
	case 0, 'e', 'f', 'g', 'n', '%':
	default:
		return nil, s.unsuited("float")
	}
	if math.IsInf(f, -1) {
		b = append(b, '-')
	}
	b = append(b, word...)
	if s.verb == '%' {
		b = append(b, '%')
	}
	return b, nil
}

// pointed() adds a point to a number without decimals if the spec has a "#".
func (s *spec) pointed(b []byte) []byte {
	if !s.alt || bytes.IndexByte(b, '.') >= 0 {
		return b
	}
	if i := bytes.IndexAny(b, "eE"); i >= 0 {
		return append(b[:i], append([]byte{'.'}, b[i:]...)...)
	}
	return append(b, '.')
}

// general() appends a number. `precision` is the number of significant digits, and `decimals` is the minimum number of digits after the
// point. Very small numbers, and numbers with more digits before the point than `precision` allows, have an exponent (CPython,
// format_float_short with code 'g' and Py_DTSF_ADD_DOT_0).
func (s *spec) general(b []byte, f float64, precision int, e byte, decimals int) []byte {
	from := len(b)
	b = strconv.AppendFloat(b, f, 'e', precision-1, 64)
	exp, _ := strconv.Atoi(string(b[bytes.LastIndexByte(b, 'e')+1:]))
	b = b[:from]
	if exp < -4 || exp >= precision-decimals {
		b = strconv.AppendFloat(b, f, e, precision-1, 64)
		if s.alt {
			return s.pointed(b)
		}
		return trimZeros(b, from, 0)
	}
	b = strconv.AppendFloat(b, f, 'f', precision-1-exp, 64)
	if s.alt {
		return s.pointed(b)
	}
	return trimZeros(b, from, decimals)
}

// trimZeros removes zeros at the end of the number that starts at index `from`. `keep` is the minimum number of decimals that stay.
func trimZeros(b []byte, from, keep int) []byte {
	end, tail := len(b), ""
	if i := bytes.IndexAny(b[from:], "eE"); i >= 0 {
		end, tail = from+i, string(b[from+i:])
	}
	point := bytes.IndexByte(b[from:end], '.')
	if point < 0 {
		if keep > 0 && tail == "" {
			return append(b, ".0"...)
		}
		return b
	}
	point += from
	for end > point+1+keep && b[end-1] == '0' {
		end--
	}
	if end == point+1 {
		end--
	}
	return append(b[:end], tail...)
}

// number() appends a formatted number with its sign, prefix, groups and padding. `digits` consists of an optional minus sign, digits and an
// optional suffix.
func (s *spec) number(dst, digits []byte) []byte {
	sign := s.signOf(digits)
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if s.verb == 'X' {
		upper(digits)
	}
	prefix := s.prefix()
	whole := wholeDigits(digits, s.base())
	head := len(prefix)
	if sign != 0 {
		head++
	}
	inner := s.align == '=' || s.align == 0 && s.zero // true if the padding is between the sign and the digits
	rest := len(digits) - whole
	least := 0 // minimum number of characters of the integer part, including leading zeros
	if inner && s.fill == '0' {
		least = s.width - head - rest
	}
	zeros, long := s.grouped(whole, least)
	before, after := s.padding(head+long+rest, '>')
	middle := 0
	if inner {
		before, middle, after = 0, before, 0
	}
	dst = appendFill(dst, s.fill, before)
	dst = appendSign(dst, sign, prefix)
	dst = appendFill(dst, s.fill, middle)
	dst = s.appendGrouped(dst, digits[:whole], zeros)
	dst = append(dst, digits[whole:]...)
	return appendFill(dst, s.fill, after)
}

func (s *spec) signOf(digits []byte) byte {
	switch {
	case digits[0] == '-':
		return '-'
	case s.sign == '+', s.sign == ' ':
		return s.sign
	}
	return 0
}

func (s *spec) prefix() string {
	if s.alt {
		switch s.verb {
		case 'b', 'o', 'x', 'X':
			return "0" + string(s.verb)
		}
	}
	return ""
}

func appendSign(dst []byte, sign byte, prefix string) []byte {
	if sign != 0 {
		dst = append(dst, sign)
	}
	return append(dst, prefix...)
}

func upper(b []byte) {
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
}

// wholeDigits counts the digits at the start of b. It stops at the first other character, such as a point or an exponent.
func wholeDigits(b []byte, base int) int {
	for i, c := range b {
		letter := base == 16 && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')
		if (c < '0' || c > '9') && !letter {
			return i
		}
	}
	return len(b)
}

// groupSize returns the number of digits in a group. It is three, or four for the bases 2, 8 and 16.
func (s *spec) groupSize() int {
	switch s.verb {
	case 'b', 'o', 'x', 'X':
		return 4
	}
	return 3
}

// grouped() computes how many zeros must be added before n digits, so that the digits and their separators have at least the length
// `least`. It returns the number of zeros and the resulting length. The first character is never a separator, so the result may be longer
// by one.
func (s *spec) grouped(n, least int) (zeros, long int) {
	if s.group == 0 || n == 0 {
		return 0, n
	}
	size := s.groupSize()
	length := func(n int) int { return n + (n-1)/size }
	for length(n+zeros) < least {
		zeros++
	}
	return zeros, length(n + zeros)
}

func (s *spec) appendGrouped(dst, digits []byte, zeros int) []byte {
	if s.group == 0 {
		return append(dst, digits...)
	}
	size, total := s.groupSize(), zeros+len(digits)
	for i := range total {
		if i > 0 && (total-i)%size == 0 {
			dst = append(dst, s.group)
		}
		if i < zeros {
			dst = append(dst, '0')
		} else {
			dst = append(dst, digits[i-zeros])
		}
	}
	return dst
}
