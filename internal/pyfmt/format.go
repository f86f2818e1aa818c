// Package pyfmt formats a value with a Python format string, such as "{:.1f} °C", "{value:,}" or "{value[name]!r}".
//
// It supports everything that a template for one value needs. A replacement field contains the whole value ("{}", "{0}", "{value}") or a
// part of it in brackets. The conversions are !r, !s and !a. The format mini-language for numbers and texts is complete
// (https://docs.python.org/3/library/string.html#format-specification-mini-language). Dates and fields within format specs are not
// supported. The only supported attribute is .real.
//
// Values come from a JSON document. Their types are nil, bool, int, *big.Int, float64, string, []any and map[string]any. They are formatted
// like Python's None, bool, int, float, str, list and dict. The keys of a dict are sorted.
package pyfmt

import (
	"errors"
	"fmt"
	"math/big"
	"unicode/utf8"
)

// Limits of a template. They limit the memory of the result, because the length of the result depends on the width and the precision. No
// screen has room for a longer text.
const (
	maxWidth     = 4096
	maxPrecision = 1024
)

// Causes of a failed Append. Use errors.Is to test for them.
var (
	ErrType  = errors.New("the format does not suit the value") // Python's TypeError and ValueError
	ErrIndex = errors.New("the value has no such part")         // Python's KeyError and IndexError
)

// A Format is a parsed template. It is immutable. The zero value formats every value as an empty text.
type Format struct{ parts []part }

// A part is a literal text followed by at most one field.
type part struct {
	literal string
	field   bool
	keys    []key
	conv    byte // 'r', 's', 'a', or 0 for none
	spec    spec
}

// A key is the text in brackets, or .real. The text is an index for a list, or a key for a mapping.
type key struct {
	text    string
	index   int
	indexed bool
	real    bool // true for .real, which every Python number has. The result is the number itself
}

// Parse parses a template. The error describes a mistake in the template. A valid template can still fail for some values.
func Parse(template string) (*Format, error) {
	p := parser{rest: template}
	for p.rest != "" {
		if err := p.next(); err != nil {
			return nil, fmt.Errorf("format %q: %w", template, err)
		}
	}
	p.flush(part{})
	return &Format{parts: p.parts}, nil
}

// Append appends the formatted value to dst and returns the result. If the format does not suit the value, it returns dst unchanged and an
// error that wraps [ErrType] or [ErrIndex].
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

// AppendOr is like Append, but if the format does not suit the value, it appends the value's plain text. For example, the text
// "Unavailable" instead of a number is appended unchanged.
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

// realOf returns the real part of a number, which is the number itself. For a bool it returns 0 or 1.
func realOf(v any) (any, error) {
	switch n := v.(type) {
	case bool:
		if n {
			return 1, nil
		}
		return 0, nil
	case int, float64, *big.Int:
		return n, nil
	}
	return nil, fmt.Errorf("%w: this value has no attribute real", ErrType)
}

// of() returns the part of a value that the key selects.
func (k key) of(v any) (any, error) {
	if k.real {
		return realOf(v)
	}
	switch v := v.(type) {
	case map[string]any:
		// In Python, a number in brackets is an integer key. No key of a JSON mapping is an integer.
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

// runeLen returns the number of bytes of r at the start of s. For an invalid byte, it returns 1.
func runeLen(r rune, s string) int {
	if r == utf8.RuneError {
		_, n := utf8.DecodeRuneInString(s)
		return n
	}
	return utf8.RuneLen(r)
}

// typeName returns Python's name for the type of a value.
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
