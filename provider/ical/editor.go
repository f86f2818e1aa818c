package ical

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"dashboard/internal/stable"
)

// An editor changes the properties of one component in a calendar. All other bytes of the calendar stay the same.
type editor struct {
	component
	data  []byte
	lines []span // position of each property
	end   int    // offset of the first line that follows the properties
	eol   string
	edits []edit
}

// A span is the position of a line, including its continuation lines.
type span struct{ from, to int }

// An edit replaces a span by a text.
type edit struct {
	span
	text []byte
}

// eachLine calls f with each unfolded line of a calendar and the line's position.
func eachLine(data []byte, f func(line []byte, at span)) {
	at := len(data) - len(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	for at < len(data) {
		from := at
		line, rest := cutLine(data[at:])
		line = slices.Clip(line[:min(len(line), maxLine)])
		at = len(data) - len(rest)
		for at < len(data) && (data[at] == ' ' || data[at] == '\t') {
			var more []byte
			more, rest = cutLine(data[at:])
			line = appendBounded(line, more[1:])
			at = len(data) - len(rest)
		}
		f(line, span{from, at})
	}
}

// tasksOf returns an editor for each task of a calendar.
func tasksOf(data []byte) (all []*editor) {
	var open []*editor // the open components; nil for a component that is not a task
	eachLine(data, func(line []byte, at span) {
		p, ok := parseProperty(strings.ToValidUTF8(string(line), "\uFFFD"))
		if !ok {
			return
		}
		var top *editor
		if len(open) > 0 {
			top = open[len(open)-1]
		}
		if top != nil && top.end == 0 && (p.name == "BEGIN" || p.name == "END") {
			top.end = at.from
		}
		switch {
		case p.name == "BEGIN":
			var e *editor
			if strings.EqualFold(strings.TrimSpace(p.value), "VTODO") && len(all) < MaxEvents {
				e = &editor{component: component{name: "VTODO"}, data: data, eol: ending(data[at.from:at.to])}
				all = append(all, e)
			}
			open = append(open, e)
		case p.name == "END":
			open = open[:max(0, len(open)-1)]
		case top != nil && top.end == 0:
			top.props, top.lines = append(top.props, p), append(top.lines, at)
		}
	})
	return slices.DeleteFunc(all, func(e *editor) bool { return e.end == 0 })
}

// ending() returns the line end of a line. Default: CRLF.
func ending(line []byte) string {
	switch {
	case bytes.HasSuffix(line, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(line, []byte("\n")):
		return "\n"
	}
	return "\r\n"
}

// set replaces all properties with a name by NAME:value. If no property has the name, it adds the line after the last property.
func (e *editor) set(name, value string) {
	at := span{e.end, e.end}
	if i := slices.IndexFunc(e.props, func(p property) bool { return p.name == name }); i >= 0 {
		at = e.lines[i]
	}
	e.drop(name)
	e.edits = slices.DeleteFunc(e.edits, func(x edit) bool { return x.span == at && at.from < at.to })
	e.edits = append(e.edits, edit{at, appendFolded(nil, name+":"+value, e.eol)})
}

// setValue changes the value of the first property with a name. The parameters of the property stay.
func (e *editor) setValue(name, value string) {
	i := slices.IndexFunc(e.props, func(p property) bool { return p.name == name })
	var head string
	eachLine(e.data[e.lines[i].from:e.lines[i].to], func(line []byte, _ span) {
		head = strings.TrimSuffix(string(line), e.props[i].value)
	})
	e.edits = append(e.edits, edit{e.lines[i], appendFolded(nil, head+value, e.eol)})
}

// drop removes all properties with the given names.
func (e *editor) drop(names ...string) {
	for i, p := range e.props {
		if slices.Contains(names, p.name) {
			e.edits = append(e.edits, edit{e.lines[i], nil})
		}
	}
}

// bytes() returns the calendar after all edits.
func (e *editor) bytes() []byte {
	stable.Sort(e.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, x := range e.edits {
		out = append(append(out, e.data[at:x.from]...), x.text...)
		at = x.to
	}
	return append(out, e.data[at:]...)
}

// longestLine is the maximum length of a line in bytes, without its line end (RFC 5545, section 3.1).
const longestLine = 75

// appendFolded appends a line in pieces of at most longestLine bytes. It does not split characters.
func appendFolded(b []byte, line, eol string) []byte {
	for room := longestLine; len(line) > room; room = longestLine - 1 {
		n := room
		for n > room-utf8.UTFMax && !utf8.RuneStart(line[n]) {
			n--
		}
		b = append(append(append(b, line[:n]...), eol...), ' ')
		line = line[n:]
	}
	return append(append(b, line...), eol...)
}
