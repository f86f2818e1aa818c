// Package config turns one YAML file into checked values and reports every error with its place and, where possible, a suggestion.
//
// A file becomes a tree of [Node] values ([Load], [Parse]). Struct tags turn a tree into Go values ([Node.Decode]). A
// [Report] collects all errors of a file.
//
// Scalars follow YAML 1.1 as PyYAML reads it, because existing files were written for that reader: yes and no are
// booleans, 8:30 is 510, 010 is 8 and 1e3 is text.
package config
