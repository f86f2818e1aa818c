package edit

import (
	"strconv"
	"strings"
)

// At returns the value at a path such as widgets.0.children, or nil. It does not follow aliases.
func (d *Document) At(path string) *Node { return d.Root.Below(path) }

// Below returns the value at a path that begins at n, or nil.
func (n *Node) Below(path string) *Node {
	if n == nil || path == "" {
		return n
	}
	key, rest, _ := strings.Cut(path, ".")
	switch n.Kind {
	case Map:
		return n.Get(key).Below(rest)
	case Seq:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Entries) {
			return n.Entries[i].Value.Below(rest)
		}
	}
	return nil
}
