package config

import (
	"fmt"
	"slices"
	"strconv"
)

// Kind is the kind of a Node's value.
type Kind uint8

// The kinds of nodes. Token is a theme token such as !color panel, unresolved. Program is a jq program, such as !data
// .sun.elevation.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
	Token
	Program
)

var kindNames = [...]string{"nothing", "a boolean", "a whole number", "a number", "text", "a list", "a mapping", "a theme token", "a program"}

// String returns the name of the kind for error messages, with its article.
func (k Kind) String() string { return kindNames[k] }

// A Node is one value of a configuration file with its place. All methods work on a nil Node, which behaves like an
// absent value. Nodes never change and may be shared.
type Node struct {
	kind   Kind
	file   string
	line   int // from 1
	column int // column from 1, in characters
	path   string
	text   string // text of a scalar without quotes, before it gets a type
	tag    string // section of a token, without the exclamation mark
	value  any    // a scalar's typed value
	items  []*Node
	pairs  []Pair

	source *Node  // the theme entry from which this value came
	origin string // "file:line:column" of the theme entry from which this value came
	secret bool   // the value must never be shown
	broken bool   // the error is already reported, so the value counts as absent
	anchor bool   // the value has an anchor, so other places may refer to it

	recipe string // use of a recipe that the value belongs to; "" for the wall itself
	used   string // "file:line:column" of that use, for values written in the recipe
	last   int    // last line of the text that the value replaced; 0 for any other value
}

// A Pair is one entry of a mapping, in file order.
type Pair struct {
	Key   string // the text of the key without quotes
	At    *Node  // the key's own position
	Value *Node

	// Default marks a default of the theme. It does not override a value that the widget itself has under an old name of the
	// parameter.
	Default bool
	// Soft marks a default of a theme group. Types without the parameter ignore it.
	Soft bool
}

// Kind returns the kind of the value, and Null for a nil node.
func (n *Node) Kind() Kind {
	if n == nil {
		return Null
	}
	return n.kind
}

// File returns the name of the file that was passed to Load.
func (n *Node) File() string {
	if n == nil {
		return ""
	}
	return n.file
}

// Line returns the line, from 1.
func (n *Node) Line() int {
	if n == nil {
		return 0
	}
	return n.line
}

// Column returns the column in characters, from 1.
func (n *Node) Column() int {
	if n == nil {
		return 0
	}
	return n.column
}

// Lines returns the file and the lines of the value, including all values inside it. Values of an alias are elsewhere and do not
// count.
func (n *Node) Lines() (file string, first, last int) {
	if n == nil {
		return "", 0, 0
	}
	last = max(n.line, n.last)
	for _, c := range n.items {
		last = max(last, lastLine(c, n.file))
	}
	for _, p := range n.pairs {
		last = max(last, lastLine(p.At, n.file), lastLine(p.Value, n.file))
	}
	return n.file, n.line, last
}

func lastLine(n *Node, file string) int {
	if at, _, last := n.Lines(); at == file {
		return last
	}
	return 0
}

// Pos returns "file:line:column".
func (n *Node) Pos() string {
	if n == nil {
		return ""
	}
	return position(n.file, n.line, n.column)
}

// Path returns the path of the value in its document, such as widgets[0].children[1].color, and "" for the root.
func (n *Node) Path() string {
	if n == nil {
		return ""
	}
	return n.path
}

// Text returns the text of a scalar without quotes, before it gets a type: "08:00", "yes", "0x10".
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Token returns the section and the name of a theme token. For !color panel these are color and panel.
func (n *Node) Token() (section, name string, ok bool) {
	if n == nil || n.kind != Token {
		return "", "", false
	}
	return n.tag, n.text, true
}

// programTag is the tag of a jq program whose result is the value. If the theme has a section of that name, the tag is a theme
// token.
const programTag = "data"

// IsProgram reports whether the value is a token that is read as a program, unless the theme has a section of that name.
func (n *Node) IsProgram() bool { return n.Kind() == Token && n.tag == programTag }

// AsProgram returns a copy of the token as a program.
func (n *Node) AsProgram() *Node {
	c := *n
	c.kind = Program
	return &c
}

// Recipe returns the use of a recipe that the value belongs to, or "" for values of the wall itself.
func (n *Node) Recipe() string {
	if n == nil {
		return ""
	}
	return n.recipe
}

// Secret reports whether the value came from a secret and must not be shown.
func (n *Node) Secret() bool { return n != nil && n.secret }

// Broken reports whether the value is invalid and its error is already reported.
func (n *Node) Broken() bool { return n != nil && n.broken }

// Whole reports whether the value has no error.
func (n *Node) Whole() bool {
	if n == nil {
		return true
	}
	return !n.broken && !slices.ContainsFunc(n.items, func(c *Node) bool { return !c.Whole() }) &&
		!slices.ContainsFunc(n.pairs, func(p Pair) bool { return !p.Value.Whole() })
}

// Len returns the number of items of a list or entries of a mapping.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.items) + len(n.pairs)
}

// Items returns a list's items. The caller must not change the slice.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}

// Pairs returns a mapping's entries in file order, merged entries first. The caller must not change the slice.
func (n *Node) Pairs() []Pair {
	if n == nil {
		return nil
	}
	return n.pairs
}

// Get returns the value of a mapping's key, or nil.
func (n *Node) Get(key string) *Node {
	if p := n.pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Has reports whether a mapping has the key, even with a null value.
func (n *Node) Has(key string) bool { return n.pair(key) != nil }

// At returns the position of a mapping's key, or the node itself if the key is missing.
func (n *Node) At(key string) *Node {
	if p := n.pair(key); p != nil && p.At != nil {
		return p.At
	}
	return n
}

func (n *Node) pair(key string) *Pair {
	for i := range n.Pairs() {
		if n.pairs[i].Key == key {
			return &n.pairs[i]
		}
	}
	return nil
}

// Keys returns a mapping's keys in order.
func (n *Node) Keys() []string {
	keys := make([]string, 0, n.Len())
	for _, p := range n.Pairs() {
		keys = append(keys, p.Key)
	}
	return keys
}

// Value returns the plain Go value: nil, bool, int, float64, string, []any or
// map[string]any. A key is its source text. A token that was not resolved is
// nil.
func (n *Node) Value() any {
	switch n.Kind() {
	case List:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.Value()
		}
		return list
	case Map:
		m := make(map[string]any, len(n.pairs))
		for _, p := range n.pairs {
			m[p.Key] = p.Value.Value()
		}
		return m
	case Null, Token, Program:
		return nil
	}
	return n.value
}

// Shown describes the value for an error message. It is shortened, and never reveals a secret.
func (n *Node) Shown() string {
	const longest = 40 // characters, so that the whole message fits on a line
	switch n.Kind() {
	case Null, List, Map:
		return n.Kind().String()
	case Token:
		return "'!" + n.tag + " " + n.text + "'"
	case Program:
		return "a program (!" + programTag + ")"
	}
	if n.secret {
		return "a secret"
	}
	text := n.text
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	if n.kind == String {
		return strconv.Quote(text)
	}
	return text
}

// word returns the text of a scalar for single quotes in messages.
func (n *Node) word() string {
	if n.Secret() {
		return "a secret"
	}
	return n.Text()
}

func position(file string, line, column int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// join appends a mapping key to a path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// index appends a list index to a path.
func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
