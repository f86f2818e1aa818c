package edit

import (
	"crypto/sha256"
	"encoding/hex"

	"gopkg.in/yaml.v3"
)

// A Span is a range of bytes of a file, from Start up to but not including End.
type Span struct{ Start, End int }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether t is inside s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// A Kind is the kind of a node.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	Seq
	Map
	Alias
)

// A Node is one value of a document.
type Node struct {
	Kind    Kind
	Span    Span     // span including the anchor and the tag
	Content Span     // span without the anchor and the tag; empty for an empty value
	Tag     string   // tag as in the file, such as !color, or ""
	Anchor  string   // name of the anchor without &, or ""
	Value   string   // text of a scalar without quotation marks, or name of an alias
	Flow    bool     // true for a mapping or list in brackets
	Entries []*Entry // entries of a mapping or list
	Target  *Node    // node to which an alias refers
	Parent  *Entry   // entry with this value or key; nil for the root
	Line    int      // number of the first line; the first line of a file is 1
	Uses    int      // number of aliases that refer to this node's anchor

	y      *yaml.Node
	column int  // column of Content.Start in characters; the first column is 0
	bare   bool // true for a mapping without braces in a list in brackets, such as [a: 1]
}

// An Entry is one entry of a mapping or list.
type Entry struct {
	In    *Node
	Index int
	Key   *Node // key in a mapping; nil in a list
	Value *Node
	Span  Span // span from the key or the dash up to the end of the value
	mark  int  // offset of the colon, or of the dash in a list without brackets; -1 without a colon or dash

	explicit bool // true if the entry begins with a question mark
}

// Empty reports whether the value has no text in the file.
func (n *Node) Empty() bool { return n.Kind == Scalar && n.Content.Len() == 0 }

// Block reports whether n is a mapping or list without brackets.
func (n *Node) Block() bool { return (n.Kind == Map || n.Kind == Seq) && !n.Flow }

// quote returns the quotation mark of a quoted scalar. For other nodes it returns 0.
func (n *Node) quote() byte {
	switch {
	case n.y.Style&yaml.DoubleQuotedStyle != 0:
		return '"'
	case n.y.Style&yaml.SingleQuotedStyle != 0:
		return '\''
	}
	return 0
}

// literal() reports whether n is a block scalar (| or >).
func (n *Node) literal() bool {
	return n.Kind == Scalar && n.y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// Get returns the value of a key in a mapping, or nil.
func (n *Node) Get(key string) *Node {
	if e := n.Entry(key); e != nil {
		return e.Value
	}
	return nil
}

// Entry returns the entry with the given key in a mapping, or nil. If the key occurs several times, it returns the last entry.
func (n *Node) Entry(key string) *Entry {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i := len(n.Entries) - 1; i >= 0; i-- {
		if k := n.Entries[i].Key; k != nil && k.Kind == Scalar && k.Value == key {
			return n.Entries[i]
		}
	}
	return nil
}

// odd() reports whether an entry has a rare form, which operations do not support. These forms are a key with a question mark, a mapping
// without braces in a list in brackets, and an entry inside of a key.
func (e *Entry) odd() bool {
	if e.explicit || e.In.bare {
		return true
	}
	for n := e.In; n.Parent != nil; n = n.Parent.In {
		if n.Parent.Key == n || n.Parent.explicit {
			return true
		}
	}
	return false
}

// Resolve returns the node to which an alias refers. For other nodes it returns n.
func (n *Node) Resolve() *Node {
	if n != nil && n.Kind == Alias {
		return n.Target
	}
	return n
}

// Walk calls f for n, for all nodes below n and for their keys, in the order of the file.
func (n *Node) Walk(f func(*Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, e := range n.Entries {
		e.Key.Walk(f)
		e.Value.Walk(f)
	}
}

// Hash returns a checksum of `data`.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Text returns the text of a scalar. If n is an alias, it returns the text of the alias's target. For nil, lists and mappings it returns
// "".
func (n *Node) Text() string {
	if n = n.Resolve(); n == nil || n.Kind != Scalar {
		return ""
	}
	return n.Value
}

// Items returns the entries of a mapping or list. If n is an alias, it returns the entries of the alias's target. For nil it returns nil.
func (n *Node) Items() []*Entry {
	if n = n.Resolve(); n == nil {
		return nil
	}
	return n.Entries
}
