package draft

import (
	"bytes"
	"image/png"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/config/edit"
)

// mistaken() replaces a part of a file's text in a draft.
func (b *bench) mistaken(id, old, next string) map[string]any {
	b.t.Helper()
	d, err := b.Find(id)
	if err != nil {
		b.t.Fatal(err)
	}
	text := b.text(id)
	if strings.Count(text, old) != 1 {
		b.t.Fatalf("%q is %d times in\n%s", old, strings.Count(text, old), text)
	}
	if err := d.SetFile("widgets.yaml", strings.Replace(text, old, next, 1), edit.Hash([]byte(text))); err != nil {
		b.t.Fatal(err)
	}
	return b.call(200, "state", id, nil)
}

// A text that is not valid YAML locks only its own widget. The fields of this widget stay. All other widgets can be changed, their changes
// are in the picture, and a correction of the text keeps these changes.
func TestMistakeLocksItsWidget(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	before := nodes(state)
	state = b.mistaken(id, "text: 'Hello'", "text: 'Hello")
	all := nodes(state)
	for title, n := range before {
		now := all[title]
		if now == nil || now.ID != n.ID || len(now.Params) != len(n.Params) || (now.Locked > 0) != (title == "Hello") {
			t.Errorf("%s: got %+v, was %+v", title, now, n)
		}
	}
	if p := state["problems"].([]Problem); len(p) != 1 || p[0].Node != before["Hello"].ID || p[0].Line != all["Hello"].Locked || p[0].Line != 8 {
		t.Errorf("problems %+v, locked %d", p, all["Hello"].Locked)
	}
	work := b.text(id)
	if got := work[all["Two"].Start:all["Two"].End]; got != "{widget: card, title: Two, value: 2}" || all["Two"].Line != 12 {
		t.Errorf("the position of Two is %q, line %d", got, all["Two"].Line)
	}
	if got := work[all["Hello"].Start:all["Hello"].End]; got != "      - {widget: text, text: 'Hello}" {
		t.Errorf("the text of the mistake is %q", got)
	}
	got := b.ops(422, id, Op{Op: "set", Node: before["Hello"].ID, Key: "text", Value: "No"})
	if !strings.HasPrefix(got["error"].(string), "widgets.yaml:8: not valid YAML: ") || !strings.HasSuffix(got["error"].(string), "Correct this text first") {
		t.Errorf("refused: %v", got["error"])
	}
	b.ops(422, id, Op{Op: "remove", Node: before["row"].ID})
	first := b.shot(id)
	b.ops(200, id, Op{Op: "set", Node: before["Two"].ID, Hash: all["Two"].Hash, Key: "title", Value: "Second"})
	state = b.ops(200, id, Op{Op: "remove", Node: before["One"].ID})
	if bytes.Equal(first, b.shot(id)) || state["drawn"] == state["revision"] {
		t.Errorf("the picture does not show the changes, or it is the picture of revision %v", state["drawn"])
	}
	b.call(200, "undo", id, nil)
	b.call(200, "undo", id, nil)
	b.call(200, "redo", id, nil)
	b.call(422, "apply", id, map[string]any{})
	state = b.mistaken(id, "'Hello}", "'Hello'}")
	want := strings.Replace(testWall, "title: Two", "title: Second", 1)
	if got := b.text(id); got != want || nodes(state)["Second"].ID != before["Two"].ID || nodes(state)["Hello"].Locked > 0 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// shot() returns the picture of a draft.
func (b *bench) shot(id string) []byte {
	b.t.Helper()
	d, err := b.Find(id)
	if err != nil {
		b.t.Fatal(err)
	}
	data, err := d.Picture(Shot{})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		b.t.Fatal(err)
	}
	return data
}

// If it is not certain that the mistake concerns only one part, no part of the file can be changed. Other files can be changed.
func TestMistakeLocksTheFile(t *testing.T) {
	usual := map[string]string{"conf.yaml": testConf, "providers.yaml": "providers:\n  a: {type: static, value: 1}\n", "widgets.yaml": `widgets:
  - widget: row
    children:
      - widget: text
        text: &words Hello
        lines: 2
      - widget: text
        text: *words
      - {widget: card, title: One}
`}
	for name, change := range map[string][2]string{
		"an anchor that another widget uses": {"lines: 2", "lines: [2"},
		"indented too little":                {"        text: *words\n", "        text: *words\n    \"title: a\n"},
		"two widgets":                        {"        lines: 2\n      - widget: text\n", "        lines: [2\n      - widget: {text\n"},
		"without its dash":                   {"- {widget: card, title: One}", "  {widget: card, title: One"},
	} {
		b := newBench(t, usual)
		id, state := b.open()
		one := nodes(state)["One"].ID
		state = b.mistaken(id, change[0], change[1])
		for title, n := range nodes(state) {
			if n.Locked == 0 {
				t.Errorf("%s: %s is not locked", name, title)
			}
		}
		broken := b.text(id)
		got := b.ops(422, id, Op{Op: "set", Node: one, Key: "title", Value: "No"})
		if text := got["error"].(string); !strings.HasPrefix(text, "widgets.yaml:") || b.text(id) != broken {
			t.Errorf("%s: refused with %q\n%s", name, text, b.text(id))
		}
		source := state["providers"].([]*Node)[0]
		if source.Locked > 0 {
			t.Errorf("%s: a source is locked", name)
		}
		b.ops(200, id, Op{Op: "set", Node: source.ID, Key: "value", Value: "2"})
	}
}

// A mistake in one source locks only this source. Another program's change of another source is merged, and after a restart the draft is
// the same.
func TestMistakeInASource(t *testing.T) {
	providers := "providers:\n  a:\n    type: static\n    value: 1\n  b:\n    type: static\n    value: 2\n"
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall, "providers.yaml": providers})
	b.keeps()
	id, _ := b.open()
	d, err := b.Find(id)
	if err == nil {
		err = d.SetFile("providers.yaml", strings.Replace(providers, "value: 1", "value: [1", 1), edit.Hash([]byte(providers)))
	}
	if err != nil {
		t.Fatal(err)
	}
	b.write("providers.yaml", strings.Replace(providers, "value: 2", "value: 3", 1))
	b.Changed()
	for _, again := range []string{"before a restart", "after a restart"} {
		list := b.call(200, "state", id, nil)["providers"].([]*Node)
		if len(list) != 2 || list[0].Locked != 4 || list[1].Locked != 0 || list[0].Params[1].Value != "1" || list[1].Params[1].Value != "3" {
			t.Fatalf("%s: %+v", again, list)
		}
		b.restart()
	}
	list := b.call(200, "state", id, nil)["providers"].([]*Node)
	b.ops(200, id, Op{Op: "set", Node: list[1].ID, Key: "value", Value: "4"})
	want := strings.NewReplacer("value: 1", "value: [1", "value: 2", "value: 4").Replace(providers)
	if d, err = b.Find(id); err != nil {
		t.Fatal(err)
	}
	if f, err := d.File("providers.yaml"); err != nil || f["text"] != want {
		t.Errorf("got %v\n%v\nwant\n%s", err, f["text"], want)
	}
}

// mistakes are texts that are not valid YAML, at the end of a value or below a key.
var mistakes = []string{"'", "\"", " [", " {a: ", " *", ": :", "\n            - \"", "\n            a: [", " !<"}

// testProviders contains sources of different forms, and a use of another source.
const testProviders = `# The sources.
providers:
  meter:
    type: push
    # only while someone is at home
    update_interval: 5m
  solar: {type: rest, url: "http://solar"}   # on the roof
  sum:
    type: derived
    value: !data .solar.power + .meter.power
`

// With a mistake in a part of a file, an operation on another part is refused, or it changes the same bytes as without the mistake. Undo
// and redo change the same bytes too. The nodes keep their positions.
func TestOperationsBesideAMistake(t *testing.T) {
	walks := 60
	if !testing.Short() {
		walks = 800
	}
	random := rand.New(rand.NewPCG(1, 2))
	done, refused := map[string]int{}, 0
	for range walks {
		name, text := randomText(random)
		sound, broken := newFile(name, []byte(text), true), newFile(name, []byte(text), true)
		a, b := loose(t, sound), loose(t, broken)
		if b.SetFile(name, mistakenLine(random, text), edit.Hash([]byte(text))) != nil || broken.wrong == nil || broken.fence == nil {
			continue
		}
		for range 6 {
			op := randomOp(random, a)
			if b.Do([]Op{op}, "") != nil {
				refused++
				continue
			}
			if err := a.Do([]Op{op}, ""); err != nil {
				t.Fatalf("%+v: only without the mistake: %v\n%s", op, err, broken.work)
			}
			done[op.Op]++
			compareMended(t, op, a, b, name)
			if len(a.undo) == 0 || random.IntN(3) > 0 {
				continue
			}
			for _, step := range []func(*Draft) error{(*Draft).Undo, (*Draft).Redo} {
				if step(a) != nil || step(b) != nil {
					t.Fatalf("%+v: no undo or redo", op)
				}
				compareMended(t, op, a, b, name)
			}
		}
	}
	for _, op := range []string{"set", "remove", "add", "move", "duplicate", "wrap", "text", "provider", "rename"} {
		if done[op] == 0 {
			t.Errorf("no operation %s was done", op)
		}
	}
	if refused < walks/10 {
		t.Errorf("done: %v, %d were refused", done, refused)
	}
}

// compareMended compares a draft a without a mistake and a draft b with a mistake in the same file.
func compareMended(t *testing.T, op Op, a, b *Draft, name string) {
	t.Helper()
	sound, broken := a.files[name], b.files[name]
	n := broken.fence
	if n == nil {
		t.Fatalf("%+v: no fence is left\n%s", op, broken.work)
	}
	mended := slices.Concat(broken.work[:n.Broken.Start], broken.good.Bytes[n.Valid.Start:n.Valid.End], broken.work[n.Broken.End:])
	if !bytes.Equal(mended, sound.work) {
		t.Fatalf("%+v: got\n%s\nwant\n%s", op, mended, sound.work)
	}
	if !maps.Equal(a.nodes, b.nodes) {
		t.Fatalf("%+v: the nodes are at %v, want %v", op, b.nodes, a.nodes)
	}
}

// randomText returns the name and the text of a file with widgets or sources. The line breaks and the end of the text are random.
func randomText(random *rand.Rand) (name, text string) {
	name, text = "widgets.yaml", testWall
	if random.IntN(3) == 0 {
		name, text = "providers.yaml", testProviders
	}
	if random.IntN(3) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	if random.IntN(2) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return name, text
}

// mistakenLine adds a random mistake to the end of a random line.
func mistakenLine(random *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	k := random.IntN(len(lines))
	line := strings.TrimRight(lines[k], "\r\n")
	lines[k] = line + mistakes[random.IntN(len(mistakes))] + lines[k][len(line):]
	return strings.Join(lines, "")
}

// loose() returns a draft that contains a single file, with an id for each of its nodes.
func loose(t *testing.T, f *file) *Draft {
	t.Helper()
	d := newBench(t, nil)
	one := &Draft{editor: d.Editor, files: map[string]*file{f.name: f}, nodes: map[string]nodeKey{}}
	f.doc.Root.Walk(func(n *edit.Node) {
		if n.Kind == edit.Map && (n.Parent == nil || n.Parent.Value == n) {
			one.idOf(map[nodeKey]string{}, nodeKey{f.name, n.Span.Start})
		}
	})
	one.drawn.problems, one.drawn.done = []config.Diagnostic{}, true
	return one
}

// randomOp returns an operation on a random node of a draft.
func randomOp(random *rand.Rand, t *Draft) Op {
	ids := make([]string, 0, len(t.nodes))
	for id := range t.nodes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	pick := func() string { return ids[random.IntN(len(ids))] }
	kinds := []string{"set", "set", "remove", "add", "move", "duplicate", "wrap", "text"}
	if t.files["providers.yaml"] != nil {
		kinds = []string{"set", "set", "remove", "text", "provider", "rename"}
	}
	op := Op{Op: kinds[random.IntN(len(kinds))], Node: pick(), Index: random.IntN(4)}
	op.Key, op.Value = []string{"title", "text", "value", "new"}[random.IntN(4)], []string{"5", "a b", "[1, 2]", "'x'"}[random.IntN(4)]
	switch op.Op {
	case "remove":
		if random.IntN(2) == 0 {
			op.Key = ""
		}
	case "add", "move":
		op.Parent, op.YAML = pick(), "widget: card\ntitle: New"
	case "wrap", "text":
		op.YAML = "widget: column"
	case "provider":
		op.YAML = "new" + itoa(random.IntN(9)) + ": {type: static, value: 1}"
	case "rename":
		op.From, op.To = []string{"solar", "meter", "sum"}[random.IntN(3)], "name"+itoa(random.IntN(9))
	}
	return op
}
