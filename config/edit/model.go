package edit

import (
	"fmt"

	"dashboard/config"

	"gopkg.in/yaml.v3"
)

// The model of a document is its tree of the YAML library's nodes. An operation changes a copy of
// the model. The changed file must then parse to a tree that is equal to this copy.

// clone copies a tree. It adds each copy to `by`, a map from original nodes to copies.
func clone(y *yaml.Node, by map[*yaml.Node]*yaml.Node) *yaml.Node {
	if y == nil {
		return nil
	}
	c := *y
	by[y] = &c
	c.Content = make([]*yaml.Node, len(y.Content))
	for i, child := range y.Content {
		c.Content[i] = clone(child, by)
	}
	return &c
}

// cloneTree copies a tree. The aliases in the copy refer to anchors in the copy. The map contains the copy of each original node.
func cloneTree(y *yaml.Node) (*yaml.Node, map[*yaml.Node]*yaml.Node) {
	by := map[*yaml.Node]*yaml.Node{}
	c := clone(y, by)
	relink(c, by)
	return c, by
}

func relink(y *yaml.Node, by map[*yaml.Node]*yaml.Node) {
	if y == nil {
		return
	}
	if to := by[y.Alias]; to != nil {
		y.Alias = to
	}
	for _, c := range y.Content {
		relink(c, by)
	}
}

// number numbers all nodes of a tree in the order of the file.
func number(y *yaml.Node, all map[*yaml.Node]int) {
	if y == nil {
		return
	}
	all[y] = len(all)
	for _, c := range y.Content {
		number(c, all)
	}
}

// same() reports whether two trees have the same values, tags and anchors, and whether their aliases refer to the same nodes.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return (a == nil || empty(a)) && (b == nil || empty(b))
	}
	x, y := map[*yaml.Node]int{}, map[*yaml.Node]int{}
	number(a, x)
	number(b, y)
	return len(x) == len(y) && equal(a, b, x, y)
}

func empty(y *yaml.Node) bool { return y.Kind == yaml.ScalarNode && text(y) == "<nil>" }

func equal(a, b *yaml.Node, x, y map[*yaml.Node]int) bool {
	if a.Kind != b.Kind || a.Anchor != b.Anchor || len(a.Content) != len(b.Content) || tagOf(a) != tagOf(b) {
		return false
	}
	switch a.Kind {
	case yaml.AliasNode:
		return a.Value == b.Value && x[a.Alias] == y[b.Alias]
	case yaml.ScalarNode:
		return text(a) == text(b)
	}
	for i := range a.Content {
		if !equal(a.Content[i], b.Content[i], x, y) {
			return false
		}
	}
	return true
}

// tagOf returns the tag that the file contains for the node y. If there is none, it returns "".
func tagOf(y *yaml.Node) string {
	if y.Style&yaml.TaggedStyle != 0 {
		return y.Tag
	}
	return ""
}

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// text returns the type and the value of a scalar as package config reads them, for comparisons.
func text(y *yaml.Node) string {
	if y.Style&(quoted|yaml.TaggedStyle) != 0 {
		return "string " + y.Value
	}
	v := config.PlainValue(y.Value)
	if s, ok := v.(string); ok {
		return "string " + s
	}
	if v == nil {
		return "<nil>"
	}
	return fmt.Sprintf("%T %v", v, v)
}
