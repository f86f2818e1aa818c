// Package ical parses iCalendar files (RFC 5545) and computes the times of their events.
//
// A broken event does not hide other events; it is counted and reported. The numbers of bytes, lines, components and instances are
// limited.
package ical

import (
	"bytes"
	"strings"
)

const (
	// MaxBytes is the maximum size of a calendar. It is three times the size of the largest known calendar.
	MaxBytes = 16 << 20
	// maxLine is the maximum length of an unfolded line, in bytes. Longer lines, such as descriptions that contain pictures, are cut.
	maxLine = 64 << 10
	// maxComponents is the maximum number of events, tasks, alarms and time zones of a calendar together.
	maxComponents = 100_000
	// maxParams is the maximum number of parameters of a property.
	maxParams = 32
)

// A property is one line of content: NAME;PARAM=value:value.
type property struct {
	name   string
	params [][2]string
	value  string // value before its escapes are removed
}

// param returns the value of a parameter, or "" if it is missing.
func (p *property) param(name string) string {
	for _, kv := range p.params {
		if kv[0] == name {
			return kv[1]
		}
	}
	return ""
}

// A component is a block from BEGIN to END.
type component struct {
	name  string
	props []property
	inner []*component
}

func (c *component) get(name string) *property {
	for i := range c.props {
		if c.props[i].name == name {
			return &c.props[i]
		}
	}
	return nil
}

// text returns the text of a property without escapes, or "" if the property is missing.
func (c *component) text(name string) string {
	if p := c.get(name); p != nil {
		return unescape(p.value)
	}
	return ""
}

// all() calls f with each property that has the given name.
func (c *component) all(name string, f func(p *property)) {
	for i := range c.props {
		if c.props[i].name == name {
			f(&c.props[i])
		}
	}
}

// A reader builds components from lines.
type reader struct {
	root    component
	stack   []*component
	count   int
	dropped int // number of lines without a property, and of components beyond the limit
}

// read parses a calendar. It accepts a missing END, lines without a colon, and events outside of a calendar. `dropped` is the number of
// lines and components that it ignored.
func read(data []byte) (root *component, dropped int) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	r := &reader{}
	r.stack = []*component{&r.root}
	var line []byte
	for len(data) > 0 {
		var next []byte
		next, data = cutLine(data)
		if len(next) > 0 && (next[0] == ' ' || next[0] == '\t') {
			line = appendBounded(line, next[1:])
			continue
		}
		r.line(line)
		line = appendBounded(line[:0], next)
	}
	r.line(line)
	return &r.root, r.dropped
}

func appendBounded(line, more []byte) []byte {
	return append(line, more[:min(len(more), maxLine-len(line))]...)
}

// cutLine returns the first line of `data` and the rest. A line ends with CRLF, LF or CR.
func cutLine(data []byte) (line, rest []byte) {
	i := bytes.IndexAny(data, "\r\n")
	if i < 0 {
		return data, nil
	}
	n := i + 1
	if data[i] == '\r' && n < len(data) && data[n] == '\n' {
		n++
	}
	return data[:i], data[n:]
}

// line processes one unfolded line.
func (r *reader) line(b []byte) {
	if len(bytes.TrimSpace(b)) == 0 {
		return
	}
	p, ok := parseProperty(strings.ToValidUTF8(string(b), "\uFFFD"))
	if !ok {
		r.dropped++
		return
	}
	top := r.stack[len(r.stack)-1]
	switch p.name {
	case "BEGIN":
		r.begin(strings.ToUpper(strings.TrimSpace(p.value)))
	case "END":
		r.end(strings.ToUpper(strings.TrimSpace(p.value)))
	default:
		if top != nil {
			top.props = append(top.props, p)
		}
	}
}

// begin opens a component. If there are too many components, it puts nil on the stack, so that the content of the component is ignored.
func (r *reader) begin(name string) {
	const deepest = 8
	if len(r.stack) >= deepest {
		r.dropped++
		return
	}
	top := r.stack[len(r.stack)-1]
	if r.count++; r.count > maxComponents || top == nil {
		r.dropped++
		r.stack = append(r.stack, nil)
		return
	}
	c := &component{name: name}
	top.inner = append(top.inner, c)
	r.stack = append(r.stack, c)
}

// end closes the innermost open component with a name, and the open components inside it.
func (r *reader) end(name string) {
	for i := len(r.stack) - 1; i > 0; i-- {
		if c := r.stack[i]; c == nil || c.name == name {
			r.stack = r.stack[:i]
			return
		}
	}
}

// parseProperty parses a line of content. ok is false if the line has no name or no colon.
func parseProperty(s string) (p property, ok bool) {
	end := strings.IndexAny(s, ";:")
	if end <= 0 {
		return p, false
	}
	p.name = strings.ToUpper(strings.TrimSpace(s[:end]))
	if strings.ContainsAny(p.name, " \t") {
		return p, false // the line is a sentence with a colon
	}
	for s = s[end:]; strings.HasPrefix(s, ";"); {
		name, value, rest, ok := parseParam(s[1:])
		if !ok {
			return p, false
		}
		if len(p.params) < maxParams {
			p.params = append(p.params, [2]string{strings.ToUpper(name), caret(value)})
		}
		s = rest
	}
	if !strings.HasPrefix(s, ":") {
		return p, false
	}
	p.value = s[1:]
	return p, true
}

// parseParam parses a parameter NAME=value at the beginning of s and returns the rest of s. The value may be quoted, and it may be a list
// with commas.
func parseParam(s string) (name, value, rest string, ok bool) {
	eq := strings.IndexAny(s, "=;:")
	if eq < 0 {
		return "", "", "", false
	}
	if s[eq] != '=' {
		return s[:eq], "", s[eq:], true
	}
	name, s = s[:eq], s[eq+1:]
	var b strings.Builder
	quoted := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case !quoted && c == ':' && inBrackets(b.String(), s[i:]):
			b.WriteByte(c)
		case !quoted && (c == ';' || c == ':'):
			return name, b.String(), s[i:], true
		default:
			b.WriteByte(c)
		}
	}
	return "", "", "", false
}

// inBrackets reports whether a colon belongs to a value in brackets that lacks quotes, such as (UTC-05:00) Eastern Time. `rest` begins with
// the colon.
func inBrackets(before, rest string) bool {
	const offset = len(":00)")
	return strings.HasPrefix(before, "(") && !strings.Contains(before, ")") && len(rest) >= offset && rest[offset-1] == ')'
}

var carets = strings.NewReplacer("^n", "\n", "^'", `"`, "^^", "^")

// caret replaces the escapes of RFC 6868 by the characters that they stand for.
func caret(s string) string {
	if !strings.Contains(s, "^") {
		return s
	}
	return carets.Replace(s)
}

var escapes = strings.NewReplacer(`\\`, `\`, `\,`, ",", `\;`, ";", `\n`, "\n", `\N`, "\n", `\:`, ":", `\"`, `"`)

// unescape replaces the escapes in a text value by the characters that they stand for (RFC 5545, section 3.3.11).
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escapes.Replace(s)
}
