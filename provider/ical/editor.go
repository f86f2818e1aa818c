package ical

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// An editor changes properties of one component of a calendar. All other bytes stay.
type editor struct {
	component
	data  []byte
	lines []span // places of props, in the same order
	end   int    // offset of the first line after the properties
	eol   string
	edits []edit
}

// A span is the place of a line with its continuation lines.
type span struct{ from, to int }

// An edit replaces bytes.
type edit struct {
	span
	text []byte
}

// eachLine calls f with every unfolded line of a calendar and its place.
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

// tasksOf returns editors of the tasks of a calendar.
func tasksOf(data []byte) (all []*editor) {
	var open []*editor // nil for components of other kinds
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

// ending returns the end of a line.
func ending(line []byte) string {
	switch {
	case bytes.HasSuffix(line, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(line, []byte("\n")):
		return "\n"
	}
	return "\r\n"
}

// set writes NAME:value in place of all properties of the name, or after the last property.
func (e *editor) set(name, value string) {
	at := span{e.end, e.end}
	if i := slices.IndexFunc(e.props, func(p property) bool { return p.name == name }); i >= 0 {
		at = e.lines[i]
	}
	e.drop(name)
	e.edits = slices.DeleteFunc(e.edits, func(x edit) bool { return x.span == at && at.from < at.to })
	e.edits = append(e.edits, edit{at, appendFolded(nil, name+":"+value, e.eol)})
}

// setValue writes another value of the first property of a name. Its parameters stay.
func (e *editor) setValue(name, value string) {
	i := slices.IndexFunc(e.props, func(p property) bool { return p.name == name })
	var head string
	eachLine(e.data[e.lines[i].from:e.lines[i].to], func(line []byte, _ span) {
		head = strings.TrimSuffix(string(line), e.props[i].value)
	})
	e.edits = append(e.edits, edit{e.lines[i], appendFolded(nil, head+value, e.eol)})
}

// drop removes the properties of names.
func (e *editor) drop(names ...string) {
	for i, p := range e.props {
		if slices.Contains(names, p.name) {
			e.edits = append(e.edits, edit{e.lines[i], nil})
		}
	}
}

// bytes returns the calendar with the edits.
func (e *editor) bytes() []byte {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, x := range e.edits {
		out = append(append(out, e.data[at:x.from]...), x.text...)
		at = x.to
	}
	return append(out, e.data[at:]...)
}

// longestLine is the length of a line without its end, in bytes (RFC 5545, section 3.1).
const longestLine = 75

// appendFolded appends a line in pieces of at most longestLine bytes. A character stays whole.
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
