package edit

import (
	"reflect"
	"strings"
	"testing"
)

// The lines around a conflict contain the edits that do not conflict. The lines end at the next conflict, and at an edit that does not
// fit completely into them.
func TestAround(t *testing.T) {
	base := "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\n"
	change := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(base) }
	same := func(line int, before, after string) Context {
		l := Lines{before, after}
		return Context{line, l, l, l, l}
	}
	for _, c := range []struct {
		name, yours, theirs string
		of                  int
		want                Context
	}{
		{"one conflict", change("d: 4", "d: 5"), change("d: 4", "d: 6"), 0, same(4, "b: 2\nc: 3\n", "e: 5\nf: 6\n")},
		{"first line", change("a: 1", "a: 5"), change("a: 1", "a: 6"), 0, same(1, "", "b: 2\nc: 3\n")},
		{"last line", change("h: 8", "h: 5"), change("h: 8", "h: 6"), 0, same(8, "f: 6\ng: 7\n", "")},
		{"next conflict", change("d: 4", "d: 5", "f: 6", "f: 0"), change("d: 4", "d: 6", "f: 6", "f: 9"), 0, same(4, "b: 2\nc: 3\n", "e: 5\n")},
		{"conflict before", change("d: 4", "d: 5", "f: 6", "f: 0"), change("d: 4", "d: 6", "f: 6", "f: 9"), 1, same(6, "e: 5\n", "g: 7\nh: 8\n")},
		{"removed lines", change("d: 4", "d: 5", "f: 6\ng: 7\n", ""), change("d: 4", "d: 6"), 0, same(4, "b: 2\nc: 3\n", "e: 5\n")},
		{"lines before", change("d: 4", "d: 5", "a: 1\nb: 2\n", ""), change("d: 4", "d: 6"), 0, same(2, "c: 3\n", "e: 5\nf: 6\n")},
		{"other edits", change("d: 4", "d: 5", "b: 2", "b: 0"), change("d: 4", "d: 6", "e: 5\n", "e: 5\nx: 0\n"), 0, Context{
			4,
			Lines{"b: 2\nc: 3\n", "e: 5\nf: 6\n"}, Lines{"b: 0\nc: 3\n", "e: 5\nf: 6\n"},
			Lines{"b: 2\nc: 3\n", "e: 5\nx: 0\nf: 6\n"}, Lines{"b: 0\nc: 3\n", "e: 5\nx: 0\nf: 6\n"},
		}},
	} {
		d, err := Parse("a.yaml", []byte(base))
		if err != nil {
			t.Fatal(err)
		}
		yours, theirs := Diff(d, []byte(c.yours)), Diff(d, []byte(c.theirs))
		_, list := Merge(d, yours, theirs)
		if c.of >= len(list) {
			t.Errorf("%s: got %d conflicts", c.name, len(list))
			continue
		}
		if got := d.Around(list, c.of, 2, yours, theirs); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}
