package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Scope is one mapping of a file, with the report for errors in it. Code that builds widgets and
// providers decodes the parameters from a Scope.
type Scope struct {
	node     *Node
	report   *Report
	unknown  Severity // severity of a diagnostic for an unknown key
	reserved []string // keys that Decode accepts without a field, because this package or other code reads them
	own      []string // keys that Decode does not decode, even if the params struct has fields for them
	colors   *Node    // resolved section colors of the theme
}

// Decode decodes the mapping into the struct *params. As in Node.Decode, the result is true if there was no error.
func (s Scope) Decode(params any) bool {
	return s.node.Decode(params, s.report, &DecodeOptions{UnknownKeys: s.unknown, Reserved: s.reserved, Skip: s.own, Colors: s.colors})
}

// Reserve adds keys that other code reads with DecodePart. Decode then accepts them without a field.
func (s *Scope) Reserve(keys ...string) { s.reserved = append(slices.Clone(s.reserved), keys...) }

// DecodePart is like Decode, but it ignores keys that no field reads.
func (s Scope) DecodePart(params any) bool {
	return s.node.Decode(params, s.report, &DecodeOptions{Others: true, Colors: s.colors})
}

// Errorf reports an error at the value of a key. `key` may also be the Path of a value inside of the mapping. If `key` is "" or the
// mapping does not contain it, Errorf reports the error at the mapping.
func (s Scope) Errorf(key, format string, args ...any) {
	s.report.Errorf(s.place(key), format, args...)
}

// Warnf reports a warning, at the same position as Errorf.
func (s Scope) Warnf(key, format string, args ...any) {
	s.report.Warnf(s.place(key), format, args...)
}

// Tolerate adds a tolerated error (see Report.Tolerate), at the same position as Errorf.
func (s Scope) Tolerate(key, format string, args ...any) {
	s.report.Tolerate(s.place(key), format, args...)
}

// Near reports a word that is not in the list `words`, at the same position as Errorf. The most similar word in the list is the suggestion.
func (s Scope) Near(key, word string, words []string, format string, args ...any) {
	s.report.Near(s.place(key), word, words, format, args...)
}

func (s Scope) place(key string) *Node {
	if v := s.node.Get(key); v != nil && key != "" {
		return v
	}
	return cmp.Or(s.node.inside(key), s.node)
}

// inside() returns the node with the given path: n itself, a node inside of it, or nil.
func (n *Node) inside(path string) (found *Node) {
	switch {
	case n == nil || !strings.HasPrefix(path, n.path):
		return nil
	case n.path == path:
		return n
	}
	for _, c := range n.items {
		found = cmp.Or(found, c.inside(path))
	}
	for _, p := range n.pairs {
		found = cmp.Or(found, p.Value.inside(path))
	}
	return found
}

// Node returns the mapping itself.
func (s Scope) Node() *Node { return s.node }

// Pos returns "file:line:column" of the mapping.
func (s Scope) Pos() string { return s.node.Pos() }

// Recipe returns the ID of the use of a recipe to which the mapping belongs, or "".
func (s Scope) Recipe() string { return s.node.Recipe() }

// name returns the text of the scalar with the given key, or "" if there is none.
func (s Scope) name(key string) string {
	v := s.node.Get(key)
	switch v.Kind() {
	case Null:
		return ""
	case List, Map:
		s.report.Errorf(v, "must be text, not %s", v.Shown())
		return ""
	}
	return v.text
}

func unknownWord(what, word, list string) string {
	return fmt.Sprintf("unknown %s '%s'; there are: %s", what, word, list)
}
