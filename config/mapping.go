package config

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// mapping builds a mapping. Entries in the mapping override merged entries (<<) and come after them. If a key occurs twice, it has the
// position of the first entry and the value of the last entry, as in Python.
func (b *builder) mapping(n *Node, y *yaml.Node, depth int) *Node {
	n.kind = Map
	m := &mappingBuilder{builder: b, node: n, at: make(map[string]int, len(y.Content)/2)}
	for i := 0; i+1 < len(y.Content); i += 2 {
		if isMerge(y.Content[i]) {
			m.merge(y.Content[i], y.Content[i+1], depth)
		}
	}
	for i := 0; i+1 < len(y.Content) && !b.over; i += 2 {
		if !isMerge(y.Content[i]) {
			m.own(y.Content[i], y.Content[i+1], depth)
		}
	}
	return n
}

type mappingBuilder struct {
	*builder
	node *Node
	at   map[string]int // indexes in node.pairs, by key
	seen map[string]bool
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Tag == "!!merge"
}

// merge adds the entries of "<<: *base" or "<<: [*a, *b]". If several bases have the same key, the first base has priority.
func (m *mappingBuilder) merge(key, y *yaml.Node, depth int) {
	bases := []*yaml.Node{y}
	if target := follow(y); target != nil && target.Kind == yaml.SequenceNode {
		bases = target.Content
	}
	for i := len(bases) - 1; i >= 0; i-- {
		base := m.builder.node(bases[i], m.node.path, depth+1)
		if base.kind != Map && !base.broken {
			m.report.Errorf(base, "'<<' needs a mapping or a list of mappings, not %s", base.Shown())
			continue
		}
		for _, p := range base.pairs {
			m.put(p)
		}
	}
}

func follow(y *yaml.Node) *yaml.Node {
	if y.Kind == yaml.AliasNode {
		return y.Alias
	}
	return y
}

// own() adds an entry that the mapping itself contains, not a merged entry.
func (m *mappingBuilder) own(key, y *yaml.Node, depth int) {
	k := follow(key)
	at := &Node{file: m.file, line: key.Line, column: key.Column, path: m.node.path}
	if k == nil || k.Kind != yaml.ScalarNode {
		m.report.Errorf(at, "a key must be plain text")
		return
	}
	if k.Style&yaml.TaggedStyle != 0 && k.Tag != "!!str" {
		m.report.Errorf(at, "a key must be plain text, not '%s'", k.Tag)
		return
	}
	at.path = join(m.node.path, k.Value)
	if m.seen[k.Value] {
		d := diagnose(at, Warning, fmt.Sprintf("'%s' is here twice; the last one counts", k.Value))
		d.Code = CodeDuplicateKey
		m.report.Add(d)
	}
	if m.seen == nil {
		m.seen = make(map[string]bool)
	}
	m.seen[k.Value] = true
	m.put(Pair{Key: k.Value, At: at, Value: m.builder.node(y, at.path, depth+1)})
}

func (m *mappingBuilder) put(p Pair) {
	if i, ok := m.at[p.Key]; ok {
		m.node.pairs[i] = p
		return
	}
	m.at[p.Key] = len(m.node.pairs)
	m.node.pairs = append(m.node.pairs, p)
}
