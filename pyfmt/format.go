// Package pyfmt writes one value the way a Python format string says: "{:.1f} °C", "{value:,}", "{value[name]!r}".
//
// It covers what a template for one value can use: replacement fields with the value itself ("{}", "{0}", "{value}"), its
// parts in brackets, the conversions !r !s !a, and the whole format mini-language for numbers and texts
// (https://docs.python.org/3/library/string.html#format-specification-mini-language). Left out are attributes, fields
// within format specs and dates. Values are those of a JSON document: nil, bool, int, *big.Int, float64, string, []any and
// map[string]any, whose Python text is that of None, bool, int, float, str, list and dict, a dict's keys sorted.
package pyfmt

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a template. A width or precision is an amount of memory someone else asks for; no screen shows a longer text.
const (
	maxWidth     = 4096
	maxPrecision = 1024
)

// Causes of a failed Append, for errors.Is.
var (
	ErrType  = errors.New("pyfmt: format does not suit the value") // as Python's TypeError and ValueError
	ErrIndex = errors.New("pyfmt: value has no such part")         // as Python's KeyError and IndexError
)

// A Format is a template made ready. It is immutable; the zero value writes nothing.
type Format struct{ parts []part }

// A part is a literal text followed by at most one field.
type part struct {
	literal string
	field   bool
	keys    []key
	conv    byte // 'r', 's', 'a', or 0 for none
	spec    spec
}

// A key is what stood between brackets: a number for a list, any other text for a mapping.
type key struct {
	text    string
	index   int
	indexed bool
}

// Parse reads a template. The error says what is wrong with it; one that Parse accepts can still fail for some values.
func Parse(template string) (*Format, error) {
	p := parser{rest: template}
	for p.rest != "" {
		if err := p.next(); err != nil {
			return nil, fmt.Errorf("pyfmt: format %q: %w", template, err)
		}
	}
	p.flush(part{})
	return &Format{parts: p.parts}, nil
}

// A parser turns a template into parts.
type parser struct {
	rest     string
	literal  strings.Builder
	parts    []part
	auto     int // fields "{}" so far
	numbered bool
}

func (p *parser) flush(f part) {
	f.literal = p.literal.String()
	p.literal.Reset()
	if f.literal != "" || f.field {
		p.parts = append(p.parts, f)
	}
}

// next takes a run of plain text, a doubled brace or a field off the rest.
func (p *parser) next() error {
	i := strings.IndexAny(p.rest, "{}")
	if i < 0 {
		i = len(p.rest)
	}
	p.literal.WriteString(p.rest[:i])
	p.rest = p.rest[i:]
	switch {
	case p.rest == "":
		return nil
	case strings.HasPrefix(p.rest, "{{"), strings.HasPrefix(p.rest, "}}"):
		p.literal.WriteByte(p.rest[0])
		p.rest = p.rest[2:]
		return nil
	case p.rest[0] == '}':
		return errors.New("single '}'; write '}}' for a brace")
	}
	return p.field()
}

// field reads "{name[key]...!conv:spec}" with the opening brace in front.
func (p *parser) field() error {
	end, err := closing(p.rest)
	if err != nil {
		return err
	}
	body := p.rest[1:end]
	p.rest = p.rest[end+1:]
	name, tail := cutName(body)
	f := part{field: true}
	if f.keys, err = p.name(name); err != nil {
		return err
	}
	if strings.HasPrefix(tail, "!") {
		if len(tail) < 2 || !strings.Contains("rsa", tail[1:2]) {
			return fmt.Errorf("conversion in %q must be !r, !s or !a", body)
		}
		f.conv, tail = tail[1], tail[2:]
		if tail != "" && tail[0] != ':' {
			return fmt.Errorf("%q: expected ':' after the conversion", body)
		}
	}
	if tail != "" {
		if f.spec, err = parseSpec(tail[1:]); err != nil {
			return err
		}
	}
	p.flush(f)
	return nil
}

// closing finds the brace that ends a field. Within brackets every character belongs to the key.
func closing(s string) (int, error) {
	inKey, inSpec := false, false
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case inKey:
			inKey = c != ']'
		case c == '}':
			return i, nil
		case c == '{':
			return 0, errors.New("a field within a field is not supported")
		case c == '[' && !inSpec:
			inKey = true
		case c == ':':
			inSpec = true
		}
	}
	return 0, errors.New("'{' without '}'; write '{{' for a brace")
}

// cutName splits a field before the "!" or ":" that ends its name.
func cutName(body string) (name, tail string) {
	inKey := false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case inKey:
			inKey = c != ']'
		case c == '[':
			inKey = true
		case c == '!', c == ':':
			return body[:i], body[i:]
		}
	}
	return body, ""
}

// name reads "", "0" or "value" and the keys after it.
func (p *parser) name(name string) ([]key, error) {
	base, rest := name, ""
	if i := strings.IndexAny(name, "[."); i >= 0 {
		base, rest = name[:i], name[i:]
	}
	switch base {
	case "":
		p.auto++
	case "0":
		p.numbered = true
	case "value":
	default:
		return nil, fmt.Errorf("unknown field %q: there is one value, written {}, {0} or {value}", base)
	}
	if p.auto > 1 {
		return nil, errors.New("a second {} has no value: write {0} or {value} to repeat it")
	}
	if p.auto > 0 && p.numbered {
		return nil, errors.New("{} and {0} cannot be mixed")
	}
	return parseKeys(rest)
}

func parseKeys(s string) ([]key, error) {
	var keys []key
	for s != "" {
		if s[0] != '[' {
			return nil, fmt.Errorf("%q: only [key] may follow the value's name", s)
		}
		text, rest, ok := strings.Cut(s[1:], "]")
		if !ok || text == "" {
			return nil, fmt.Errorf("%q: expected [key]", s)
		}
		k := key{text: text}
		if i, err := strconv.ParseUint(text, 10, 31); err == nil {
			k.index, k.indexed = int(i), true
		}
		keys, s = append(keys, k), rest
	}
	return keys, nil
}

// Append writes the value into dst and returns the longer slice. On an error, which wraps [ErrType] or [ErrIndex], it
// returns dst as it was.
func (f *Format) Append(dst []byte, value any) ([]byte, error) {
	out := dst
	for i := range f.parts {
		p := &f.parts[i]
		out = append(out, p.literal...)
		if !p.field {
			continue
		}
		var err error
		if out, err = p.append(out, value); err != nil {
			return dst, err
		}
	}
	return out, nil
}

// AppendOr is Append that falls back to the value's plain text where the format does not suit it: a word such as
// "Unavailable" in place of a number is shown as it is.
func (f *Format) AppendOr(dst []byte, value any) []byte {
	out, err := f.Append(dst, value)
	if err != nil {
		return AppendStr(dst, value)
	}
	return out
}

func (p *part) append(dst []byte, v any) ([]byte, error) {
	for _, k := range p.keys {
		var err error
		if v, err = k.of(v); err != nil {
			return dst, err
		}
	}
	switch p.conv {
	case 0:
		return p.spec.append(dst, v)
	case 's':
		if s, ok := v.(string); ok {
			return p.spec.append(dst, s)
		}
		return p.spec.append(dst, string(AppendStr(nil, v)))
	case 'a':
		return p.spec.append(dst, string(appendRepr(nil, v, true)))
	}
	return p.spec.append(dst, string(AppendRepr(nil, v)))
}

// of takes one part out of a value.
func (k key) of(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		// Python looks a number up as a number, which no key of a JSON mapping is.
		if e, ok := v[k.text]; ok && !k.indexed {
			return e, nil
		}
		return nil, fmt.Errorf("%w: key %q", ErrIndex, k.text)
	case []any:
		if !k.indexed {
			return nil, fmt.Errorf("%w: list with key %q", ErrType, k.text)
		}
		if k.index >= len(v) {
			return nil, fmt.Errorf("%w: place %d of a list of %d", ErrIndex, k.index, len(v))
		}
		return v[k.index], nil
	case string:
		return k.ofText(v)
	}
	return nil, fmt.Errorf("%w: %s has no parts", ErrType, typeName(v))
}

func (k key) ofText(s string) (any, error) {
	if !k.indexed {
		return nil, fmt.Errorf("%w: text with key %q", ErrType, k.text)
	}
	n := 0
	for i, r := range s {
		if n == k.index {
			return s[i : i+runeLen(r, s[i:])], nil
		}
		n++
	}
	return nil, fmt.Errorf("%w: place %d of a text of %d", ErrIndex, k.index, n)
}

// runeLen is the number of bytes r took in s, one for a byte that is no UTF-8.
func runeLen(r rune, s string) int {
	if r == utf8.RuneError {
		_, n := utf8.DecodeRuneInString(s)
		return n
	}
	return utf8.RuneLen(r)
}

// typeName is Python's name of a value's type.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case float64:
		return "float"
	case string:
		return "str"
	case []any:
		return "list"
	case map[string]any:
		return "dict"
	}
	return "int"
}
