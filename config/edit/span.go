package edit

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A spanner finds the byte span of each node. The YAML library reports only the line and column at
// which a node begins. The spanner reads the file from there to find the end of the node.
type spanner struct {
	doc *Document
	by  map[*yaml.Node]*Node
}

// lost() returns the error for an offset at which the file does not have the expected character.
func (b *spanner) lost(at int) error {
	line, column := b.doc.Position(at)
	return fmt.Errorf("line %d, column %d: %w", line, column, ErrText)
}

// offset returns the byte offset of a line and a column. Lines and columns begin at 1. Columns count characters.
func (d *Document) offset(line, column int) int {
	if line < 1 || line > len(d.lines) {
		return len(d.Bytes)
	}
	i := d.lines[line-1]
	for ; column > 1 && i < len(d.Bytes); column-- {
		_, n := utf8.DecodeRune(d.Bytes[i:])
		i += n
	}
	return i
}

// Position returns the line and the column of a byte. Lines and columns begin at 1. Columns count characters.
func (d *Document) Position(at int) (line, column int) {
	line = sort.SearchInts(d.lines, at+1)
	line = max(line, 1)
	begin := min(d.lines[line-1], at)
	return line, 1 + utf8.RuneCount(d.Bytes[begin:min(at, len(d.Bytes))])
}

// column returns the column of a byte in characters. The first column is 0.
func (d *Document) column(at int) int {
	_, c := d.Position(at)
	return c - 1
}

// finish sets the targets of all aliases.
func (b *spanner) finish() error {
	for y, n := range b.by {
		if y.Kind != yaml.AliasNode {
			continue
		}
		if n.Target = b.by[y.Alias]; n.Target == nil {
			return b.lost(n.Span.Start)
		}
		n.Target.Uses++
	}
	return nil
}

// build returns the node of y with all nodes below it and their spans. `indent` is the column of the surrounding collection without
// brackets, or -1.
func (b *spanner) build(y *yaml.Node, indent, depth int) (*Node, error) {
	n := &Node{y: y, Anchor: y.Anchor, Value: y.Value, Line: y.Line}
	b.by[y] = n
	b.doc.Nodes++
	start := b.doc.offset(y.Line, y.Column)
	if depth > maxDepth {
		return nil, b.lost(start)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		n.Tag = y.Tag
	}
	after, at, err := b.properties(y, start)
	if err != nil {
		return nil, err
	}
	n.Content.Start = at
	switch y.Kind {
	case yaml.AliasNode:
		n.Kind, n.Content.End = Alias, start+1+len(y.Value)
		if !bytes.HasPrefix(b.doc.Bytes[start:], []byte("*"+y.Value)) {
			return nil, b.lost(start)
		}
	case yaml.ScalarNode:
		err = b.scalar(n, after, indent)
	case yaml.SequenceNode:
		n.Kind, n.Flow = Seq, b.doc.at(at) == '['
		err = b.list(n, depth)
	case yaml.MappingNode:
		n.Kind = Map
		n.Flow = b.doc.at(at) == '{'
		n.bare = !n.Flow && y.Style&yaml.FlowStyle != 0
		n.Flow = n.Flow || n.bare
		err = b.mapping(n, depth)
	}
	if err != nil {
		return nil, err
	}
	n.column = b.doc.column(n.Content.Start)
	n.Span = Span{start, max(n.Content.End, after)}
	return n, nil
}

// at() returns the byte at the offset i, or 0 after the end of the file.
func (d *Document) at(i int) byte {
	if i < 0 || i >= len(d.Bytes) {
		return 0
	}
	return d.Bytes[i]
}

const tagSigns = ";/?:@&=+$,.!~*'()[]%_-"

// properties() skips the anchor and the tag of y, which begin at the offset `at`. It returns the offset at which they end, and the offset
// at which the content begins.
func (b *spanner) properties(y *yaml.Node, at int) (after, content int, err error) {
	after, content = at, at
	anchor := y.Anchor != "" && y.Kind != yaml.AliasNode
	tag := y.Style&yaml.TaggedStyle != 0
	for anchor || tag {
		i := content
		switch c := b.doc.at(i); {
		case c == '&' && anchor:
			anchor = false
			i += 1 + len(y.Anchor)
		case c == '!' && tag:
			tag = false
			i = b.tagEnd(i)
		default:
			return 0, 0, b.lost(i)
		}
		after = i
		content = b.doc.skip(i)
	}
	return after, content, nil
}

func (b *spanner) tagEnd(i int) int {
	d := b.doc.Bytes
	if bytes.HasPrefix(d[i:], []byte("!<")) {
		if end := bytes.IndexByte(d[i:], '>'); end >= 0 {
			return i + end + 1
		}
	}
	for i < len(d) && (d[i] >= '0' && d[i] <= '9' || d[i]|0x20 >= 'a' && d[i]|0x20 <= 'z' || strings.IndexByte(tagSigns, d[i]) >= 0) {
		i++
	}
	return i
}

// skip skips white space, line breaks and comments. It returns the offset of the first byte after them.
func (d *Document) skip(i int) int {
	for i < len(d.Bytes) {
		switch c := d.Bytes[i]; {
		case c == ' ' || c == '\t':
			i++
		case breakLen(d.Bytes, i) > 0:
			i += breakLen(d.Bytes, i)
		case c == '#' && (i == 0 || d.blankBefore(i)):
			i = d.lineEndAt(i)
		case bytes.HasPrefix(d.Bytes[i:], []byte("\xef\xbb\xbf")):
			i += 3
		default:
			return i
		}
	}
	return i
}

// blankBefore reports whether a comment may begin at i. This is the case if the byte before i cannot be a part of an unquoted ASCII word.
func (d *Document) blankBefore(i int) bool {
	c := d.Bytes[i-1]
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || strings.IndexByte("[]{},:\"'", c) >= 0 || c >= 0x80
}

// lineEndAt returns the offset of the next line break at or after i.
func (d *Document) lineEndAt(i int) int {
	for i < len(d.Bytes) && breakLen(d.Bytes, i) == 0 {
		i++
	}
	return i
}

// lineStartAt returns the offset of the first byte of the line that contains i.
func (d *Document) lineStartAt(i int) int {
	line, _ := d.Position(i)
	return d.lines[line-1]
}

// nextLine returns the offset of the first byte of the line after i.
func (d *Document) nextLine(i int) int {
	i = d.lineEndAt(i)
	return i + breakLen(d.Bytes, i)
}

// Offset returns the byte offset of a line and a column. Lines and columns begin at 1. Columns count characters.
func (d *Document) Offset(line, column int) int { return d.offset(line, column) }
