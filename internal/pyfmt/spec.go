package pyfmt

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// A spec is the part of a field after the colon:
//
//	[[fill]align][sign][z][#][0][width][grouping][.precision][type]
//
// The zero value is an empty spec.
type spec struct {
	text      string // specification as written. "" means the value's plain text
	fill      rune
	align     byte // '<' '>' '^' '=', or 0 for the default of the type
	sign      byte // '+' '-' ' ' or 0
	noNegZero bool // z
	alt       bool // #
	zero      bool // a 0 before the width, without a fill character
	width     int
	group     byte // ',' '_' or 0
	precision int  // -1 = not given
	verb      byte // 0 = not given
}

const verbs = "bcdeEfFgGnosxX%"

func parseSpec(text string) (spec, error) {
	s := spec{text: text, fill: ' ', precision: -1}
	rest := s.parseAlign(text)
	rest = s.parseFlags(rest)
	rest, err := s.parseSizes(rest)
	if err != nil {
		return spec{}, fmt.Errorf("format spec %q: %w", text, err)
	}
	if len(rest) > 1 || rest != "" && !strings.Contains(verbs, rest) {
		return spec{}, fmt.Errorf("format spec %q: unexpected %q", text, rest)
	}
	if rest != "" {
		s.verb = rest[0]
	}
	if err := s.checkGroup(); err != nil {
		return spec{}, fmt.Errorf("format spec %q: %w", text, err)
	}
	return s, nil
}

func (s *spec) parseAlign(t string) string {
	r, n := utf8.DecodeRuneInString(t)
	if n > 0 && len(t) > n && isAlign(t[n]) {
		s.fill, s.align = r, t[n]
		return t[n+1:]
	}
	if t != "" && isAlign(t[0]) {
		s.align = t[0]
		return t[1:]
	}
	return t
}

func isAlign(c byte) bool { return c == '<' || c == '>' || c == '^' || c == '=' }

func (s *spec) parseFlags(t string) string {
	filled := s.align != 0 && len(s.text) > 0 && !isFirst(s.text, s.align)
	if t != "" && (t[0] == '+' || t[0] == '-' || t[0] == ' ') {
		s.sign, t = t[0], t[1:]
	}
	if rest, ok := strings.CutPrefix(t, "z"); ok {
		s.noNegZero, t = true, rest
	}
	if rest, ok := strings.CutPrefix(t, "#"); ok {
		s.alt, t = true, rest
	}
	if rest, ok := strings.CutPrefix(t, "0"); ok && !filled {
		s.zero, s.fill, t = true, '0', rest
	}
	return t
}

// isFirst reports whether the spec begins with its alignment, and therefore has no fill character.
func isFirst(text string, align byte) bool {
	return text[0] == align && (len(text) < 2 || !isAlign(text[1]))
}

func (s *spec) parseSizes(t string) (rest string, err error) {
	if s.width, t, err = number(t, 0, maxWidth); err != nil {
		return t, err
	}
	for t != "" && (t[0] == ',' || t[0] == '_') {
		if s.group != 0 {
			return t, errors.New("cannot group twice")
		}
		s.group, t = t[0], t[1:]
	}
	if rest, ok := strings.CutPrefix(t, "."); ok {
		if s.precision, t, err = number(rest, -1, maxPrecision); err == nil && s.precision < 0 {
			err = errors.New("precision is missing")
		}
	}
	return t, err
}

// number() parses the decimal digits at the start of t. Without digits, it returns the parameter `none`.
func number(t string, none, most int) (int, string, error) {
	i, n := 0, 0
	for ; i < len(t) && t[i] >= '0' && t[i] <= '9'; i++ {
		if n = n*10 + int(t[i]-'0'); n > most {
			return 0, t, fmt.Errorf("number above %d", most)
		}
	}
	if i == 0 {
		return none, t, nil
	}
	return n, t[i:], nil
}

func (s *spec) checkGroup() error {
	ok := "deEfFgG%"
	if s.group == '_' {
		ok += "boxX"
	}
	if s.group != 0 && s.verb != 0 && !strings.ContainsRune(ok, rune(s.verb)) {
		return fmt.Errorf("cannot group with %q by %q", s.verb, s.group)
	}
	return nil
}

// append appends v in the form that the spec describes.
func (s *spec) append(dst []byte, v any) ([]byte, error) {
	if s.text == "" {
		return AppendStr(dst, v), nil
	}
	switch v := v.(type) {
	case string:
		return s.appendText(dst, v)
	case bool:
		n := 0
		if v {
			n = 1
		}
		return s.appendInt(dst, n)
	case int:
		return s.appendInt(dst, v)
	case *big.Int:
		return s.appendBig(dst, v)
	case float64:
		return s.appendFloat(dst, v)
	}
	return dst, fmt.Errorf("%w: %s takes no format spec, got %q", ErrType, typeName(v), s.text)
}

func (s *spec) appendText(dst []byte, t string) ([]byte, error) {
	switch {
	case s.verb != 0 && s.verb != 's':
		return dst, s.unsuited("str")
	case s.sign != 0, s.alt, s.noNegZero, s.align == '=', s.group != 0:
		return dst, s.unsuited("str")
	}
	if s.precision >= 0 {
		t = firstRunes(t, s.precision)
	}
	before, after := s.padding(utf8.RuneCountInString(t), '<')
	dst = appendFill(dst, s.fill, before)
	dst = append(dst, t...)
	return appendFill(dst, s.fill, after), nil
}

func firstRunes(t string, n int) string {
	for i := range t {
		if n == 0 {
			return t[:i]
		}
		n--
	}
	return t
}

func (s *spec) unsuited(kind string) error {
	return fmt.Errorf("%w: %s with format spec %q", ErrType, kind, s.text)
}

// padding() returns the numbers of fill characters before and after a text of n characters. `own` is the default alignment.
func (s *spec) padding(n int, own byte) (before, after int) {
	pad := max(s.width-n, 0)
	align := s.align
	if align == 0 {
		align = own
	}
	switch align {
	case '<':
		return 0, pad
	case '^':
		return pad / 2, pad - pad/2
	}
	return pad, 0
}

func appendFill(dst []byte, fill rune, n int) []byte {
	for range n {
		dst = utf8.AppendRune(dst, fill)
	}
	return dst
}
