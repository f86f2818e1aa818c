package picture

import (
	"math"
	"strconv"
	"strings"
)

// numberAt parses the number at the start of d (SVG 2, 9.3.9). `rest` is the text after the number. `ok` is false if d does not start
// with a number.
func numberAt(d string) (f float64, rest string, ok bool) {
	i := 0
	if i < len(d) && (d[i] == '+' || d[i] == '-') {
		i++
	}
	digits := 0
	for dot := false; i < len(d) && (isDigit(d[i]) || d[i] == '.' && !dot); i++ {
		if d[i] == '.' {
			dot = true
		} else {
			digits++
		}
	}
	if digits == 0 {
		return 0, d, false
	}
	if j := exponentEnd(d, i); j > i {
		i = j
	}
	f, err := strconv.ParseFloat(d[:i], 64)
	return f, d[i:], err == nil && !math.IsInf(f, 0)
}

// exponentEnd returns the end of the exponent that starts at d[i]. If there is no exponent, for
// example at the letter e of the unit em, it returns i.
func exponentEnd(d string, i int) int {
	if i >= len(d) || d[i] != 'e' && d[i] != 'E' {
		return i
	}
	j := i + 1
	if j < len(d) && (d[j] == '+' || d[j] == '-') {
		j++
	}
	first := j
	for j < len(d) && isDigit(d[j]) {
		j++
	}
	if j == first {
		return i
	}
	return j
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// skip removes the blanks and commas at the start of d.
func skip(d string) string { return strings.TrimLeft(d, " \t\r\n,") }

// numbers() parses a list of numbers. It stops at the first text that is not a number.
func numbers(d string) (list []float64) {
	for {
		f, rest, ok := numberAt(skip(d))
		if !ok {
			return list
		}
		list = append(list, f)
		d = strings.TrimPrefix(rest, "px")
	}
}

// number parses a number with the optional unit px.
func number(v string) (float64, bool) {
	f, rest, ok := numberAt(strings.TrimSpace(v))
	rest = strings.TrimSpace(rest)
	return f, ok && (rest == "" || rest == "px")
}

// length parses a length in CSS units. It returns 0 for percentages and invalid lengths.
func length(v string) float64 {
	f, unit, ok := numberAt(strings.TrimSpace(v))
	scale := map[string]float64{"": 1, "px": 1, "pt": 96. / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "em": 16}
	if !ok {
		return 0
	}
	return f * scale[strings.TrimSpace(unit)]
}

// arguments is the number of arguments of each path command.
var arguments = map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'c': 6, 's': 4, 'q': 4, 't': 2, 'a': 7, 'z': 0}

// plainPath rewrites path data for compilePath: one command for each set of numbers, blanks between numbers, no exponents, separate arc
// flags. It multiplies all lengths by k. Data with an error is used up to the error (SVG 2, 9.5.4).
func plainPath(b *strings.Builder, d string, k float64) {
	var cmd byte
	for first := true; ; first = false {
		d = skip(d)
		if d == "" {
			return
		}
		if c := d[0]; c|0x20 >= 'a' && c|0x20 <= 'z' {
			cmd, d = c, d[1:]
		} else if cmd|0x20 == 'z' || cmd == 0 {
			return
		}
		n, known := arguments[cmd|0x20]
		if !known || first && cmd|0x20 != 'm' {
			return
		}
		var set [7]float64
		var ok bool
		if d, ok = readSet(d, set[:n], cmd|0x20 == 'a'); !ok {
			return
		}
		writeSet(b, cmd, set[:n], k)
		switch cmd { // after the first pair of numbers of a move, further pairs are lines
		case 'm':
			cmd = 'l'
		case 'M':
			cmd = 'L'
		}
	}
}

// readSet reads the numbers of one command. The flags of an arc are single digits, and no blank is required after them.
func readSet(d string, set []float64, arc bool) (rest string, ok bool) {
	for i := range set {
		d = skip(d)
		if arc && (i == 3 || i == 4) {
			if d == "" || d[0] != '0' && d[0] != '1' {
				return d, false
			}
			set[i], d = float64(d[0]-'0'), d[1:]
			continue
		}
		if set[i], d, ok = numberAt(d); !ok {
			return d, false
		}
	}
	return d, true
}

func writeSet(b *strings.Builder, cmd byte, set []float64, k float64) {
	b.WriteByte(cmd)
	for i, f := range set {
		if arc := cmd|0x20 == 'a'; !arc || i < 2 || i > 4 {
			f *= k
		}
		b.WriteByte(' ')
		b.WriteString(plainNumber(f))
	}
}

// plainNumber formats a number without an exponent. It limits the number to the range of rasterx's 26.6 fixed point.
func plainNumber(f float64) string {
	f = min(max(f, -maxSVGNumber), maxSVGNumber)
	return strconv.FormatFloat(f, 'f', 6, 64)
}

// matrix is a transform with the elements a to f: x' = a x + c y + e, y' = b x + d y + f (SVG 2, 8.4).
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times() returns the transform that first applies n, then m.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1],
		m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5],
	}
}

// scale returns the factor by which the transform enlarges lengths, as an average of all directions.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m[0]*m[3] - m[1]*m[2])) }

// finite() reports whether m is invertible, and its numbers are small enough to compute with.
func (m matrix) finite() bool {
	for _, f := range m {
		if !(math.Abs(f) < 1e9) {
			return false
		}
	}
	return m.scale() > 1e-9
}

// attribute returns m as the value of a transform attribute, for coordinates that were multiplied by k before.
func (m matrix) attribute(k float64) string {
	var b strings.Builder
	b.WriteString("matrix(")
	for i, f := range m {
		if i < 4 {
			f /= k
		}
		b.WriteString(strconv.FormatFloat(f, 'f', 12, 64))
		b.WriteByte(' ')
	}
	b.WriteByte(')')
	return b.String()
}

// parseTransform parses a list of transform functions. It stops at the first invalid function.
func parseTransform(s string) matrix {
	m := identity
	for {
		name, rest, ok := strings.Cut(s, "(")
		args, after, closed := strings.Cut(rest, ")")
		t, known := function(strings.Trim(name, " \t\r\n,"), numbers(args))
		if !ok || !closed || !known {
			return m
		}
		m, s = m.times(t), after
	}
}

func function(name string, a []float64) (matrix, bool) {
	n := len(a)
	switch {
	case name == "matrix" && n == 6:
		return matrix(a), true
	case name == "translate" && n == 1:
		return matrix{1, 0, 0, 1, a[0], 0}, true
	case name == "translate" && n == 2:
		return matrix{1, 0, 0, 1, a[0], a[1]}, true
	case name == "scale" && n == 1:
		return matrix{a[0], 0, 0, a[0], 0, 0}, true
	case name == "scale" && n == 2:
		return matrix{a[0], 0, 0, a[1], 0, 0}, true
	case name == "skewX" && n == 1:
		return matrix{1, 0, math.Tan(a[0] * math.Pi / 180), 1, 0, 0}, true
	case name == "skewY" && n == 1:
		return matrix{1, math.Tan(a[0] * math.Pi / 180), 0, 1, 0, 0}, true
	case name == "rotate" && (n == 1 || n == 3):
		sin, cos := math.Sincos(a[0] * math.Pi / 180)
		turn := matrix{cos, sin, -sin, cos, 0, 0}
		if n == 1 {
			return turn, true
		}
		return matrix{1, 0, 0, 1, a[1], a[2]}.times(turn).times(matrix{1, 0, 0, 1, -a[1], -a[2]}), true
	}
	return identity, false
}
