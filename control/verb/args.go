package verb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxBody is the maximum size of a notification's body, in bytes. A notification's text has at most 4096 characters, which need at most
// 48 kB if they are escaped.
const MaxBody = 64 << 10

// Args are the arguments of a verb, by the names of its parameters. The type of each value is listed at [Kind].
type Args map[string]any

// Text returns a text argument, or "" if it is missing.
func (a Args) Text(name string) string {
	s, _ := a[name].(string)
	return s
}

// Time returns a duration argument, or 0 if it is missing.
func (a Args) Time(name string) time.Duration {
	d, _ := a[name].(time.Duration)
	return d
}

// Float returns a number or a share, or 0 if it is missing.
func (a Args) Float(name string) float64 {
	f, _ := a[name].(float64)
	return f
}

// Int returns a whole number, or 0 if it is missing.
func (a Args) Int(name string) int {
	n, _ := a[name].(int)
	return n
}

// JSON returns an object or a body, or nil if it is missing.
func (a Args) JSON(name string) json.RawMessage {
	raw, _ := a[name].(json.RawMessage)
	return raw
}

// Check returns an error about the first argument that is invalid, missing or unknown.
func (v *Verb) Check(a Args) error {
	for i := range v.Params {
		p := &v.Params[i]
		value, given := a[p.Name]
		if !given && p.Required {
			return p.missing()
		}
		if given {
			if err := p.check(value); err != nil {
				return err
			}
		}
	}
	for name := range a {
		if v.Param(name) == nil {
			return fmt.Errorf("%s has no parameter '%.40s'", v.Name, name)
		}
	}
	return nil
}

// ErrBody is the beginning of all errors about the form of a body.
var ErrBody = errors.New("the body must be a JSON object")

// Decode reads the arguments from the body of a request. `view` is the view that the body names, or "". A parameter of kind Body gets the
// whole body. `loose` is explained at [Route].
func (v *Verb) Decode(body []byte, loose bool) (a Args, view string, err error) {
	for i := range v.Params {
		if p := &v.Params[i]; p.Kind == Body {
			return Args{p.Name: json.RawMessage(body)}, "", nil
		}
	}
	keys, err := object(body)
	if err != nil && !loose {
		return nil, "", fmt.Errorf("%w: %s", ErrBody, PlainJSON(body, err))
	}
	if raw, ok := keys["view"]; ok && !v.Whole {
		if json.Unmarshal(raw, &view) != nil && !loose {
			return nil, "", fmt.Errorf("%w: 'view' must be a text", ErrBody)
		}
		delete(keys, "view")
	}
	a, err = v.args(keys, loose)
	return a, view, err
}

// args() converts JSON values to arguments.
func (v *Verb) args(keys map[string]json.RawMessage, loose bool) (Args, error) {
	a := Args{}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		p, raw := v.Param(name), keys[name]
		if p == nil && loose {
			continue
		}
		if p == nil {
			return nil, fmt.Errorf("%w: unknown field %q; known: %s", ErrBody, name, v.known())
		}
		value, ok, err := p.read(raw)
		if loose && p.Kind == Text && !ok {
			value, ok, err = "?", true, nil // no parameter can have this value, so the check rejects it
		}
		if wrong := (errKind{}); errors.As(err, &wrong) {
			return nil, fmt.Errorf("%w: %w", ErrBody, wrong.error)
		}
		if err != nil {
			return nil, err
		}
		if ok {
			a[name] = value
		}
	}
	return a, nil
}

// Strings converts texts, such as parts of a URL, to arguments. An empty text counts as a missing argument.
func (v *Verb) Strings(given map[string]string) (Args, error) {
	a := Args{}
	for name, text := range given {
		p := v.Param(name)
		if p == nil || text == "" {
			continue
		}
		value, err := p.parse(text)
		if err != nil {
			return nil, err
		}
		a[name] = value
	}
	return a, nil
}

// parse converts a plain text to the value of a parameter. The text is a payload of the broker, a part of a URL, or a word of a command
// line.
func (p *Param) parse(text string) (any, error) {
	raw := json.RawMessage(text)
	if p.Kind == Text || p.Kind == Share {
		if p.Words != nil {
			text = strings.ToLower(text)
		}
		raw = json.RawMessage(strconv.Quote(text))
	}
	if p.Kind == Text {
		return text, nil
	}
	value, ok, err := p.read(raw)
	if err == nil && !ok {
		err = p.mismatch()
	}
	return value, err
}

// object decodes a JSON object that must be the whole body. null is decoded as an object without keys.
func object(body []byte) (keys map[string]json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&keys); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF { // d.More would accept an extra closing bracket
		return nil, errors.New("there is more than one JSON object")
	}
	return keys, nil
}

// PlainJSON describes an error of encoding/json with its line and column in the body, and without the names of Go types.
func PlainJSON(body []byte, err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		return "this is another kind of value: " + kind.Value
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too soon"
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(body)) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return "it ends too soon"
	case errors.As(err, &syntax):
		before := body[:min(max(syntax.Offset-1, 0), int64(len(body)))]
		line := before[bytes.LastIndexByte(before, '\n')+1:]
		return fmt.Sprintf("line %d, column %d: %s", 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(line), syntax)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// known() lists the names of the parameters.
func (v *Verb) known() string {
	names := make([]string, len(v.Params))
	for i := range v.Params {
		names[i] = v.Params[i].Name
	}
	return strings.Join(names, ", ")
}
