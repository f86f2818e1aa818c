package edit

import (
	"crypto/sha256"
	"encoding/hex"

	"gopkg.in/yaml.v3"
)

// A Span is a range of bytes of a file, from Start up to but not including End.
type Span struct{ Start, End int }

// Len returns the number of bytes.
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
	Span    Span     // span with its anchor and tag
	Content Span     // span without its anchor and tag; empty for an empty value
	Tag     string   // written tag, such as !color, or ""
	Anchor  string   // name without the & before it
	Value   string   // text of a scalar without quotes, or name of an alias
	Flow    bool     // a mapping or list in brackets
	Entries []*Entry // entries of a mapping or list
	Target  *Node    // node to which an alias refers
	Parent  *Entry   // nil for the root
	Line    int      // first line, from 1
	Uses    int      // number of aliases that refer to this node's anchor

	y      *yaml.Node
	column int  // column of Content.Start, in characters from 0
	bare   bool // a mapping of one entry in a flow list, without braces
}

// An Entry is one entry of a mapping or list.
type Entry struct {
	In    *Node
	Index int
	Key   *Node // nil in a list
	Value *Node
	Span  Span // span from the key or the dash to the end of the value
	mark  int  // offset of the colon, or of the dash in a block list; -1 if there is no such mark

	explicit bool // the entry begins with a question mark
}

// Empty reports whether the value has no bytes in the file.
func (n *Node) Empty() bool { return n.Kind == Scalar && n.Content.Len() == 0 }

// Block reports whether n is a mapping or list without brackets.
func (n *Node) Block() bool { return (n.Kind == Map || n.Kind == Seq) && !n.Flow }

// quote returns the quotation mark around a quoted scalar, or 0.
func (n *Node) quote() byte {
	switch {
	case n.y.Style&yaml.DoubleQuotedStyle != 0:
		return '"'
	case n.y.Style&yaml.SingleQuotedStyle != 0:
		return '\''
	}
	return 0
}

// literal reports whether n is a block scalar.
func (n *Node) literal() bool {
	return n.Kind == Scalar && n.y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// Get returns the value of a key, or nil.
func (n *Node) Get(key string) *Node {
	if e := n.Entry(key); e != nil {
		return e.Value
	}
	return nil
}

// Entry returns the entry of a mapping's key, or nil. If a key occurs more than once, the last entry counts.
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

// odd reports whether an entry has a rare form that operations do not support: a key with a question mark, a mapping without braces in a
// list with brackets, or an entry inside a key.
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

// Resolve returns the target of an alias, and any other node unchanged.
func (n *Node) Resolve() *Node {
	if n != nil && n.Kind == Alias {
		return n.Target
	}
	return n
}

// Walk calls f for n and all nodes below n, including keys, in the order of the file.
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

// Hash returns a checksum of the bytes of a span, for comparisons.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Text returns the value of a scalar, or "" for nil and any other kind of node.
func (n *Node) Text() string {
	if n = n.Resolve(); n == nil || n.Kind != Scalar {
		return ""
	}
	return n.Value
}

// Items returns the entries of a mapping or list. It returns nil for a nil node.
func (n *Node) Items() []*Entry {
	if n = n.Resolve(); n == nil {
		return nil
	}
	return n.Entries
}
