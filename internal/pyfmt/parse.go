package pyfmt

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A parser splits a template into parts.
type parser struct {
	rest     string
	literal  strings.Builder
	parts    []part
	auto     int // number of fields "{}" so far
	numbered bool
}

func (p *parser) flush(f part) {
	f.literal = p.literal.String()
	p.literal.Reset()
	if f.literal != "" || f.field {
		p.parts = append(p.parts, f)
	}
}

// next() reads a run of plain text, a doubled brace or a field from p.rest, and adds it to the parts.
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

// field() reads "{name[key]...!conv:spec}" from p.rest, which starts with the opening brace.
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

// closing() returns the position of the brace that ends a field. Within brackets every character is part of a key.
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

// cutName splits a field at the "!" or ":" after its name.
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

// name() parses "", "0" or "value" and the keys after it.
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
		if rest, ok := strings.CutPrefix(s, ".real"); ok {
			keys, s = append(keys, key{real: true}), rest
			continue
		}
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
