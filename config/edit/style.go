package edit

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A style describes the format of a file, so that new text has the same format.
type style struct {
	step  int  // number of spaces by which a mapping in a mapping is indented
	dash  int  // number of spaces by which the dashes of a list in a mapping are indented
	item  int  // number of characters from a dash to its value
	quote byte // usual quotation mark
	pad   bool // blanks inside braces
}

// style detects the format of the file. It takes each of `step`, `dash` and `item` from the first block that shows this number. The style
// has the quotation marks that occur most often.
func (d *Document) style() style {
	s := style{step: -1, dash: -1, item: -1}
	double, single := 0, 0
	d.Root.Walk(func(n *Node) {
		switch n.quote() {
		case '"':
			double++
		case '\'':
			single++
		}
		s.learn(d, n)
	})
	if s.quote = '"'; single > double {
		s.quote = '\''
	}
	for _, v := range []*int{&s.step, &s.dash, &s.item} {
		if *v < 0 {
			*v = 2
		}
	}
	return s
}

func (s *style) learn(d *Document, n *Node) {
	if n.Flow && n.Kind == Map && d.at(n.Content.Start+1) == ' ' {
		s.pad = true
	}
	if !n.Block() || n.Parent == nil {
		return
	}
	in := n.Parent.In
	switch {
	case in.Kind == Seq && s.item < 0 && d.Line(n.Parent.mark) == d.Line(n.Content.Start):
		s.item = n.column - in.column
	case in.Kind == Map && n.Kind == Seq && s.dash < 0:
		s.dash = n.column - in.column
	case in.Kind == Map && n.Kind == Map && s.step < 0:
		s.step = n.column - in.column
	}
}

// Line returns the line number of a byte. The first line is 1.
func (d *Document) Line(at int) int {
	line, _ := d.Position(at)
	return line
}

// wantsFlow reports whether a new list or mapping in the given collection should be in brackets, because its neighbors are in brackets.
// If there are no neighbors, `known` is false.
func wantsFlow(in *Node, kind Kind) (flow, known bool) {
	if in == nil {
		return false, false
	}
	count, flows := 0, 0
	for _, e := range in.Entries {
		if e.Value.Kind == kind && len(e.Value.Entries) > 0 {
			count++
			if e.Value.Flow {
				flows++
			}
		}
	}
	return 2*flows > count, count > 0
}

// inFlow reports whether n is in brackets or inside of brackets.
func inFlow(n *Node) bool {
	for ; n != nil; n = n.Parent.In {
		if n.Flow {
			return true
		}
		if n.Parent == nil {
			return false
		}
	}
	return false
}

// A snippet is the YAML text of a new value.
type snippet struct {
	text  string // text without a line break at its end. A collection is not indented
	y     *yaml.Node
	block bool // true for a collection without brackets
	multi bool // true if the text has several lines
}

// words lists texts that YAML parsers may read as other types if they are not quoted.
var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// needsQuotes reports whether a text without quotation marks is invalid, or has another type, another value or other parts. `flow` is true
// in brackets.
func needsQuotes(s string, flow bool) bool {
	list := "- " + s + "\n"
	if flow {
		list = "[" + s + "]\n"
	}
	y, err := decode([]byte(list))
	if err != nil || y == nil || len(y.Content) != 1 || slices.Contains(words, strings.ToLower(s)) {
		return true
	}
	v := y.Content[0]
	return v.Kind != yaml.ScalarNode || v.Style != 0 || v.Anchor != "" || text(v) != "string "+s
}

// plainText reports whether every YAML parser reads an unquoted word as text.
func plainText(s string) bool {
	if s == "" || slices.Contains(words, strings.ToLower(s)) {
		return false
	}
	c := s[0] | 0x20
	return c >= 'a' && c <= 'z' || s[0] >= 0x80
}
