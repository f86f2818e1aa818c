package config

import (
	"sort"
	"strconv"
)

// The functions in this file make new nodes from existing nodes, for secrets and for the theme. They do not change existing nodes.

// WithPairs returns a copy of a mapping with the given entries.
func (n *Node) WithPairs(pairs []Pair) *Node {
	c := *n
	c.pairs = pairs
	return &c
}

// WithItems returns a copy of a list with the given items.
func (n *Node) WithItems(items []*Node) *Node {
	c := *n
	c.items = items
	return &c
}

// WithText returns a node with a computed text and the position of n.
func (n *Node) WithText(text string) *Node {
	c := *n
	c.kind, c.text, c.value, c.items, c.pairs = String, text, text, nil, nil
	return &c
}

// AsBroken returns a node that replaces a value whose error has been reported. The decoder treats
// this node as missing and does not report it again.
func (n *Node) AsBroken() *Node {
	return &Node{file: n.file, line: n.line, column: n.column, path: n.path, broken: true}
}

// UsedAt returns a deep copy of n that replaces the node `use`. The copy has the position and the path of `use`, and it stores the
// position of n as its origin. An error in the copy is shown at `use`, and its message names the origin. Only an error of a setter is
// shown at the origin. UsedAt calls `count` for each node. If `count` returns false, the copy of this node is broken and contains no
// values.
func (n *Node) UsedAt(use *Node, count func() bool) *Node {
	return n.usedAt(use, use.path, count)
}

func (n *Node) usedAt(use *Node, path string, count func() bool) *Node {
	if !count() {
		return use.AsBroken()
	}
	c := *n
	if c.origin == "" {
		c.origin, c.source = n.Pos(), n
	}
	c.file, c.line, c.column, c.path = use.file, use.line, use.column, path
	c.secret = n.secret || use.secret
	c.items, c.pairs = nil, nil
	for i, item := range n.items {
		c.items = append(c.items, item.usedAt(use, index(path, i), count))
	}
	for _, p := range n.pairs {
		p.Value = p.Value.usedAt(use, join(path, p.Key), count)
		p.At = use
		c.pairs = append(c.pairs, p)
	}
	return &c
}

// fromValue returns a node for the plain Go value v. It has the position of `use`.
func fromValue(v any, use *Node, path string) *Node {
	n := &Node{file: use.file, line: use.line, column: use.column, path: path, secret: use.secret, value: v}
	switch v := v.(type) {
	case nil:
		n.kind = Null
	case bool:
		n.kind, n.text = Bool, map[bool]string{true: "true", false: "false"}[v]
	case int:
		n.kind, n.text = Int, formatInt(v)
	case float64:
		n.kind, n.text = Float, formatFloat(v)
	case string:
		n.kind, n.text = String, v
	case []any:
		n.kind, n.value = List, nil
		for i, item := range v {
			n.items = append(n.items, fromValue(item, use, index(path, i)))
		}
	case map[string]any:
		n.kind, n.value = Map, nil
		n.pairs = pairsOf(v, use, path)
	}
	return n
}

// pairsOf lists the entries of a Go map, sorted by key so that the order is stable.
func pairsOf(m map[string]any, use *Node, path string) []Pair {
	pairs := make([]Pair, 0, len(m))
	for key, v := range m {
		pairs = append(pairs, Pair{Key: key, At: use, Value: fromValue(v, use, join(path, key))})
	}
	sort.Slice(pairs, func(i, j int) bool { return pairs[i].Key < pairs[j].Key })
	return pairs
}

func formatInt(v int) string { return strconv.Itoa(v) }

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
