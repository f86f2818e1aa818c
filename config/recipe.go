package config

// A Use is a widget in a wall's file that uses a recipe.
type Use struct {
	ID   string // distinguishes the uses on a wall
	Node *Node  // mapping of the widget
	Path string // path of the widget in its document
}

// Into returns a copy of n, a value from the recipe's file, that belongs to this use. The values inside of the copy are still the nodes
// of n, and the caller replaces them. An error in the copy is shown in the recipe's file, and its message names the use.
func (u Use) Into(n *Node) *Node {
	c := *n
	c.recipe, c.used, c.path = u.ID, u.Node.Pos(), join(u.Path, n.path)
	return &c
}

// Given returns a copy of `value`, the value of a parameter. In the recipe, the copy takes the place of the node `at`. An error in the
// copy has the position of `value`, and its message also contains the line of the recipe.
func (u Use) Given(value, at *Node) *Node {
	c := *value
	c.recipe, c.path, c.origin = u.ID, join(u.Path, at.path), at.Pos()
	c.items, c.pairs = nil, nil
	for _, item := range value.items {
		c.items = append(c.items, u.Given(item, at))
	}
	for _, p := range value.pairs {
		p.Value = u.Given(p.Value, at)
		c.pairs = append(c.pairs, p)
	}
	return &c
}

// Top returns the widget that replaces the use. It has the position of the use and the entries of n and `more`. An entry of `more`
// overrides an entry of n with the same key.
func (u Use) Top(n *Node, more []Pair) *Node {
	c := *n
	c.recipe, c.origin = u.ID, n.Pos()
	c.file, c.line, c.column, c.path = u.Node.file, u.Node.line, u.Node.column, u.Node.path
	_, _, c.last = u.Node.Lines()
	c.pairs = nil
	for _, p := range n.pairs {
		if !hasKey(more, p.Key) {
			c.pairs = append(c.pairs, p)
		}
	}
	c.pairs = append(c.pairs, more...)
	return &c
}

func hasKey(pairs []Pair, key string) bool {
	for _, p := range pairs {
		if p.Key == key {
			return true
		}
	}
	return false
}

// AsSecret returns a copy that counts as a secret and is never shown.
func (n *Node) AsSecret() *Node {
	c := *n
	c.secret = true
	return &c
}

// WithProgram returns a copy of a program with the given text.
func (n *Node) WithProgram(text string) *Node {
	c := *n
	c.text = text
	return &c
}

// ValueAt returns a node for the plain Go value v. Its position and path come from `at`.
func ValueAt(v any, at *Node) *Node { return fromValue(v, at, at.path) }

// AsMap returns a copy with the kind Map. The caller adds the entries.
func (n *Node) AsMap() *Node {
	c := *n
	c.kind = Map
	return &c
}
