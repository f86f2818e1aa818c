package config

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// Limits for one file. The limits are far above any real configuration. They bound the memory and the time that a hostile or broken file
// can use.
const (
	// maxFileBytes is the maximum length of a file. Real files have a few kilobytes.
	maxFileBytes = 4 << 20
	// maxDepth is the maximum nesting depth. Each nested widget adds two levels: a list and a mapping.
	maxDepth = 200
	// maxNodes is the maximum number of values in a file, after all aliases and merges are
	// expanded. Nested aliases can otherwise expand exponentially.
	maxNodes = 200_000
)

// A SecretSource returns the value of the secret with the given name: nil, bool, int, float64,
// string, []any or map[string]any. Its errors must not contain the value of any secret.
type SecretSource func(name string) (any, error)

// Parse parses a YAML document. For invalid YAML it returns nil, and the report contains the reason. If an error concerns only one value,
// such as a missing secret, Parse reports it and marks only this value as broken. Messages contain `name` as the name of the file.
// `secrets` may be nil.
func Parse(name string, data []byte, r *Report, secrets SecretSource) *Node {
	r.Source(name, data)
	if len(data) > maxFileBytes {
		r.Add(Diagnostic{File: name, Message: fmt.Sprintf("longer than %d bytes", maxFileBytes)})
		return nil
	}
	root, err := parseYAML(data)
	if err != nil {
		r.Add(syntaxDiagnostic(name, data, err))
		return nil
	}
	b := &builder{file: name, report: r, secrets: secrets, lines: r.sources[name]}
	if root == nil {
		return &Node{file: name, line: 1, column: 1}
	}
	n := b.node(root, "", 0)
	if b.over {
		return nil
	}
	return n
}

// A secondDocument is the error for a file with several YAML documents. It contains the position of the second document.
type secondDocument struct{ line, column int }

func (e secondDocument) Error() string {
	return "a second document begins here ('---'); one file is one document"
}

// parseYAML parses a file that contains a single document. For an empty file it returns nil. If the
// library panics, parseYAML returns an error.
func parseYAML(data []byte) (root *yaml.Node, err error) {
	return decodeYAML(bytes.NewReader(data))
}

func decodeYAML(from io.Reader) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("yaml: %v", p)
		}
	}()
	decoder := yaml.NewDecoder(from)
	var first, second yaml.Node
	switch err := decoder.Decode(&first); {
	case err == io.EOF:
		return nil, nil
	case err != nil:
		return nil, err
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, secondDocument{second.Line, second.Column}
	case err != io.EOF:
		return nil, err
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}

// A builder converts the library's nodes to this package's nodes.
type builder struct {
	file    string
	report  *Report
	secrets SecretSource
	lines   []string
	nodes   int
	open    []*yaml.Node // mappings and lists that are being built. An alias must not refer to them, because the value would contain itself
	over    bool         // true if a limit was exceeded and the builder has stopped
}

func (b *builder) node(y *yaml.Node, path string, depth int) *Node {
	n := &Node{file: b.file, line: y.Line, column: y.Column, path: path, anchor: y.Anchor != ""}
	if b.nodes++; b.nodes > maxNodes {
		return b.stop(n, "more than %d values, aliases written out", maxNodes)
	}
	if depth > maxDepth {
		return b.stop(n, "nested deeper than %d levels", maxDepth)
	}
	switch y.Kind {
	case yaml.AliasNode:
		if y.Alias == nil || b.isOpen(y.Alias) {
			b.report.Errorf(n, "'*%s' refers to a value that contains it", y.Value)
			return n.AsBroken()
		}
		return b.node(y.Alias, path, depth+1)
	case yaml.ScalarNode:
		return b.scalar(n, y)
	}
	if tag := containerTag(y); tag != "" {
		if strings.HasPrefix(tag, "!!") {
			b.report.Errorf(n, "the tag '%s' has no meaning here", tag)
		} else {
			b.report.Errorf(n, "'%s' must be followed by plain text, not by %s", tag, kindOf(y))
		}
		return n.AsBroken()
	}
	b.open = append(b.open, y)
	defer func() { b.open = b.open[:len(b.open)-1] }()
	if y.Kind == yaml.SequenceNode {
		return b.list(n, y, depth)
	}
	return b.mapping(n, y, depth)
}

func (b *builder) stop(n *Node, format string, args ...any) *Node {
	if !b.over {
		b.report.Errorf(n, format, args...)
	}
	b.over = true
	return n.AsBroken()
}

func (b *builder) isOpen(y *yaml.Node) bool {
	for _, o := range b.open {
		if o == y {
			return true
		}
	}
	return false
}

// containerTag returns the tag of a list or mapping if the tag is invalid, and otherwise "". The
// tag of Python's tuples is valid and means a list.
func containerTag(y *yaml.Node) string {
	switch {
	case y.Style&yaml.TaggedStyle == 0:
		return ""
	case y.Tag == "!!seq" || y.Tag == "!!map" || y.Tag == "!!python/tuple":
		return ""
	}
	return y.Tag
}

func kindOf(y *yaml.Node) Kind {
	switch y.Kind {
	case yaml.SequenceNode:
		return List
	case yaml.MappingNode:
		return Map
	}
	return String
}

func (b *builder) list(n *Node, y *yaml.Node, depth int) *Node {
	n.kind = List
	n.items = make([]*Node, 0, len(y.Content))
	for i, item := range y.Content {
		if b.over {
			break
		}
		n.items = append(n.items, b.node(item, index(n.path, i), depth+1))
	}
	return n
}
