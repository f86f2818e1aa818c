package draft

import (
	"strconv"
	"strings"

	"dashboard/config/edit"
)

func itoa(n int) string { return strconv.Itoa(n) }

const (
	// maxOps is the maximum number of operations in a request.
	maxOps = 100
	// maxText is the maximum length of an operation's text, in bytes.
	maxText = 256 << 10
	// maxJoins is the maximum length of the parameter `joins` of Do, in bytes.
	maxJoins = 200
)

// An Op is one operation in a request.
type Op struct {
	Op       string         `json:"op"`
	Node     string         `json:"node"`
	Parent   string         `json:"parent"`
	Hash     string         `json:"hash"`
	Key      string         `json:"key"`
	Value    string         `json:"value"`
	YAML     string         `json:"yaml"`
	Index    int            `json:"index"`
	Area     *string        `json:"area"`
	From     string         `json:"from"`
	To       string         `json:"to"`
	Section  string         `json:"section"`
	Name     string         `json:"name"`
	Mode     string         `json:"mode"`
	Columns  []string       `json:"columns"`
	Rows     []string       `json:"rows"`
	Areas    []string       `json:"areas"`
	Portrait *Plan          `json:"portrait"`
	Secret   *SecretToStore `json:"secret"`
}

// A Plan contains the areas of a layout on a wall in portrait orientation.
type Plan struct {
	Columns []string `json:"columns"`
	Rows    []string `json:"rows"`
	Areas   []string `json:"areas"`
}

// A SecretToStore is a secret that the value of an operation uses.
type SecretToStore struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Do applies either all operations or none of them. Consecutive requests with the same value of `joins` become one undo step, because a
// page sends several requests while a person types a word. If `joins` is "", the request is a separate undo step.
func (t *Draft) Do(ops []Op, joins string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !t.open():
		return fail(404, "the draft is closed")
	case len(ops) == 0 || len(ops) > maxOps:
		return fail(400, "a request has 1 to %d operations", maxOps)
	case len(joins) > maxJoins:
		return fail(400, "joins has at most %d bytes", maxJoins)
	}
	x := &txn{t: t, files: map[string]*change{}, nodes: t.nodes}
	for _, op := range ops {
		if len(op.YAML)+len(op.Value) > maxText {
			return fail(413, "the text of an operation has at most %d bytes", maxText)
		}
		if err := x.do(op); err != nil {
			return err
		}
	}
	next := map[string]*change{}
	for name, c := range x.files {
		if len(c.edits) == 0 {
			continue
		}
		if err := t.aroundFence(name, c); err != nil {
			return err
		}
		next[name] = c
	}
	for _, s := range x.secrets {
		if err := t.editor.SetSecret(s.Name, s.Value); err != nil {
			return err
		}
	}
	if len(next) > 0 {
		t.commit(next, joins)
		t.nodes = x.nodes
	}
	for name, c := range next { // the last valid text has other changes too if the operations have corrected a mistake
		f := t.files[name]
		t.follow(f, edit.Diff(c.doc, f.good.Bytes))
	}
	return nil
}

// operations maps the names of operations to their functions.
var operations = map[string]func(*txn, Op) error{
	"set": (*txn).set, "remove": (*txn).remove, "add": (*txn).add, "move": (*txn).move, "wrap": (*txn).wrap, "unwrap": (*txn).unwrap,
	"duplicate": (*txn).duplicate, "text": (*txn).replace, "copy": (*txn).copyOf, "rename": (*txn).rename, "token": (*txn).token,
	"provider": (*txn).provider, "layout": (*txn).layout, "scale": (*txn).scale,
}

func (x *txn) do(op Op) error {
	run := operations[op.Op]
	if run == nil {
		return fail(400, "there is no operation '%s'", op.Op)
	}
	if op.Secret != nil {
		x.secrets = append(x.secrets, *op.Secret)
	}
	return run(x, op)
}

// set sets a key of a node.
func (x *txn) set(op Op) error {
	s, err := x.node(op.Node, op.Hash)
	if err != nil {
		return err
	}
	return x.setKey(s.file, s.value, op.Key, op.Value)
}

// setKey sets the value at a path of keys below a node. It adds the keys of the path that are missing.
func (x *txn) setKey(file string, n *edit.Node, path, text string) error {
	if path == "" {
		return fail(400, "'key' is required")
	}
	key, rest, deeper := strings.Cut(path, ".")
	if deeper {
		if next := n.Below(key).Resolve(); next != nil && (next.Kind == edit.Map || next.Kind == edit.Seq) {
			return x.setKey(file, next, rest, text)
		}
		keys := strings.Split(rest, ".")
		for i := len(keys) - 1; i >= 0; i-- {
			text = nested(keys[i], text)
		}
	}
	d := x.start(file)
	if n.Kind == edit.Seq {
		return x.setItem(file, n, key, text)
	}
	r, err := d.Set(n, key, text)
	return x.take(file, r, err)
}

// setItem sets an item of a list. `key` is the index of the item. If the index is the length of the list, setItem adds an item.
func (x *txn) setItem(file string, n *edit.Node, key, text string) error {
	i, err := strconv.Atoi(key)
	if err != nil || i < 0 || i > len(n.Entries) {
		return fail(422, "there is no entry '%s' in this list", key)
	}
	if i == len(n.Entries) {
		r, err := x.start(file).Insert(n, i, "", text)
		return x.take(file, r, err)
	}
	r, err := x.start(file).SetText(n.Entries[i].Value, text)
	return x.take(file, r, err)
}

// nested() returns the YAML of a mapping with one key, whose value is `text`.
func nested(key, text string) string {
	if strings.Contains(text, "\n") || strings.Contains(text, ": ") && !strings.ContainsAny(text[:1], "\"'[{!") {
		return key + ":\n  " + strings.ReplaceAll(text, "\n", "\n  ")
	}
	return key + ": " + oneLine(text)
}

// oneLine returns a text as a YAML value on one line. For a blank text it returns null.
func oneLine(text string) string {
	if strings.TrimSpace(text) == "" {
		return "null"
	}
	return text
}

// remove removes a node, or one of the node's keys.
func (x *txn) remove(op Op) error {
	s, err := x.node(op.Node, op.Hash)
	if err != nil {
		return err
	}
	e := s.entry.Parent
	if op.Key != "" {
		n := s.value.Below(op.Key)
		if n == nil {
			return fail(422, "there is no '%s' here", op.Key)
		}
		e = n.Parent
	}
	if e == nil {
		return fail(422, "this cannot be removed")
	}
	r, err := x.start(s.file).Remove(e)
	return x.take(s.file, r, err)
}

// wrap replaces a widget by a new widget that contains it.
func (x *txn) wrap(op Op) error {
	return x.onEntry(op, func(d *edit.Document, e *edit.Entry) (*edit.Result, error) { return d.Wrap(e, op.YAML) })
}

// unwrap replaces a widget by its children.
func (x *txn) unwrap(op Op) error {
	return x.onEntry(op, func(d *edit.Document, e *edit.Entry) (*edit.Result, error) { return d.Unwrap(e) })
}

// duplicate inserts a copy of a widget after the widget.
func (x *txn) duplicate(op Op) error {
	return x.onEntry(op, func(d *edit.Document, e *edit.Entry) (*edit.Result, error) { return d.Duplicate(e) })
}

// replace replaces the whole text of a node.
func (x *txn) replace(op Op) error {
	s, err := x.node(op.Node, op.Hash)
	if err != nil {
		return err
	}
	r, err := x.start(s.file).SetText(s.value, op.YAML)
	return x.take(s.file, r, err)
}

// copyOf replaces an alias by a copy of the value to which the alias refers.
func (x *txn) copyOf(op Op) error {
	s, err := x.node(op.Node, op.Hash)
	if err != nil {
		return err
	}
	if s.entry.Kind != edit.Alias {
		return fail(422, "this widget is written here: there is no copy to make")
	}
	d := x.start(s.file)
	r, err := d.SetText(s.entry, d.Copy(s.value))
	return x.take(s.file, r, err)
}

func (x *txn) onEntry(op Op, run func(*edit.Document, *edit.Entry) (*edit.Result, error)) error {
	s, err := x.node(op.Node, op.Hash)
	if err != nil {
		return err
	}
	if s.entry.Parent == nil {
		return fail(422, "this is the whole file")
	}
	r, err := run(x.start(s.file), s.entry.Parent)
	return x.take(s.file, r, err)
}
