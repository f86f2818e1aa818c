// Package markdown turns Markdown (CommonMark 0.31 with the tables, task lists and strikethrough of GitHub) into a flat list of blocks that
// can be placed one below another.
package markdown

import (
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

const (
	// MaxBytes is the maximum size of a text in bytes. It is thirty times as much as a wall can show.
	MaxBytes = 64 << 10
	// MaxBlocks is the maximum number of blocks of a text, and maxDepth is their maximum nesting. The rest of the text is omitted.
	MaxBlocks = 500
	maxDepth  = 8
	// MaxCells is the maximum number of cells of a table.
	MaxCells = 400
)

// Kind is the kind of a block.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Code  // the text keeps its line breaks
	Rule  // a horizontal line
	Table // the rows are in Rows
)

// Task is the state of a list item that is a task. All other items have the state NoTask.
type Task uint8

// The states of a task.
const (
	NoTask Task = iota
	Open
	Done
)

// Align is the alignment of the texts of a column.
type Align uint8

// The alignments.
const (
	Start Align = iota
	Center
	End
)

// Span is a run of text in one style.
type Span struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	Break                      bool // the line ends after the span
}

// Cell is one cell of a table.
type Cell struct{ Spans []Span }

// Block is a part of a text that begins on a new line, such as a paragraph.
type Block struct {
	Kind   Kind
	Level  int    // level of a heading, 1 to 6
	Depth  int    // number of lists that contain the block
	Mark   string // mark before the first block of an item: "•" or a number
	Task   Task   // task state, in the first block of an item
	Quoted bool
	Spans  []Span
	Rows   [][]Cell // rows of a table. The first row is the head
	Aligns []Align  // alignment of each column of a table
}

// Parse parses a text. It ignores HTML, and everything after the first MaxBytes bytes.
func Parse(source string) []Block {
	src := bounded([]byte(strings.ToValidUTF8(source[:min(len(source), MaxBytes)], "\uFFFD")))
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	w := walker{src: src}
	w.blocks(md.Parser().Parse(text.NewReader(src)), place{})
	return w.out
}

// place is the position of a block in lists and quotes.
type place struct {
	depth, nested int
	mark          string
	quoted        bool
}

type walker struct {
	src []byte
	out []Block
}

// add appends a block with the list mark, depth and quote of `at`. It removes the mark from `at`, because only the first block of an item
// has a mark.
func (w *walker) add(b Block, at *place) {
	if len(w.out) >= MaxBlocks {
		return
	}
	b.Depth, b.Mark, b.Quoted = at.depth, at.mark, at.quoted
	at.mark = ""
	w.out = append(w.out, b)
}

// blocks() visits the children of a node that contains blocks.
func (w *walker) blocks(n ast.Node, at place) {
	if at.nested++; at.nested > maxDepth {
		return
	}
	for c := n.FirstChild(); c != nil && len(w.out) < MaxBlocks; c = c.NextSibling() {
		w.block(c, &at)
	}
}

func (w *walker) block(n ast.Node, at *place) {
	switch n := n.(type) {
	case *ast.Heading:
		w.add(Block{Kind: Heading, Level: n.Level, Spans: w.spans(n)}, at)
	case *ast.Paragraph, *ast.TextBlock:
		b := Block{Spans: w.spans(n)}
		if box, ok := n.FirstChild().(*table.TaskCheckBox); ok {
			b.Task = Open
			if box.IsChecked {
				b.Task = Done
			}
		}
		w.add(b, at)
	case *ast.Blockquote:
		inner := *at
		inner.quoted, inner.mark = true, ""
		w.blocks(n, inner)
	case *ast.List:
		w.list(n, *at)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.add(Block{Kind: Code, Spans: []Span{{Text: strings.TrimRight(w.lines(n), "\n"), Code: true}}}, at)
	case *ast.ThematicBreak:
		w.add(Block{Kind: Rule}, at)
	case *table.Table:
		w.table(n, at)
	}
}

// list() visits the items of a list.
func (w *walker) list(n *ast.List, at place) {
	at.depth++
	number := n.Start
	for item := n.FirstChild(); item != nil && len(w.out) < MaxBlocks; item = item.NextSibling() {
		at.mark = "•"
		if n.IsOrdered() {
			at.mark = strconv.Itoa(number)
			number++
		}
		w.blocks(item, at)
	}
}

// lines() returns the text of a block of code.
func (w *walker) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(w.src))
	}
	return b.String()
}

// table() adds a table with its rows and alignments.
func (w *walker) table(n *table.Table, at *place) {
	b := Block{Kind: Table}
	for _, a := range n.Alignments {
		b.Aligns = append(b.Aligns, map[table.Alignment]Align{table.AlignCenter: Center, table.AlignRight: End}[a])
	}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []Cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, Cell{w.spans(c)})
		}
		if (len(b.Rows)+1)*len(b.Aligns) > MaxCells {
			break
		}
		b.Rows = append(b.Rows, cells)
	}
	w.add(b, at)
}

// spans() returns the runs of text below a node.
func (w *walker) spans(n ast.Node) []Span {
	s := spanner{src: w.src}
	s.walk(n, Span{}, 0)
	s.end()
	return s.out
}

type spanner struct {
	src  []byte
	out  []Span
	last []byte // content of the last span of out
}

// end() sets the text of the last span.
func (s *spanner) end() {
	if i := len(s.out) - 1; i >= 0 {
		s.out[i].Text = string(s.last)
	}
}

// walk collects the spans below a node. The parameter `now` contains the current style.
func (s *spanner) walk(n ast.Node, now Span, depth int) {
	if depth > maxDepth {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner := now
		switch c := c.(type) {
		case *ast.Text:
			inner.Text = string(c.Value(s.src))
			if !inner.Code && !c.IsRaw() {
				inner.Text = plain(inner.Text)
			}
			inner.Break = c.HardLineBreak()
			if c.SoftLineBreak() {
				inner.Text += " "
			}
			s.add(inner)
			continue
		case *ast.String:
			inner.Text = string(c.Value)
			s.add(inner)
			continue
		case *ast.AutoLink:
			inner.Text = string(c.Label(s.src))
			s.add(inner)
			continue
		case *ast.RawHTML:
			continue
		case *ast.CodeSpan:
			inner.Code = true
		case *ast.Emphasis:
			inner.Bold = inner.Bold || c.Level >= 2
			inner.Italic = inner.Italic || c.Level == 1
		case *table.Strikethrough:
			inner.Strike = true
		}
		s.walk(c, inner, depth+1)
	}
}

// maxEntity is the length of the longest entity, including & and ;.
const maxEntity = 33

// plain() replaces the backslash escapes and entities in a text (CommonMark 0.31, sections 2.4 and 2.5).
func plain(text string) string {
	if !strings.ContainsAny(text, "\\&") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", text[i+1]) >= 0:
			i++
			b.WriteByte(text[i])
		case c == '&':
			entity := text[i:min(len(text), i+maxEntity)]
			end := strings.IndexByte(entity, ';')
			if end < 0 {
				b.WriteByte(c)
				continue
			}
			known := html.UnescapeString(entity[:end+1])
			if len(known) > 1 && strings.HasSuffix(known, ";") { // only a prefix is an entity
				known = entity[:end+1]
			}
			b.WriteString(known)
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// add appends a span. If the previous span has the same style, add joins them.
func (s *spanner) add(n Span) {
	if i := len(s.out) - 1; i >= 0 && !s.out[i].Break {
		last := s.out[i]
		last.Text, last.Break = n.Text, n.Break
		if last == n {
			s.last = append(s.last, n.Text...)
			s.out[i].Break = n.Break
			return
		}
	}
	s.end()
	s.out, s.last = append(s.out, n), append(s.last[:0], n.Text...)
}
