// Package edit changes single values of a YAML file and keeps all other bytes of the file unchanged.
//
// A [Document] is the bytes of a file and a tree of nodes with byte spans. An operation returns [Edit] values, which replace spans. After
// each operation the file is parsed again and compared with the expected tree. If the operation would change anything else, it is
// refused.
package edit
