package draft

import (
	"errors"
	"slices"
	"strings"

	"dashboard/config/edit"
)

// A nodeKey is the position at which a node begins: its file and the index of its first byte.
type nodeKey struct {
	file  string
	start int
}

// A change is the state of a file after some of the operations in a request.
type change struct {
	doc   *edit.Document
	edits []edit.Edit // edits of the last valid text, which is usually the working text
	size  int         // size of the last valid text, in bytes
}

// A txn processes a request with several operations. If one operation fails, none of them is applied.
type txn struct {
	t     *Draft
	files map[string]*change
	nodes map[string]nodeKey

	secrets []SecretToStore // secrets to store before the changes are applied
}

// doc returns the current state of a file, after the operations so far.
func (x *txn) doc(name string) (*change, error) {
	if c := x.files[name]; c != nil {
		return c, nil
	}
	f := x.t.files[name]
	if f == nil {
		if !editable(name) {
			return nil, fail(422, "%s is no file of the configuration", name)
		}
		f = newFile(name, nil, false)
	}
	if f.wrong != nil && f.fence == nil {
		return nil, fail(422, "%s. Correct this text first: until then, nothing else in this file can be changed", x.t.mistake(f))
	}
	c := &change{doc: f.good, size: len(f.good.Bytes)} // without a mistake, these are f.doc and the working text
	x.files[name] = c
	return c, nil
}

// take records the result of an operation on a file. Nodes that still exist keep their ids.
func (x *txn) take(name string, r *edit.Result, err error) error {
	if no := (*edit.Refusal)(nil); errors.As(err, &no) {
		return fail(422, "%s", no.Text)
	}
	if err != nil {
		return err
	}
	c := x.files[name]
	c.edits = edit.Compose(c.size, c.edits, r.Edits)
	c.doc = r.Doc
	x.nodes = shifted(x.nodes, name, r.Edits)
	return nil
}

// shifted() returns the positions of the nodes after edits of a file.
func shifted(nodes map[string]nodeKey, name string, edits []edit.Edit) map[string]nodeKey {
	next := make(map[string]nodeKey, len(nodes))
	for id, k := range nodes {
		if k.file == name {
			at, ok := shift(k.start, edits)
			if !ok {
				continue
			}
			k.start = at
		}
		next[id] = k
	}
	return next
}

// shift returns the index of a byte after edits. It returns false if an edit has replaced this byte.
func shift(at int, edits []edit.Edit) (int, bool) {
	moved := at
	for _, e := range edits {
		switch {
		case e.Start > at, e.Start == at && e.Len() > 0 && !deletes(e):
			return moved, true
		case e.Start <= at && at < e.End:
			return 0, false
		}
		moved += len(e.Text) - e.Len()
	}
	return moved, true
}

// deletes() reports whether an edit inserts only white space, or nothing.
func deletes(e edit.Edit) bool { return len(strings.TrimSpace(string(e.Text))) == 0 }

// follow updates the positions of the nodes after edits of the last valid text of a file.
func (t *Draft) follow(f *file, edits []edit.Edit) { t.nodes = shifted(t.nodes, f.name, edits) }

// A spot is the node to which an operation refers.
type spot struct {
	file  string
	c     *change
	entry *edit.Node // node at this place, which may be an alias
	value *edit.Node // the value itself: the node, or the anchor's node if the node is an alias
}

// node finds a node by its id. `hash` is the hash of the node when the page read it. If the node has changed since then, node returns an
// error.
func (x *txn) node(id, hash string) (*spot, error) {
	s, err := x.find(id)
	if err != nil {
		return nil, err
	}
	if hash != "" && hash != hashOf(x.start(s.file), s.entry) && len(x.files[s.file].edits) == 0 {
		return nil, &Error{Status: 409, Text: "this part has changed since it was read", More: map[string]any{"conflict": true}}
	}
	return s, nil
}

// start returns the document of a file after the operations so far.
func (x *txn) start(name string) *edit.Document { return x.files[name].doc }

func (x *txn) find(id string) (*spot, error) {
	k, ok := x.nodes[id]
	if !ok {
		return nil, &Error{Status: 409, Text: "this part is not in the files any more", More: map[string]any{"conflict": true}}
	}
	c, err := x.doc(k.file)
	if err != nil {
		return nil, err
	}
	n := valueAt(c.doc, k.start)
	if n == nil {
		return nil, &Error{Status: 409, Text: "this part is not in the files any more", More: map[string]any{"conflict": true}}
	}
	if f := x.t.files[k.file]; f != nil && f.fence != nil && x.inFence(k.file, n) {
		return nil, fail(422, "%s. Correct this text first", x.t.mistake(f))
	}
	return &spot{k.file, c, n, n.Resolve()}, nil
}

// valueAt returns the outermost value whose first byte has the index `start`.
func valueAt(d *edit.Document, start int) *edit.Node {
	var found *edit.Node
	d.Root.Walk(func(n *edit.Node) {
		if found == nil && n.Span.Start == start && (n.Parent == nil || n.Parent.Value == n) {
			found = n
		}
	})
	return found
}

// hashOf returns a hash of a node's bytes. For an alias, the hash also includes the bytes of the anchor's node.
func hashOf(d *edit.Document, n *edit.Node) string {
	data := d.Bytes[n.Span.Start:n.Span.End]
	if n.Kind == edit.Alias {
		data = slices.Concat(data, d.Bytes[n.Target.Span.Start:n.Target.Span.End])
	}
	return edit.Hash(data)
}

// idOf returns the id of the node at the position k. If the node has no id, it gets a new id.
func (t *Draft) idOf(by map[nodeKey]string, k nodeKey) string {
	if id, ok := by[k]; ok {
		return id
	}
	t.lastID++
	id := "n" + itoa(t.lastID)
	t.nodes[id], by[k] = k, id
	return id
}
