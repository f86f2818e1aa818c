package config

import (
	"fmt"
	"slices"
)

// A Scope is one mapping of a file, together with the report for its errors. Builders of widgets and providers decode their parameters
// from it.
type Scope struct {
	node     *Node
	report   *Report
	unknown  Severity // severity of a diagnostic for an unknown key
	reserved []string // keys that this package reads
	own      []string // keys that params structs do not receive, even if they have such a field
	colors   *Node    // colors section of the theme
}

// Decode decodes the mapping into params, a pointer to a struct. It works like Node.Decode and returns true if there was no error.
func (s Scope) Decode(params any) bool {
	return s.node.Decode(params, s.report, &DecodeOptions{UnknownKeys: s.unknown, Reserved: s.reserved, Skip: s.own, Colors: s.colors})
}

// Reserve adds keys that other code reads with DecodePart. Decode then does not report them as unknown.
func (s *Scope) Reserve(keys ...string) { s.reserved = append(slices.Clone(s.reserved), keys...) }

// DecodePart is like Decode, but it ignores keys without a field.
func (s Scope) DecodePart(params any) bool {
	return s.node.Decode(params, s.report, &DecodeOptions{Others: true, Colors: s.colors})
}

// Errorf reports an error at the value of a key. If the key is missing or empty, the error is at the mapping.
func (s Scope) Errorf(key, format string, args ...any) {
	s.report.Errorf(s.place(key), format, args...)
}

// Warnf reports a warning. Its position is the same as in Errorf.
func (s Scope) Warnf(key, format string, args ...any) {
	s.report.Warnf(s.place(key), format, args...)
}

// Tolerate adds a tolerated error; see Report.Tolerate. Its position is the same as in Errorf.
func (s Scope) Tolerate(key, format string, args ...any) {
	s.report.Tolerate(s.place(key), format, args...)
}

// Near reports a word that is not in words, and suggests the most similar word in words. Its position is the same as in Errorf.
func (s Scope) Near(key, word string, words []string, format string, args ...any) {
	s.report.Near(s.place(key), word, words, format, args...)
}

func (s Scope) place(key string) *Node {
	if v := s.node.Get(key); v != nil && key != "" {
		return v
	}
	return s.node
}

// Node returns the mapping itself.
func (s Scope) Node() *Node { return s.node }

// Pos returns "file:line:column" of the mapping.
func (s Scope) Pos() string { return s.node.Pos() }

// Recipe returns the ID of the recipe's use that the mapping belongs to, or "".
func (s Scope) Recipe() string { return s.node.Recipe() }

// name returns the text of a scalar with the given key, or "" if the key is absent.
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
