package edit

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Refusal is the error of a refused operation. Text contains the reason for the user.
type Refusal struct{ Text string }

// Error implements error.
func (r *Refusal) Error() string { return r.Text }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// A Result is a changed document, with the edits that change the old document into the new document.
type Result struct {
	Doc   *Document
	Edits []Edit
}

// A plan is an operation that is being prepared. It contains the edits of the file, and the same change of the model.
type plan struct {
	d     *Document
	style style
	edits []Edit
	model *yaml.Node
	by    map[*yaml.Node]*yaml.Node
}

func (d *Document) plan() *plan {
	p := &plan{d: d, style: d.style(), by: map[*yaml.Node]*yaml.Node{}}
	if d.Root != nil {
		p.model, p.by = cloneTree(d.Root.y)
	}
	return p
}

func (p *plan) replace(from, to int, text string) {
	p.edits = append(p.edits, Edit{Span{from, to}, []byte(text)})
}

var unknownAnchor = regexp.MustCompile(`unknown anchor '([^']+)'`)

// finish applies the edits, parses the changed file and compares it with the model.
func (p *plan) finish() (*Result, error) {
	list, err := normal(p.edits)
	if err != nil {
		return nil, refuse("the change would replace the same text twice: edit it as text")
	}
	data := Apply(p.d.Bytes, list)
	doc, err := Parse(p.d.Name, data)
	switch {
	case errors.Is(err, ErrText):
		return nil, refuse("after the change the file could be edited as text only: %v", err)
	case err != nil:
		if m := unknownAnchor.FindStringSubmatch(err.Error()); m != nil {
			return nil, refuse("other places use the anchor &%s with *%s: it must stay above them", m[1], m[1])
		}
		return nil, refuse("the file would not be valid: %v", err)
	case !same(p.model, doc.root()):
		return nil, refuse("the change would alter other parts of the file: edit it as text")
	}
	return &Result{doc, list}, nil
}

func (d *Document) root() *yaml.Node {
	if d.Root == nil {
		return nil
	}
	return d.Root.y
}

// model2 returns the collection in the model that contains an entry. `at` is the index of the entry's first node in this collection, and
// `count` is the number of its nodes.
func (p *plan) model2(e *Entry) (in *yaml.Node, at, count int) {
	in = p.by[e.In.y]
	if e.In.Kind == Seq {
		return in, slices.Index(in.Content, p.by[e.Value.y]), 1
	}
	return in, slices.Index(in.Content, p.by[e.Key.y]), 2
}

// newSnippet parses the text of a new value. Its aliases must refer to anchors in the text or in the document.
func (p *plan) newSnippet(text string) (*snippet, error) {
	text = dedent(strings.ReplaceAll(text, "\r\n", "\n"))
	if len(text) > MaxBytes {
		return nil, refuse("the text is longer than %d bytes", MaxBytes)
	}
	var anchors []*Node
	p.d.Root.Walk(func(n *Node) {
		if n.Anchor != "" {
			anchors = append(anchors, n)
		}
	})
	y, err := decode([]byte(text + "\n"))
	var stand []*yaml.Node
	if err != nil && len(anchors) > 0 && strings.Contains(text, "*") {
		y, stand, err = decodeWith(anchors, text)
	}
	if err != nil {
		return nil, refuse("the text is not valid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	s := &snippet{text: text, y: y}
	if y == nil {
		s.y, s.text = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, ""
		return s, nil
	}
	p.link(y, anchors, stand)
	if len(stand) == 0 {
		s.text = p.body(text, y)
	}
	s.multi = strings.Contains(s.text, "\n")
	s.block = (y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode) && y.Style&yaml.FlowStyle == 0
	return s, nil
}

// body returns the part of `text` that begins with the value y. It removes everything before the value, such as a comment.
func (p *plan) body(text string, y *yaml.Node) string {
	d := &Document{Bytes: []byte(text), lines: lineStarts([]byte(text))}
	return dedent(text[d.lineStartAt(d.offset(y.Line, y.Column)):])
}

// decodeWith parses a text whose aliases refer to anchors in the document. Before the text, it inserts an empty entry for each anchor, so
// that the parser accepts the aliases. `stand` contains the nodes of these entries.
func decodeWith(anchors []*Node, text string) (y *yaml.Node, stand []*yaml.Node, err error) {
	var b strings.Builder
	for _, a := range anchors {
		fmt.Fprintf(&b, "- &%s\n", a.Anchor)
	}
	b.WriteString("-\n")
	for _, l := range strings.Split(text, "\n") {
		b.WriteString("  " + l + "\n")
	}
	all, err := decode([]byte(b.String()))
	if err != nil {
		return nil, nil, err
	}
	return all.Content[len(anchors)], all.Content[:len(anchors)], nil
}

// link changes the aliases in a new text. Aliases that refer to nodes in `stand` then refer to the anchors in the model.
func (p *plan) link(y *yaml.Node, anchors []*Node, stand []*yaml.Node) {
	if i := slices.Index(stand, y.Alias); y.Alias != nil && i >= 0 {
		y.Alias = p.by[anchors[i].y]
	}
	for _, c := range y.Content {
		p.link(c, anchors, stand)
	}
}

// dedent removes the indentation that all lines have in common, empty lines at the beginning, and white space at the end.
func dedent(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \n"), "\n")
	for len(lines) > 1 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	least := -1
	for _, l := range lines {
		if n := len(l) - len(strings.TrimLeft(l, " ")); strings.TrimSpace(l) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	return strings.Join(shifted(lines, -max(least, 0)), "\n")
}

// A place describes the place at which new text is inserted.
type place struct {
	flow    bool // true if the place is in brackets
	wants   bool // true if a new collection at this place must be in brackets, because its neighbors are in brackets
	known   bool // true if there are neighbors, so that `wants` is valid
	parent  int  // column of the surrounding collection
	mapping bool // true if the place is after a key and not after a dash
}

// maxFlow is the maximum length of a new collection in brackets, in bytes. A longer collection is
// written on several lines, even if its neighbors are in brackets.
const maxFlow = 140

// The type written contains the lines of a new text. If `below` is true, all lines are below the key. Otherwise the first line comes
// directly after the key or the dash.
type written struct {
	lines []string
	below bool
}

// write formats a new text in the style of its place.
func (p *plan) write(s *snippet, at place) written {
	collection := s.y.Kind == yaml.MappingNode || s.y.Kind == yaml.SequenceNode
	brackets := at.flow || collection && (at.known && at.wants || !s.block) && len(p.style.flowText(s.y)) <= maxFlow
	switch {
	case at.flow && (s.block || s.multi || s.y.Kind == yaml.ScalarNode && s.y.Style&quoted == 0), brackets && s.block:
		return written{lines: []string{p.style.flowText(s.y)}}
	case !collection || brackets && !s.multi || !deep(s.y):
		return written{lines: p.scalarLines(s, at)}
	}
	by := at.parent + p.style.item
	if at.mapping {
		by = at.parent + p.style.step
		if s.y.Kind == yaml.SequenceNode {
			by = at.parent + p.style.dash
		}
	}
	var lines []string
	if s.block && properties(s.y) == "" {
		lines = strings.Split(s.text, "\n")
	} else {
		lines = p.style.lines(s.y)
	}
	if head := strings.TrimSpace(properties(s.y)); head != "" {
		return written{append([]string{head}, indented(lines, by)...), false}
	}
	lines = indented(lines, by)
	if !at.mapping {
		lines[0] = strings.TrimLeft(lines[0], " ")
	}
	return written{lines, at.mapping}
}

// scalarLines returns the lines of a new scalar or a new collection in brackets.
func (p *plan) scalarLines(s *snippet, at place) []string {
	lines := strings.Split(s.text, "\n")
	if !s.multi {
		return []string{p.requote(s)}
	}
	by := max(at.parent, 0)
	if s.y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		by = at.parent + p.style.step
	}
	return append(lines[:1:1], indented(lines[1:], by)...)
}

// requote returns the text of a snippet. A quoted word gets the quotation marks that the file usually uses, unless it has a tag, an
// anchor or a #.
func (p *plan) requote(s *snippet) string {
	word := s.y.Kind == yaml.ScalarNode && s.y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0
	if word && tagOf(s.y) == "" && s.y.Anchor == "" && !strings.Contains(s.text, "#") {
		return p.style.scalarText(s.y, false)
	}
	return s.text
}

// trailing returns the rest of a line after the given offset: white space and perhaps a comment. `end` is the offset of the line's end.
func (d *Document) trailing(at int) (text []byte, end int) {
	end = d.lineEndAt(at)
	return d.Bytes[at:end], end
}

// commentBehind reports whether the rest of a line after the given offset is a comment.
func (d *Document) commentBehind(at int) bool {
	text, _ := d.trailing(at)
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("#"))
}

// alone() reports whether there is only white space on the line before the given offset.
func (d *Document) alone(at int) bool {
	return len(bytes.Trim(d.Bytes[d.lineStartAt(at):at], " \t")) == 0
}
