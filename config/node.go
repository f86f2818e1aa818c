package config

import (
	"fmt"
	"slices"
	"strconv"
)

// Kind is the kind of a Node's value.
type Kind uint8

// The kinds of nodes. A Token is an unresolved theme token, such as !color panel. A Program is a jq
// program, such as !data .sun.elevation.
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

// String returns the name of the kind with its article, for error messages.
func (k Kind) String() string { return kindNames[k] }

// A Node is one value of a configuration file with its position. Methods that only read a Node accept nil, which behaves as a missing
// value. Nodes are immutable and may be shared.
type Node struct {
	kind   Kind
	file   string
	line   int // from 1
	column int // column in characters; the first column is 1
	path   string
	text   string // text of a scalar without its quotation marks, before its type is determined
	tag    string // section of a theme token: color for !color panel
	value  any    // value of a scalar as its Go type
	items  []*Node
	pairs  []Pair

	source *Node  // entry of the theme whose value this node copies, or nil
	origin string // "file:line:column" of the entry in a theme or recipe from which the value comes
	secret bool   // true if the value comes from a secret and must never be shown
	broken bool   // true if the value has a reported error and counts as missing
	anchor bool   // true if the value has an anchor, so that aliases may refer to it

	recipe string // ID of the use of a recipe to which the value belongs; "": the value belongs to the wall
	used   string // position of the use as "file:line:column", if the value comes from the recipe's file
	last   int    // if the value replaces the use of a recipe, the last line of this use. Otherwise 0
}

// A Pair is one entry of a mapping.
type Pair struct {
	Key   string // text of the key without quotation marks
	At    *Node  // node of the key, which has its position
	Value *Node

	// Default is true if the value is a default from the theme. It does not override a value in the widget under an old name of the key.
	Default bool
	// Soft is true if the value is a default that the theme sets for a group of widgets. A widget that does not have this key ignores the
	// default.
	Soft bool
}

// Kind returns the kind of the value. For a nil node it returns Null.
func (n *Node) Kind() Kind {
	if n == nil {
		return Null
	}
	return n.kind
}

// File returns the name of the file, as it was passed to Load.
func (n *Node) File() string {
	if n == nil {
		return ""
	}
	return n.file
}

// Line returns the number of the value's first line. The first line of a file is 1.
func (n *Node) Line() int {
	if n == nil {
		return 0
	}
	return n.line
}

// Column returns the value's column in characters. The first column is 1.
func (n *Node) Column() int {
	if n == nil {
		return 0
	}
	return n.column
}

// Lines returns the file of the value and its first and last line. The lines include all values inside of the value, except values behind
// an alias, which are at another place.
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

// Path returns the path of the value in its document, such as widgets[0].children[1].color. For the root it returns "".
func (n *Node) Path() string {
	if n == nil {
		return ""
	}
	return n.path
}

// Text returns the text of a scalar without its quotation marks, before its type is determined: "08:00", "yes", "0x10".
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Token returns the section and the name of a theme token. For !color panel they are color and panel. If n is not a token, ok is false.
func (n *Node) Token() (section, name string, ok bool) {
	if n == nil || n.kind != Token {
		return "", "", false
	}
	return n.tag, n.text, true
}

// programTag is the tag of a jq program whose result is the value. If the theme has a section named
// data, a value with this tag is a theme token.
const programTag = "data"

// IsProgram reports whether the value is a token with the tag of programs. The caller must check
// that the theme has no section with this name.
func (n *Node) IsProgram() bool { return n.Kind() == Token && n.tag == programTag }

// AsProgram returns a copy of the token with the kind Program.
func (n *Node) AsProgram() *Node {
	c := *n
	c.kind = Program
	return &c
}

// Recipe returns the ID of the use of a recipe to which the value belongs. For values of the wall it returns "".
func (n *Node) Recipe() string {
	if n == nil {
		return ""
	}
	return n.recipe
}

// Secret reports whether the value comes from a secret and must not be shown.
func (n *Node) Secret() bool { return n != nil && n.secret }

// Broken reports whether the value is invalid and its error has been reported.
func (n *Node) Broken() bool { return n != nil && n.broken }

// Whole reports whether the value and all values inside of it have no errors.
func (n *Node) Whole() bool {
	if n == nil {
		return true
	}
	return !n.broken && !slices.ContainsFunc(n.items, func(c *Node) bool { return !c.Whole() }) &&
		!slices.ContainsFunc(n.pairs, func(p Pair) bool { return !p.Value.Whole() })
}

// Len returns the number of items in a list or of entries in a mapping.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.items) + len(n.pairs)
}

// Items returns the items of a list. The caller must not change the slice.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}

// Pairs returns the entries of a mapping: first the merged entries, then the other entries in the order of the file. The caller must not
// change the slice.
func (n *Node) Pairs() []Pair {
	if n == nil {
		return nil
	}
	return n.pairs
}

// Get returns the value of a key in a mapping, or nil.
func (n *Node) Get(key string) *Node {
	if p := n.pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Has reports whether a mapping contains the key. The value may be null.
func (n *Node) Has(key string) bool { return n.pair(key) != nil }

// At returns the node of a key in a mapping, so that the caller can use its position. If the
// mapping does not contain the key, At returns n.
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

// Keys returns the keys of a mapping in order.
func (n *Node) Keys() []string {
	keys := make([]string, 0, n.Len())
	for _, p := range n.Pairs() {
		keys = append(keys, p.Key)
	}
	return keys
}

// Value returns the value as a plain Go value: nil, bool, int, float64, string, []any or map[string]any. The keys of a map are as in the
// file. For an unresolved token and for a program, Value returns nil.
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

// Shown returns the value for an error message. It shortens long values and never reveals a secret.
func (n *Node) Shown() string {
	const longest = 40 // in characters, so that the message with the value fits on a line
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

// word returns the text of a scalar, or "a secret" for a secret. Error messages put this text in single quotation marks.
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
