package draft

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dashboard/config/edit"
)

// A refused new source, and a refused change of a source, store no secret.
func TestRefusedSourceStoresNoSecret(t *testing.T) {
	providers := "providers:\n  a: {type: static, value: 1}\n"
	b := newBench(t, map[string]string{
		"conf.yaml": testConf, "widgets.yaml": testWall, "providers.yaml": providers, "secrets.yaml": "home_token: old # keep\n",
	})
	id, _ := b.open()
	b.setFile(id, "providers.yaml", providers+"  new: {type: x\n")
	home := Op{Op: "provider", YAML: "home: {type: homeassistant, url: http://ha, token: !secret home_token}"}
	home.Secret = &SecretToStore{"home_token", "new"}
	b.ops(422, id, home)
	if got := b.read("secrets.yaml"); got != "home_token: old # keep\n" {
		t.Errorf("the refused operation changed secrets.yaml to %q", got)
	}
	b.setFile(id, "providers.yaml", providers)
	b.ops(422, id, home, Op{Op: "rename", From: "none", To: "other"})
	if got := b.read("secrets.yaml"); got != "home_token: old # keep\n" {
		t.Errorf("a request with a refused operation changed secrets.yaml to %q", got)
	}
	b.ops(200, id, home)
	if got := b.read("secrets.yaml"); got != "home_token: \"new\" # keep\n" {
		t.Errorf("the new source stored %q", got)
	}
	b.setFile(id, "providers.yaml", providers)
	node := b.call(200, "state", id, nil)["providers"].([]*Node)[0].ID
	value := Op{Op: "set", Node: node, Key: "value", Value: "!secret home_token", Secret: &SecretToStore{"home_token", "newer"}}
	b.setFile(id, "providers.yaml", strings.Replace(providers, "1}", "1", 1))
	b.ops(422, id, value)
	if got := b.read("secrets.yaml"); got != "home_token: \"new\" # keep\n" {
		t.Errorf("the refused change of a source changed secrets.yaml to %q", got)
	}
	b.setFile(id, "providers.yaml", providers)
	b.ops(200, id, value)
	if got := b.read("secrets.yaml"); got != "home_token: \"newer\" # keep\n" {
		t.Errorf("the change of a source stored %q", got)
	}
}

// setFile() replaces the text of a file in a draft.
func (b *bench) setFile(id, name, text string) {
	b.t.Helper()
	d, err := b.Find(id)
	if err != nil {
		b.t.Fatal(err)
	}
	f, err := d.File(name)
	if err == nil {
		err = d.SetFile(name, text, f["hash"].(string))
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// A mistake in one widget does not keep valid changes of other widgets out of the form and the picture.
func TestMistakesInTwoWidgets(t *testing.T) {
	hello, two := "text: 'Hello'", "title: Two"
	text := func(in ...string) string { return strings.NewReplacer(in...).Replace(testWall) }
	both := text(hello, "text: 'Hello", two, "title: Second")
	one := "          - {widget: card, title: One"
	added := strings.Replace(both, one, "          - {widget: text, text: New}\n"+one, 1)
	for name, saves := range map[string][]string{
		"a mistake in another widget, then its correction": {text(hello, "text: 'Hello"), text(hello, "text: 'Hello", two, "title: ["), both},
		"a mistake and a valid change in one save":         {both},
		"a new widget": {added},
	} {
		b := newBench(t, usual)
		id, state := b.open()
		before, first := nodes(state), b.shot(id)
		for _, s := range saves {
			b.setFile(id, "widgets.yaml", s)
		}
		all := nodes(b.call(200, "state", id, nil))
		if second := all["Second"]; second == nil || second.ID != before["Two"].ID {
			t.Errorf("%s: the form does not show the valid change: %v", name, all)
		}
		if name == "a new widget" && all["New"] == nil {
			t.Errorf("%s: %v", name, all)
		}
		for title, n := range all {
			if (n.Locked > 0) != (title == "Hello") {
				t.Errorf("%s: %s has the lock %d", name, title, n.Locked)
			}
		}
		if bytes.Equal(first, b.shot(id)) {
			t.Errorf("%s: the picture does not show the valid change", name)
		}
		b.ops(200, id, Op{Op: "set", Node: before["Two"].ID, Key: "title", Value: "Third"})
		want := strings.Replace(saves[len(saves)-1], "Second", "Third", 1)
		if got := b.text(id); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		b.setFile(id, "widgets.yaml", strings.Replace(want, "'Hello", "'Hello'", 1))
		for title, n := range nodes(b.call(200, "state", id, nil)) {
			if was := before[title]; n.Locked > 0 || was != nil && n.ID != was.ID {
				t.Errorf("%s: after the correction, %s is %+v", name, title, n)
			}
		}
	}
}

// If a text with a mistake has more than maxHunks changes, the last valid text stays, because each change would be parsed.
func TestMistakeWithManyChanges(t *testing.T) {
	for _, valid := range []int{maxHunks - 1, maxHunks} {
		var before, after strings.Builder
		for i := range valid {
			before.WriteString("k" + itoa(i) + ": a\n#\n")
			after.WriteString("k" + itoa(i) + ": b\n#\n")
		}
		f := newFile("widgets.yaml", []byte(before.String()+"x: a\n"), true)
		d := loose(t, f)
		if err := d.SetFile(f.name, after.String()+"x: [\n", edit.Hash(f.work)); err != nil {
			t.Fatal(err)
		}
		want := after.String()
		if valid == maxHunks {
			want = before.String()
		}
		if got := string(f.good.Bytes); got != want+"x: a\n" {
			t.Errorf("%d valid changes: the last valid text is\n%s", valid, got)
		}
	}
}

// If an operation makes a text with a mistake valid, all nodes keep their ids and positions.
func TestOperationCorrectsAMistake(t *testing.T) {
	wall := "widgets:\n  - widget: row\n    children:\n      - {widget: text, text: A}\n      - {widget: text, text: Second}\n" +
		"      - {widget: card, title: C}\n      - {widget: card, title: D}\n"
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": wall})
	id, state := b.open()
	before := nodes(state)
	b.setFile(id, "widgets.yaml", strings.Replace(wall, "text: Second}", "text: *words}  # longer", 1))
	state = b.ops(200, id, Op{Op: "set", Node: before["A"].ID, Key: "text", Value: "&words Hello"})
	if len(state["problems"].([]Problem)) > 0 {
		t.Fatalf("the text is not valid: %v\n%s", state["problems"], b.text(id))
	}
	for _, title := range []string{"row", "C", "D"} {
		if n := nodes(state)[title]; n == nil || n.ID != before[title].ID {
			t.Errorf("%s has another id: %+v, was %+v", title, n, before[title])
		}
	}
	b.ops(200, id, Op{Op: "set", Node: before["C"].ID, Key: "title", Value: "New"})
	if got := b.text(id); !strings.Contains(got, "title: New}\n      - {widget: card, title: D}\n") {
		t.Errorf("got\n%s", got)
	}
}

// A source can be tested despite a mistake in another file or in another source.
func TestTestOfASourceBesideAMistake(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"power": 1240}`) }))
	defer web.Close()
	providers := "providers:\n  solar: {url: " + web.URL + "/a}\n  wind: {url: " + web.URL + "/b}\n"
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall, "providers.yaml": providers})
	id, _ := b.open()
	test := func(status int, provider string) {
		t.Helper()
		got := b.call(status, "test", id, map[string]any{"provider": provider})
		text, _ := got["error"].(string)
		if status == 200 && got["works"] != true || status == 422 && !strings.HasPrefix(text, "providers.yaml:") {
			t.Errorf("%s: got %v", provider, got)
		}
	}
	b.setFile(id, "widgets.yaml", strings.Replace(testWall, "'Hello'", "'Hello", 1))
	test(200, "solar")
	b.setFile(id, "providers.yaml", strings.Replace(providers, "/b}", "/b", 1))
	test(200, "solar")
	test(422, "wind")
	b.setFile(id, "providers.yaml", providers+"  new: {url: x\n")
	test(422, "solar") // the mistake may belong to any source
	test(422, "new")
}

// A problem belongs to a widget only if the mistake is certainly in this widget. An alias in the part with the mistake is locked.
func TestMistakeHasItsNode(t *testing.T) {
	wall := "widgets:\n  - widget: row\n    children:\n      - &one {widget: card, title: One}\n      - widget: column\n        children:\n" +
		"          - *one\n          - {widget: card, title: Two}\n      - widget: text\n        text: &words Hello\n" +
		"      - {widget: clock, name: last, date: *words}\n"
	for old, c := range map[string]struct{ next, node, locked string }{
		"&words Hello": {"&words [Hello", "", "Hall row One column One Two Hello last"},
		"- *one":       {"- *one [", "column", "column One Two"},
		"title: Two}":  {"title: Two", "Two", "Two"},
		"*words}":      {"*words", "last", "last"},
	} {
		b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": wall})
		id, _ := b.open()
		b.setFile(id, "widgets.yaml", strings.Replace(wall, old, c.next, 1))
		state := b.call(200, "state", id, nil)
		node, locked := "", []string{}
		var visit func(*Node)
		visit = func(n *Node) {
			if n.Locked > 0 {
				locked = append(locked, n.Title)
			}
			if n.ID == state["problems"].([]Problem)[0].Node {
				node = n.Title
			}
			for _, c := range n.Children {
				visit(c)
			}
		}
		visit(state["tree"].(*Node))
		if got := strings.Join(locked, " "); node != c.node || got != c.locked {
			t.Errorf("%q: the problem belongs to %q, want %q; %q are locked, want %q", old, node, c.node, got, c.locked)
		}
	}
}

// A mistake in the first key of a widgets file does not lock the widgets and the other keys of this file.
func TestMistakeInTheFirstKey(t *testing.T) {
	const first = "background: \"#000000\"\n"
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": first + testWall})
	id, _ := b.open()
	b.setFile(id, "widgets.yaml", strings.Replace(first, "0\"", "0", 1)+testWall)
	state := b.call(200, "state", id, nil)
	all := nodes(state)
	for title, n := range all {
		if n.Locked > 0 {
			t.Errorf("%s is locked", title)
		}
	}
	root := state["tree"].(*Node)
	if p := state["problems"].([]Problem); len(p) != 1 || p[0].Line != 1 || p[0].Node != root.ID {
		t.Errorf("got the problems %+v, want one in the wall %s", p, root.ID)
	}
	b.ops(422, id, Op{Op: "set", Node: root.ID, Hash: root.Hash, Key: "background", Value: "red"})
	b.ops(422, id, Op{Op: "remove", Node: root.ID, Hash: root.Hash, Key: "background"})
	b.ops(200, id, Op{Op: "set", Node: root.ID, Hash: root.Hash, Key: "name", Value: "Hall"}, Op{Op: "set", Node: all["Two"].ID, Key: "title", Value: "Three"})
	b.setFile(id, "widgets.yaml", strings.Replace(b.text(id), "#000000", "#000000\"", 1))
	want := first + strings.Replace(testWall, "title: Two", "title: Three", 1) + "name: Hall\n"
	if got := b.text(id); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// If the check has not read a file, the line and the reason of its mistake come from the comparison with the last valid text.
func TestMistakeInAnUncheckedFile(t *testing.T) {
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall, "other.yaml": testWall})
	id, _ := b.open()
	b.setFile(id, "other.yaml", strings.Replace(testWall, "'Hello'", "'Hello", 1))
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files["other.yaml"]
	if line, _ := d.firstMistake(f); line != 8 {
		t.Errorf("got line %d, want 8", line)
	}
	if got := d.mistake(f); got != f.wrong.Error() || !strings.HasPrefix(got, "other.yaml: yaml: line ") {
		t.Errorf("got %q", got)
	}
}

// Some texts are valid, but operations cannot change them. Their picture stays current, also with a mistake in another file. Because the
// positions of the nodes belong to an earlier text, the nodes have no rectangles.
func TestTextThatOnlyTheTextModeCanChange(t *testing.T) {
	const first = "          - {widget: card, title: One"
	providers := "providers:\n  a: {type: static, value: 1}\n"
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall, "providers.yaml": providers})
	id, state := b.open()
	before, old := nodes(state), b.shot(id)
	added := "          - {widget: text, text: New}\n" + first
	b.setFile(id, "widgets.yaml", strings.NewReplacer("'Hello'", "! Hello", first, added).Replace(testWall))
	now := b.shot(id)
	if bytes.Equal(old, now) {
		t.Error("the picture does not show the new text")
	}
	b.setFile(id, "providers.yaml", strings.Replace(providers, "1}", "1", 1))
	if !bytes.Equal(now, b.shot(id)) {
		t.Error("the picture does not show the new text any more")
	}
	for title, n := range nodes(b.call(200, "state", id, nil)) {
		if n.Locked == 0 || n.Kind == "widget" && n.Rect != nil {
			t.Errorf("%s: locked %d, rectangle %v", title, n.Locked, n.Rect)
		}
	}
	got := b.ops(422, id, Op{Op: "set", Node: before["Two"].ID, Key: "title", Value: "No"})
	if text := got["error"].(string); !strings.Contains(text, "edited as text only") {
		t.Errorf("refused with %q", text)
	}
}
