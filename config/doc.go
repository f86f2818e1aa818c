// Package config turns one YAML file into checked values and reports every error with its place and, where possible, a suggestion.
//
// [Load] and [Parse] convert a file to a tree of [Node] values. [Node.Decode] converts a tree to a Go struct whose tags describe the
// keys. A [Report] collects all errors of a file.
//
// Scalars have the meaning of YAML 1.1 in PyYAML, because existing files were written for PyYAML: yes and no are booleans, 8:30 is 510,
// 010 is 8 and 1e3 is text.
package config
