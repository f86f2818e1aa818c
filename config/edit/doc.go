// Package edit changes single values of a YAML file. All other bytes of the file stay the same.
//
// A [Document] contains the bytes of a file and a tree of nodes with byte spans. An operation returns [Edit] values, which replace spans.
// After each operation the changed file is parsed and compared with the expected tree. If the two trees differ, the operation is refused.
package edit
