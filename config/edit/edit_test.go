package edit

import (
	"strings"
	"testing"
)

const wall = `# The hall.
widgets:
  - widget: grid   # two columns
    columns: 2
    children:
      # the clock
      - widget: clock
        text_size: 60
      - {widget: label, text: 'Hello'}

      - widget: card
        children:
          - widget: text
            text: |
              two
              lines
`

func open(t *testing.T, text string) *Document {
	t.Helper()
	d, err := Parse("widgets.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// find returns the value at a path such as widgets.0.children.
func find(t *testing.T, d *Document, path string) *Node {
	t.Helper()
	n := d.At(path)
	if n == nil {
		t.Fatalf("nothing at %s", path)
	}
	return n
}

// Operations write the text that a person would write by hand.
func TestOperationsReadAsByHand(t *testing.T) {
	const grid = "widgets.0.children"
	for name, c := range map[string]struct {
		run  func(d *Document) (*Result, error)
		want [2]string // old and new text of the file
	}{
		"set a number": {func(d *Document) (*Result, error) { return d.SetText(find(t, d, grid+".0.text_size"), "80") }, [2]string{"60", "80"}},
		"keep quotes":  {func(d *Document) (*Result, error) { return d.SetText(find(t, d, grid+".1.text"), "Good day") }, [2]string{"'Hello'", "'Good day'"}},
		"keep quotes of a text with an apostrophe": {func(d *Document) (*Result, error) { return d.SetText(find(t, d, grid+".1.text"), `"it's"`) },
			[2]string{"'Hello'", `"it's"`}},
		"add a key in a block": {func(d *Document) (*Result, error) { return d.Set(find(t, d, grid+".0"), "format", `"HH:mm"`) },
			[2]string{"text_size: 60\n", "text_size: 60\n        format: 'HH:mm'\n"}},
		"add a key in brackets": {func(d *Document) (*Result, error) { return d.Set(find(t, d, grid+".1"), "align", "center") },
			[2]string{"text: 'Hello'}", "text: 'Hello', align: center}"}},
		"add a key before the children": {func(d *Document) (*Result, error) { return d.Set(find(t, d, "widgets.0"), "gap", "8") },
			[2]string{"columns: 2\n", "columns: 2\n    gap: 8\n"}},
		"remove with the comment": {func(d *Document) (*Result, error) { return d.Remove(find(t, d, grid+".0").Parent) },
			[2]string{"      # the clock\n      - widget: clock\n        text_size: 60\n", ""}},
		"move down": {func(d *Document) (*Result, error) {
			return d.Move(find(t, d, grid+".1").Parent, find(t, d, grid+".2.children"), 0)
		},
			[2]string{"      - {widget: label, text: 'Hello'}\n\n      - widget: card\n        children:\n", "\n      - widget: card\n        children:\n          - {widget: label, text: 'Hello'}\n"}},
		"move up": {func(d *Document) (*Result, error) {
			return d.Move(find(t, d, grid+".2.children.0").Parent, find(t, d, grid), 0)
		},
			[2]string{wall[strings.Index(wall, "      # the clock"):], `      - widget: text
        text: |
          two
          lines
      # the clock
      - widget: clock
        text_size: 60
      - {widget: label, text: 'Hello'}

      - widget: card
        children: []
`}},
		"wrap": {func(d *Document) (*Result, error) {
			return d.Wrap(find(t, d, grid+".0").Parent, "widget: card\ntitle: Time")
		},
			[2]string{"      - widget: clock\n        text_size: 60\n", `      - widget: card
        title: Time
        children:
          - widget: clock
            text_size: 60
`}},
		"unwrap": {func(d *Document) (*Result, error) { return d.Unwrap(find(t, d, grid+".2").Parent) },
			[2]string{wall[strings.Index(wall, "      - widget: card"):], "      - widget: text\n        text: |\n          two\n          lines\n"}},
		"duplicate": {func(d *Document) (*Result, error) { return d.Duplicate(find(t, d, grid+".0").Parent) },
			[2]string{"        text_size: 60\n", "        text_size: 60\n      - widget: clock\n        text_size: 60\n"}},
		"add a widget": {func(d *Document) (*Result, error) {
			return d.Insert(find(t, d, grid+".2.children"), 1, "", "{widget: space}")
		},
			[2]string{"              lines\n", "              lines\n          - {widget: space}\n"}},
		"several lines in place of a word": {func(d *Document) (*Result, error) { return d.SetText(find(t, d, "widgets.0.columns"), "- 1\n- 2") },
			[2]string{"columns: 2\n", "columns:\n      - 1\n      - 2\n"}},
	} {
		d := open(t, wall)
		got, err := c.run(d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := strings.Replace(wall, c.want[0], c.want[1], 1); string(got.Doc.Bytes) != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got.Doc.Bytes, want)
		}
	}
}

// An operation is refused with a reason if it is not possible, or if it would change more than the values for which it was called.
func TestRefusals(t *testing.T) {
	d := open(t, "a: &x {b: 1}\nc: *x\nd: [1, 2]\n? e\n: f\n")
	behind := open(t, "list:\n  - {a: 1} # why\nbrackets: [2]\n")
	for name, c := range map[string]struct {
		run  func() (*Result, error)
		want string
	}{
		"an anchor in use": {func() (*Result, error) { return d.Remove(d.Root.Entry("a")) }, "&x"},
		"no YAML":          {func() (*Result, error) { return d.SetText(find(t, d, "d"), "{a: [") }, "not valid YAML"},
		"a question mark":  {func() (*Result, error) { return d.SetText(find(t, d, "e"), "g") }, "'?'"},
		"no such place":    {func() (*Result, error) { return d.Insert(find(t, d, "d"), 9, "", "3") }, "no place 9"},
		"into itself":      {func() (*Result, error) { return d.Move(d.Root.Entry("a"), find(t, d, "a"), 0) }, "into itself"},
		"a comment behind": {func() (*Result, error) {
			return behind.Move(find(t, behind, "list.0").Parent, find(t, behind, "brackets"), 0)
		}, "no room in brackets"},
		"unknown alias": {func() (*Result, error) { return d.SetText(find(t, d, "d"), "*y") }, "unknown anchor"},
	} {
		_, err := c.run()
		if _, ok := err.(*Refusal); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if n := find(t, d, "a"); n.Uses != 1 {
		t.Errorf("the anchor has %d uses", n.Uses)
	}
}

// A title that a person types letter by letter ends without quotation marks, although its first letter "N" needs them. A text that did
// not need its quotation marks keeps them.
func TestQuotesOnlyWhileNeeded(t *testing.T) {
	for _, c := range []struct{ file, typed, want string }{
		{"title: Moon # name\n", `"N"|New|New moon`, "title: New moon # name\n"},
		{"title: Moon\nicon: \"moon\"\n", `"N"|New moon`, "title: New moon\nicon: \"moon\"\n"},
		{"title: \"yes\"\n", "maybe", "title: maybe\n"},
		{"title: \"\"\n", `"n"|no one`, "title: no one\n"},
		{"title: \"Note: x\"\n", "Note x", "title: Note x\n"},
		{"title: \"a #b\"\n", "a b", "title: a b\n"},
		{"title: '0x1f'\n", "hex", "title: hex\n"},
		{"title: \"*a\"\n", "a", "title: a\n"},
		{"title: \"&a b\"\n", "a", "title: a\n"},
		{"title: \"a\\nb\"\n", "a", "title: a\n"},
		{"title: 'Moon'\n", "New moon", "title: 'New moon'\n"},
		{"title: \"12 apples\"\n", "apples", "title: \"apples\"\n"},
		{"title: \"(x)\"\n", "moon", "title: \"moon\"\n"},
		{"title: \"/a/b\"\n", "moon", "title: \"moon\"\n"},
		{"title: \"it's\"\n", "moon", "title: \"moon\"\n"},
		{"title: \"a, b\"\n", "moon", "title: \"moon\"\n"},
		{"[\"a, b\"]\n", "moon", "[moon]\n"},
		{"[\"a\", b]\n", "c", "[\"c\", b]\n"},
		{"[\"no\", b]\n", "a", "[a, b]\n"},
	} {
		d := open(t, c.file)
		for _, text := range strings.Split(c.typed, "|") {
			r, err := d.SetText(d.Root.Entries[0].Value, text)
			if err != nil {
				t.Fatal(err)
			}
			d = r.Doc
		}
		if got := string(d.Bytes); got != c.want {
			t.Errorf("%q, then %s: got %q", c.file, c.typed, got)
		}
	}
}

// FuzzParse parses any bytes. The spans must be nested correctly, the document must have the same
// bytes, and a change of one value must change only this value.
func FuzzParse(f *testing.F) {
	for _, s := range []string{wall, "a: &x !t 'y'\nb: [*x, {c: }, d: e]\n", "\ufeff? k\r\n: - |+\r\n    t\r\n\r\n", "- - - a\n  -\n# c\n", "a: \"\\\n  b\"\n", "{a, b: [c,],}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		d, err := Parse("f.yaml", data)
		if err != nil || d.Root == nil {
			return
		}
		checkSpans(t, d)
		tries := 0
		d.Root.Walk(func(n *Node) {
			if tries++; tries > 8 || n.Parent == nil || n.Parent.Key == n {
				return
			}
			if got, err := d.SetText(n, "changed"); err == nil {
				outside(t, data, got.Doc.Bytes, got.Edits)
			}
			if got, err := d.Remove(n.Parent); err == nil {
				outside(t, data, got.Doc.Bytes, got.Edits)
			}
		})
	})
}
