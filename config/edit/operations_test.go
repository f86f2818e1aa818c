package edit

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// at() returns the value in the model that corresponds to a node.
func at(root *val, n *Node) *val {
	if n.Parent == nil {
		return root
	}
	return at(root, n.Parent.In).vals[n.Parent.Index]
}

// An attempt is a random operation. `want` makes the change of the model that the operation must cause.
type attempt struct {
	what string
	run  func() (*Result, error)
	want func(root *val)
}

var newValues = []string{"7", "new text", `"quoted: # text"`, "'it''s'", "yes", "[1, 2]", "{a: 1, b: two}", "a: 1\nb:\n  - x\n  - y: 2", "- one\n- two", "|\n  two\n  lines", "", "!color accent", "ünï"}

// attemptOn returns a random operation on a document. ok is false if the document has no value that can be changed.
func attemptOn(r *rand.Rand, d *Document) (attempt, bool) {
	var values, collections []*Node
	d.Root.Walk(func(n *Node) {
		if n.Parent != nil && n.Parent.Key != n {
			values = append(values, n)
		}
		if (n.Kind == Map || n.Kind == Seq) && n.Parent != nil && n.Parent.Key != n || n.Parent == nil {
			collections = append(collections, n)
		}
	})
	if len(values) == 0 {
		return attempt{}, false
	}
	n := values[r.IntN(len(values))]
	e := n.Parent
	c := collections[r.IntN(len(collections))]
	text := newValues[r.IntN(len(newValues))]
	y, _ := decode([]byte(text + "\n"))
	fresh := valOf(y)
	switch r.IntN(4) {
	case 0:
		return attempt{what: "set " + text, run: func() (*Result, error) { return d.SetText(n, text) }, want: func(root *val) {
			at(root, e.In).vals[e.Index] = fresh
		}}, true
	case 1:
		return attempt{what: "remove", run: func() (*Result, error) { return d.Remove(e) }, want: func(root *val) { take(at(root, e.In), e.Index) }}, true
	case 2:
		i, key := r.IntN(len(c.Entries)+1), ""
		if c.Kind == Map {
			key = "fresh"
		}
		return attempt{what: "insert " + text, run: func() (*Result, error) { return d.Insert(c, i, key, text) }, want: func(root *val) { put(at(root, c), i, key, fresh) }}, true
	}
	if e.In.Kind != c.Kind || n.Span.Contains(c.Span) {
		return attempt{}, false
	}
	i := r.IntN(len(c.Entries) + 1)
	if c == e.In && (i == e.Index || i == e.Index+1) {
		return attempt{}, false
	}
	return attempt{what: "move", run: func() (*Result, error) { return d.Move(e, c, i) }, want: func(root *val) {
		from, to := at(root, e.In), at(root, c)
		j := i
		if from == to && i > e.Index {
			j--
		}
		key := ""
		if e.Key != nil {
			key = e.Key.Value
		}
		put(to, j, key, take(from, e.Index))
	}}, true
}

func take(v *val, i int) *val {
	gone := v.vals[i]
	v.vals = slices.Delete(v.vals, i, i+1)
	if v.kind == Map {
		v.keys = slices.Delete(v.keys, i, i+1)
	}
	return gone
}

func put(v *val, i int, key string, w *val) {
	v.vals = slices.Insert(v.vals, i, w)
	if v.kind == Map {
		v.keys = slices.Insert(v.keys, i, key)
	}
}

// outside checks that the edits change no byte outside of their spans, and that the inverse edits restore the old file.
func outside(t *testing.T, before, after []byte, list []Edit) {
	t.Helper()
	a, b := 0, 0
	for _, e := range list {
		n := e.Start - a
		if !bytes.Equal(before[a:e.Start], after[b:b+n]) || !bytes.Equal(after[b+n:b+n+len(e.Text)], e.Text) {
			t.Fatalf("bytes outside of the edit %v differ:\n%q\n%q", e.Span, before, after)
		}
		a, b = e.End, b+n+len(e.Text)
	}
	if !bytes.Equal(before[a:], after[b:]) {
		t.Fatalf("bytes behind the last edit differ:\n%q\n%q", before, after)
	}
	if undone := Apply(after, Inverse(before, list)); !bytes.Equal(undone, before) {
		t.Fatalf("undone: got %q, want %q", undone, before)
	}
}

// A random operation on a random document changes only the value for which it was called. Few operations are refused.
func TestRandomOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	done, refused := 0, map[string]int{}
	for i := 0; done < operations(); i++ {
		data := document(r)
		d, err := Parse("a.yaml", data)
		if err != nil {
			t.Fatalf("document %d: %v\n%s", i, err, data)
		}
		checkSpans(t, d)
		a, ok := attemptOn(r, d)
		if !ok {
			continue
		}
		done++
		got, err := a.run()
		if no := (*Refusal)(nil); errors.As(err, &no) {
			refused[a.what+": "+no.Text]++
			continue
		} else if err != nil {
			t.Fatalf("%s: %v\n%s", a.what, err, data)
		}
		want := valOf(d.Root.y)
		a.want(want)
		if is := valOf(got.Doc.root()); is.String() != want.String() {
			t.Fatalf("%s: got %s\nwant %s\nbefore:\n%s\nafter:\n%s", a.what, is, want, data, got.Doc.Bytes)
		}
		outside(t, data, got.Doc.Bytes, got.Edits)
	}
	total := 0
	for what, n := range refused {
		total += n
		if n > 3 {
			t.Logf("%d refused: %s", n, what)
		}
	}
	t.Logf("%d operations, %d refused", done, total)
	if total > done/30 {
		t.Errorf("%d of %d operations were refused", total, done)
	}
}
