package draft

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/state"
	"dashboard/server"
	"dashboard/wall/scene"
)

const testWall = `# The hall.
widgets:
  - widget: row
    children:
      # the clock
      - widget: clock
        seconds: raised
      - {widget: text, text: 'Hello'}
      - widget: column
        children:
          - {widget: card, title: One, value: 1}   # first
          - {widget: card, title: Two, value: 2}
`

const testConf = "locale: en-GB\ntimezone: UTC\ngraphics: {resolution: [800, 480]}\noutputs: [{type: stream}]\n"

// A bench is an editor for a temporary folder, with a clock that the test sets.
type bench struct {
	*Editor
	t       *testing.T
	dir     string
	log     *bytes.Buffer
	mu      sync.Mutex
	now     time.Time
	reloads int
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), log: &bytes.Buffer{}, now: time.Date(2026, 5, 4, 10, 8, 0, 0, time.UTC)}
	for name, text := range files {
		b.write(name, text)
	}
	builder := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(builder.Providers.Close)
	from := scene.Folder{Home: b.dir, Files: nil, Widgets: "widgets.yaml"}
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.Editor = NewEditor(Parts{
		Builder: builder, Folder: func() scene.Folder { return from }, Views: func() []string { return []string{"main"} },
		Size: func(string) (int, int) { return 800, 480 }, Versions: KeepVersions(store, b.dir), Name: func() string { return "Hall" },
		Reload: func() { b.reloads++ }, Log: slog.New(slog.NewTextHandler(b.log, nil)), Now: b.clock,
	})
	return b
}

func (b *bench) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) read(name string) string {
	b.t.Helper()
	data, err := folder.Read(folder.Dir(b.dir), name, 1<<20)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// call sends a request and returns the fields of the answer. The answer must have the given status.
func (b *bench) call(status int, verb, id string, body any) map[string]any {
	b.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := b.Edit(context.Background(), server.EditCall{Verb: verb, ID: id, Body: text, Caller: "Anna's phone"})
	got, fields := 200, a.Fields
	if a.Status != 0 {
		got = a.Status
	}
	if no, ok := err.(*server.EditError); ok {
		got, fields = no.Status, map[string]any{"error": no.Text}
		for k, v := range no.More {
			fields[k] = v
		}
	} else if err != nil {
		b.t.Fatal(err)
	}
	if got != status {
		b.t.Fatalf("%s: got %d %v, want %d", verb, got, fields["error"], status)
	}
	return fields
}

// open() opens a draft. It returns the draft's id and state.
func (b *bench) open() (id string, state map[string]any) {
	b.t.Helper()
	state = b.call(201, "open", "", map[string]any{})
	return state["id"].(string), state
}

// nodes() returns all nodes of a state. The key is a node's title or, without a title, its kind.
func nodes(state map[string]any) map[string]*Node {
	all := map[string]*Node{}
	var walk func(n *Node)
	walk = func(n *Node) {
		all[nameOf(n)] = n
		for _, c := range n.Children {
			walk(c)
		}
	}
	if root := state["tree"].(*Node); root != nil {
		walk(root)
	}
	return all
}

func (b *bench) ops(status int, id string, ops ...Op) map[string]any {
	b.t.Helper()
	return b.call(status, "ops", id, map[string]any{"ops": ops})
}

var usual = map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall}

// TestWalk is a whole session with a draft. Only the intended lines of the files change, and only when the draft is applied.
func TestWalk(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	all := nodes(state)
	if r := all["Two"].Rect; len(r) != 4 || r[2] < 50 || r[0] < 400 {
		t.Errorf("the card is at %v", r)
	}
	clock, column, two := all["clock"], all["column"], all["Two"]
	state = b.ops(200, id, Op{Op: "set", Node: clock.ID, Hash: clock.Hash, Key: "seconds", Value: "hidden"})
	if p := state["problems"].([]Problem); len(p) == 0 || p[0].Node != clock.ID || p[0].Line != 7 {
		t.Errorf("a wrong word: %+v", p)
	}
	b.call(200, "undo", id, map[string]any{})
	state = b.ops(200, id, Op{Op: "move", Node: two.ID, Hash: two.Hash, Parent: column.ID, Index: 0})
	if moved := nodes(state)["Two"]; moved.ID != two.ID || moved.Rect[1] >= two.Rect[1] {
		t.Errorf("moved: %+v, was %+v", moved, two)
	}
	text := nodes(state)["Hello"]
	b.ops(200, id, Op{Op: "set", Node: text.ID, Hash: text.Hash, Key: "text", Value: "Good day"})
	b.ops(409, id, Op{Op: "set", Node: text.ID, Hash: text.Hash, Key: "text", Value: "late"})
	b.ops(422, id, Op{Op: "move", Node: column.ID, Parent: two.ID})
	if b.read("widgets.yaml") != testWall {
		t.Error("a draft changed the file")
	}
	b.call(200, "apply", id, map[string]any{})
	want := strings.Replace(testWall, "'Hello'", "'Good day'", 1)
	want = strings.Replace(want, "          - {widget: card, title: Two, value: 2}\n", "", 1)
	want = strings.Replace(want, "          - {widget: card, title: One", "          - {widget: card, title: Two, value: 2}\n          - {widget: card, title: One", 1)
	if got := b.read("widgets.yaml"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if b.reloads != 1 || !strings.Contains(b.log.String(), `by="Anna's phone" files=widgets.yaml:8,11`) {
		t.Errorf("%d reloads, log %s", b.reloads, b.log)
	}
}

// A person pauses while typing a word, so the word arrives in several requests. These requests are one change and one undo step. Typing
// in another field is a separate step. Typing in the same field after a save is a separate step too.
func TestTypedInParts(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	hello := nodes(state)["Hello"]
	typed := func(joins string, texts ...string) {
		for _, text := range texts {
			state = b.call(200, "ops", id, map[string]any{"joins": joins, "ops": []Op{{Op: "set", Node: hello.ID, Key: "text", Value: text}}})
		}
	}
	typed("text 1", "G", "Goo", "Good day")
	if got := state["changes"]; got != 1 {
		t.Errorf("got %v changes, want 1", got)
	}
	typed("text 2", "Bye", "")
	state = b.call(200, "undo", id, map[string]any{})
	if got := b.text(id); !strings.Contains(got, "'Good day'") || state["changes"] != 1 {
		t.Errorf("undone: %v changes of\n%s", state["changes"], got)
	}
	typed("text 2", "Bye") // this step must not be joined with the step that remains after the undo
	b.call(200, "undo", id, map[string]any{})
	state = b.call(200, "undo", id, map[string]any{})
	if got := b.text(id); got != testWall || state["can_undo"] != false {
		t.Errorf("undone, can undo %v:\n%s", state["can_undo"], got)
	}
	typed("text 3", "Good day")
	b.call(200, "apply", id, map[string]any{})
	typed("text 3", "Good night")
	state = b.call(200, "undo", id, map[string]any{})
	if got := b.text(id); !strings.Contains(got, "'Good day'") || state["changes"] != 0 {
		t.Errorf("undone after a save: %v changes of\n%s", state["changes"], got)
	}
	b.call(400, "ops", id, map[string]any{"joins": strings.Repeat("x", maxJoins+1), "ops": []Op{{Op: "set", Node: hello.ID, Key: "text", Value: "a"}}})
}

// A picture has the requested size. Each color effect changes the picture.
func TestPicture(t *testing.T) {
	b := newBench(t, usual)
	id, _ := b.open()
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, effect := range []string{"", "eink", "rgb565", "protan", "deutan", "tritan", "dim"} {
		data, err := d.Picture(Shot{Effect: effect})
		if err != nil {
			t.Fatal(err)
		}
		pic, err := png.Decode(bytes.NewReader(data))
		if err != nil || pic.Bounds().Dx() != 800 {
			t.Fatalf("%s: %v, %v", effect, pic.Bounds(), err)
		}
		if other, there := seen[string(data)]; there {
			t.Errorf("%q looks like %q", effect, other)
		}
		seen[string(data)] = effect
	}
	data, err := d.Picture(Shot{Width: 480, Height: 320})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != 480 || c.Height != 320 {
		t.Errorf("%+v %v", c, err)
	}
	for _, shot := range []Shot{{Effect: "sepia"}, {Width: 100_000, Height: 100_000}} {
		if _, err := d.Picture(shot); err == nil {
			t.Errorf("%+v: got a picture", shot)
		}
	}
}

// If a thousand callers try to open a draft at the same time, only two succeed. After ten minutes these drafts are closed and their
// memory is freed.
func TestThousandDrafts(t *testing.T) {
	b := newBench(t, usual)
	used := b.Builder.Memory.Kept.Used()
	opened := 0
	for range 1000 {
		if _, err := b.Open(""); err == nil {
			opened++
		}
	}
	if opened != MaxDrafts || len(b.List()) != MaxDrafts {
		t.Errorf("%d were opened, %d are open", opened, len(b.List()))
	}
	b.pass(IdleTime)
	if n := len(b.List()); n != 0 || b.Builder.Memory.Kept.Used() != used {
		t.Errorf("%d are open after ten minutes, %d bytes are held", n, b.Builder.Memory.Kept.Used()-used)
	}
}

// The zip file and the diff of a draft contain its changes. The zip file of all files contains no secrets.
func TestDiff(t *testing.T) {
	b := newBench(t, usual)
	b.write("secrets.yaml", "word: hidden\n")
	id, state := b.open()
	b.ops(200, id, Op{Op: "remove", Node: nodes(state)["One"].ID})
	a, err := b.Edit(context.Background(), server.EditCall{Verb: "diff", ID: id, Accept: "text/x-diff"})
	want := "--- a/widgets.yaml\n+++ b/widgets.yaml\n@@ -8,5 +8,4 @@\n       - {widget: text, text: 'Hello'}\n       - widget: column\n         children:\n" +
		"-          - {widget: card, title: One, value: 1}   # first\n           - {widget: card, title: Two, value: 2}\n"
	if err != nil || string(a.Body) != want {
		t.Errorf("%v\n%s", err, a.Body)
	}
	for all, names := range map[string]string{"": "[widgets.yaml]", "1": "[conf.yaml widgets.yaml]"} {
		a, err := b.Edit(context.Background(), server.EditCall{Verb: "zip", ID: id, Query: url.Values{"all": {all}}})
		if err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(a.Body), int64(len(a.Body)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range z.File {
			got = append(got, f.Name)
		}
		text, err := fs.ReadFile(z, "widgets.yaml")
		if fmt.Sprint(got) != names || err != nil || strings.Contains(string(text), "title: One") {
			t.Errorf("all %q: got %v, %v, and\n%s", all, got, err, text)
		}
	}
}
