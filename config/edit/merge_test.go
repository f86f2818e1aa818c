package edit

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// merged() is a simple implementation of a merge, for comparison. It marks the bytes that each side deletes, and the places at which each
// side inserts text.
func merged(base []byte, yours, theirs []Edit) (data []byte, clash bool) {
	type mark struct {
		gone   [2]bool
		inside [2]bool // true for each byte of a deletion except the first
		text   [2]string
		put    [2]bool
	}
	marks := make([]mark, len(base)+1)
	for side, list := range [][]Edit{yours, theirs} {
		for _, e := range list {
			for i := e.Start; i < e.End; i++ {
				marks[i].gone[side] = true
				marks[i].inside[side] = i > e.Start
			}
			marks[e.Start].text[side], marks[e.Start].put[side] = string(e.Text), true
		}
	}
	var out strings.Builder
	for i, m := range marks {
		both := m.put[0] && m.put[1] && (m.gone[0] == m.gone[1])
		if m.gone[0] && m.gone[1] || both || m.put[0] && m.inside[1] || m.put[1] && m.inside[0] {
			return nil, true
		}
		first := 0
		if m.put[0] && m.gone[0] { // side 0 replaces this byte, so the text of side 1, which is inserted before this byte, comes first
			first = 1
		}
		out.WriteString(m.text[first] + m.text[1-first])
		if i < len(base) && !m.gone[0] && !m.gone[1] {
			out.WriteByte(base[i])
		}
	}
	return []byte(out.String()), false
}

// Two random lists of edits can be merged if they do not overlap. If they overlap, there is a conflict.
func TestRandomPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	done, asked, bad := 0, 0, 0
	for done < operations() {
		data := document(r)
		d, err := Parse("a.yaml", data)
		if err != nil {
			t.Fatal(err)
		}
		a, b := resultOf(t, r, d), resultOf(t, r, d)
		if a == nil || b == nil || len(without(a.Edits, b.Edits)) < len(a.Edits) {
			continue // both sides have made the same edit, which TestEqualEdits checks
		}
		done++
		got, conflicts := Merge(d, a.Edits, b.Edits)
		want, clash := merged(data, a.Edits, b.Edits)
		if !clash {
			if _, err := Parse("a.yaml", want); err != nil {
				bad++ // each list of edits alone gives valid YAML, but both together do not, so there must be a conflict
				clash = true
			}
		}
		switch {
		case clash && got != nil && !bytes.Equal(a.Doc.Bytes, b.Doc.Bytes):
			t.Fatalf("overlapping edits %v and %v merged silently:\n%s\n%s", a.Edits, b.Edits, data, got)
		case clash:
			asked++
			checkConflicts(t, d, a, b, conflicts)
		case !bytes.Equal(got, want):
			t.Fatalf("got\n%s\nwant\n%s\nbase\n%s\n%v\n%v", got, want, data, a.Edits, b.Edits)
		}
	}
	t.Logf("%d pairs, %d asked, %d of these because both together are no YAML", done, asked, bad)
	if asked == 0 || asked == done {
		t.Error("all or none asked")
	}
}

func resultOf(t *testing.T, r *rand.Rand, d *Document) *Result {
	t.Helper()
	a, ok := attemptOn(r, d)
	if !ok {
		return nil
	}
	got, err := a.run()
	if no := (*Refusal)(nil); errors.As(err, &no) {
		return nil
	}
	return got
}

// without() returns the edits in `list` that are not in `other`.
func without(list, other []Edit) []Edit {
	return slices.DeleteFunc(slices.Clone(list), func(e Edit) bool {
		return slices.ContainsFunc(other, func(o Edit) bool { return o.Span == e.Span && bytes.Equal(o.Text, e.Text) })
	})
}

// checkConflicts checks that the base of each conflict is the text of the old file. Then it settles all conflicts with the texts of the
// side `a`, and checks that the settled file contains these texts.
func checkConflicts(t *testing.T, d *Document, a, b *Result, all []Conflict) {
	t.Helper()
	if len(all) == 0 {
		return // both sides have made the same change
	}
	texts := make([]string, len(all))
	for i, c := range all {
		if string(d.Bytes[c.Start:c.End]) != c.Base {
			t.Fatalf("the base of the conflict is %q", c.Base)
		}
		texts[i] = c.Yours
	}
	got, err := Settle(d, a.Edits, b.Edits, all, texts)
	if err != nil {
		t.Fatalf("%v: %v %v", err, a.Edits, b.Edits)
	}
	for _, c := range all {
		if !bytes.Contains(got, []byte(c.Yours)) {
			t.Fatalf("%q is not in %q", c.Yours, got)
		}
	}
}

// If both sides make the same edits, the merge succeeds. If one side deletes an entry that the other side moves, the merge returns either
// a file or a conflict.
func TestEqualEdits(t *testing.T) {
	d, err := Parse("a.yaml", []byte("a: 1\nb: 2\nc: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	one, _ := d.SetText(d.Root.Get("a"), "5")
	gone, _ := d.Remove(d.Root.Entry("c"))
	moved, _ := d.Move(d.Root.Entry("c"), d.Root, 0)
	if got, _ := Merge(d, one.Edits, one.Edits); string(got) != "a: 5\nb: 2\nc: 3\n" {
		t.Errorf("got %q", got)
	}
	if got, all := Merge(d, moved.Edits, gone.Edits); got == nil && len(all) == 0 {
		t.Errorf("got %q, %v", got, all)
	}
}

// Compose returns edits that have the same effect as the two lists, if they are applied one after the other.
func TestRandomCompositions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range operations() / 5 {
		data := document(r)
		d, err := Parse("a.yaml", data)
		if err != nil {
			t.Fatal(err)
		}
		var total []Edit
		var chain []Edit
		for range 4 {
			next := resultOf(t, r, d)
			if next == nil {
				continue
			}
			chain = next.Edits
			total = Compose(len(data), total, chain)
			d = next.Doc
		}
		if got := Apply(data, total); !bytes.Equal(got, d.Bytes) {
			t.Fatalf("got\n%s\nwant\n%s\n%v", got, d.Bytes, total)
		}
	}
}

// Diff returns edits that create the new file. If possible, each edit replaces a whole value.
func TestDiff(t *testing.T) {
	base := "a: 100\nb: two\nc:\n  - x # note\n  - y\n"
	d, err := Parse("a.yaml", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	for next, want := range map[string]string{
		strings.Replace(base, "100", "150", 1):     "[100>150]",
		strings.Replace(base, "x #", "xyz #", 1):   "[x>xyz]",
		strings.Replace(base, "b: two\n", "", 1):   "[b: two\n>]",
		base + "d: 1\n":                            "[>d: 1\n]",
		strings.Replace(base, "note", "other", 1):  "[  - x # note\n>  - x # other\n]",
		strings.ReplaceAll(base, "a: 100", "a: 1"): "[100>1]",
	} {
		list := Diff(d, []byte(next))
		got := ""
		for _, e := range list {
			got += fmt.Sprintf("[%s>%s]", base[e.Start:e.End], e.Text)
		}
		if got != want || string(Apply([]byte(base), list)) != next {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range operations() / 5 {
		one, err := Parse("a.yaml", document(r))
		if err != nil {
			t.Fatal(err)
		}
		other := document(r)
		if r.IntN(2) == 0 {
			if next := resultOf(t, r, one); next != nil {
				other = next.Doc.Bytes
			}
		}
		if got := Apply(one.Bytes, Diff(one, other)); !bytes.Equal(got, other) {
			t.Fatalf("got %q, want %q", got, other)
		}
	}
}

// If both sides add the same key to an entry, there is a conflict. Without a conflict, the merged entry would contain the key twice.
func TestSameKeyFromBothSides(t *testing.T) {
	for _, base := range []string{"a: {b: 1}\n", "a: {b: \"1\"}\n", "- {a: 1, b: 2}\n"} {
		d, err := Parse("a.yaml", []byte(base))
		if err != nil {
			t.Fatal(err)
		}
		at := d.Root.Get("a")
		if at == nil {
			at = d.Root.Items()[0].Value
		}
		mine, err := d.Set(at, "c", "3")
		if err != nil {
			t.Fatal(err)
		}
		theirs := strings.Replace(base, "}", ", c: 4}", 1)
		got, all := Merge(d, mine.Edits, Diff(d, []byte(theirs)))
		if got != nil || len(all) != 1 || all[0].Theirs != theirs {
			t.Errorf("%q: got %q and %v, want a conflict of the line", base, got, all)
		}
	}
}

// Two sides change different values of one line. The new values may contain commas and colons, and one side may change several values. The
// changes merge, unless both sides change the same value or a side changes the keys of the line.
func TestValuesOfOneLine(t *testing.T) {
	const base = "- {widget: moon, title: Moon, days: 3} # sky\n"
	for _, c := range [][3]string{
		{"- {widget: moon, title: \"Moon, tonight\", days: 3} # sky\n", "- {widget: moon, title: Moon, days: 4} # sky\n", "- {widget: moon, title: \"Moon, tonight\", days: 4} # sky\n"},
		{"- {widget: moon, title: \"Moon: new\", days: 3} # sky\n", "- {widget: sun, title: Moon, days: 4} # sky\n", "- {widget: sun, title: \"Moon: new\", days: 4} # sky\n"},
		{"- {widget: moon, title: Moon, days: 4} # sky\n", "- {widget: sun, title: 'Sun, moon', days: 3} # sky\n", "- {widget: sun, title: 'Sun, moon', days: 4} # sky\n"},
		{"- {widget: moon, title: \"Moon, tonight\", days: 3} # sky\n", "- {widget: moon, title: Sun, days: 4} # sky\n", ""},
		{"- {widget: moon, title: Moon, tonight: 1, days: 3} # sky\n", "- {widget: moon, title: Moon, days: 4} # sky\n", ""},
		{"- {widget: moon, title: \"Moon, tonight\", days: 3} # sky\n", "- {widget: moon, title: Moon, days: 4} # the sky\n", ""},
	} {
		d, err := Parse("a.yaml", []byte(base))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, all := Merge(d, Diff(d, []byte(c[0])), Diff(d, []byte(c[1])))
			if string(got) != c[2] || (len(all) == 0) != (c[2] != "") {
				t.Errorf("%s and %s: got %q and %v, want %q", c[0], c[1], got, all, c[2])
			}
			c[0], c[1] = c[1], c[0]
		}
	}
}

// An unfinished line of one side does not conflict with a change of another line by the other side. A file that is only invalid after the
// merge is a conflict, and so is an error of the other side.
func TestUnfinishedLine(t *testing.T) {
	const base, good, open = "# hall\na: 1\nb: 2\n", "# kitchen\na: 1\nb: 2\n", "# hall\na: 1\nb: {c: 2\n"
	d, err := Parse("a.yaml", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	if got, all := Merge(d, Diff(d, []byte(open)), Diff(d, []byte(good))); string(got) != "# kitchen\na: 1\nb: {c: 2\n" || all != nil {
		t.Errorf("your line is not finished: got %q and %v", got, all)
	}
	if got, all := Merge(d, Diff(d, []byte(good)), Diff(d, []byte(open))); got != nil || len(all) != 1 {
		t.Errorf("their line is not finished: got %q and %v", got, all)
	}
}

// While another line is unfinished, a change of a value is still an edit of this value alone. Another program's change of the same line is
// then no conflict.
func TestMergeBesideAnUnfinishedLine(t *testing.T) {
	base, err := Parse("f", []byte("a: {b: 1, c: 2}\nd: x\n"))
	if err != nil {
		t.Fatal(err)
	}
	yours, theirs := []byte("a: {b: 3, c: 2}\nd: \"x\n"), []byte("a: {b: 1, c: 4}\nd: x\n")
	merged, list := Merge(base, Diff(base, yours), Diff(base, theirs))
	if want := "a: {b: 3, c: 4}\nd: \"x\n"; string(merged) != want {
		t.Errorf("got %q and the conflicts %+v, want %q", merged, list, want)
	}
}
