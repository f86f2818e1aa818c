// Package edit changes YAML files through the bytes of single values, so that no other byte changes.
//
// A [Document] is the bytes of a file and a tree of nodes with byte spans. An operation returns [Edit] values, which replace
// spans. After an operation the file is parsed again and compared with the expected tree: an operation that would change
// anything else is refused.
package edit
