package draft

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dashboard/config/edit"
	"dashboard/config/linediff"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
	"dashboard/server"
)

// If another program saves other lines, the draft contains these lines too. If the other program saves a line that the draft has changed,
// there is a conflict. After the save, undo still works.
func TestMergeWithTheDisk(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	hello := nodes(state)["Hello"]
	b.ops(200, id, Op{Op: "set", Node: hello.ID, Key: "text", Value: "Mine"})
	b.write("widgets.yaml", strings.Replace(testWall, "title: One, value: 1", "title: One, value: 11", 1))
	events, end := b.Listen()
	defer end()
	b.Changed()
	select {
	case e := <-events:
		if !strings.Contains(string(e), "event: draft") {
			t.Errorf("got %s", e)
		}
	case <-time.After(5 * time.Minute):
		t.Error("no event for a save by another program")
	}
	state = b.call(200, "state", id, nil)
	if len(state["conflicts"].([]map[string]any)) > 0 || !strings.Contains(b.text(id), "value: 11") || !strings.Contains(b.text(id), "'Mine'") {
		t.Fatalf("merged: %v\n%s", state["conflicts"], b.text(id))
	}
	b.call(200, "undo", id, map[string]any{})
	if got := b.text(id); !strings.Contains(got, "'Hello'") || !strings.Contains(got, "value: 11") {
		t.Errorf("undone after a merge:\n%s", got)
	}
	b.call(200, "redo", id, map[string]any{})
	b.write("widgets.yaml", strings.NewReplacer("value: 1}", "value: 12}", "'Hello'", "'Theirs'").Replace(testWall))
	got := b.call(409, "apply", id, map[string]any{})
	list := got["conflicts"].([]map[string]any)
	if len(list) != 1 || list[0]["theirs"] != "      - {widget: text, text: 'Theirs'}\n" || list[0]["yours"] != "      - {widget: text, text: 'Mine'}\n" {
		t.Fatalf("conflicts: %v", list)
	}
	if around := list[0]["around"].(edit.Context); !strings.Contains(around.Yours.After, "value: 11}") || !strings.Contains(around.Theirs.After, "value: 12}") || around.Merged != around.Theirs {
		t.Errorf("the lines around the conflict: %+v", around)
	}
	if merged := got["merged"].([]map[string]any); len(merged) != 1 || merged[0]["side"] != "theirs" || merged[0]["line"] != 11 ||
		merged[0]["text"] != "- {widget: card, title: One, value: 12}   # first" {
		t.Errorf("merged without asking: %v", merged)
	}
	b.call(200, "resolve", id, map[string]any{"choices": []Choice{{ID: list[0]["id"].(string), Take: "yours"}}})
	b.call(200, "apply", id, map[string]any{})
	if got := b.read("widgets.yaml"); !strings.Contains(got, "'Mine'") || !strings.Contains(got, "value: 12}") {
		t.Errorf("saved:\n%s", got)
	}
}

// The answer to a rejected save contains the number of the draft's changes that need no choice. These include a change that the draft and
// the other program made in the same way, and a change of another file.
func TestChangesThatFit(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	hello, one, two := nodes(state)["Hello"].ID, nodes(state)["One"].ID, nodes(state)["Two"].ID
	b.ops(200, id, Op{Op: "set", Node: hello, Key: "text", Value: "Mine"})
	b.ops(200, id, Op{Op: "set", Node: one, Key: "value", Value: "17"})
	conf := b.read("conf.yaml")
	d, err := b.Find(id)
	if err == nil {
		err = d.SetFile("conf.yaml", conf+"# mine\n", edit.Hash([]byte(conf)))
	}
	if err != nil {
		t.Fatal(err)
	}
	theirs := strings.NewReplacer("value: 1}", "value: 17}", "'Hello'", "'Theirs'", "title: Two", "title: Second").Replace(testWall)
	b.write("widgets.yaml", theirs)
	want := map[string]int{"all": 3, "fit": 2}
	if got := b.call(409, "apply", id, map[string]any{})["own"]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	b.ops(200, id, Op{Op: "set", Node: two, Key: "value", Value: "22"})
	if got := b.call(200, "state", id, nil)["own"]; !reflect.DeepEqual(got, map[string]int{"all": 4, "fit": 3}) {
		t.Errorf("after another change: got %v", got)
	}
}

// A draft with a conflict can still be changed. The change becomes part of the conflict or of the
// next save. If the draft's change in the conflict is undone, the conflict ends.
func TestChangesDuringAConflict(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	hello, one := nodes(state)["Hello"], nodes(state)["One"]
	b.ops(200, id, Op{Op: "set", Node: hello.ID, Key: "text", Value: "M"})
	b.write("widgets.yaml", "# Theirs.\n"+strings.Replace(testWall, "'Hello'", "'Theirs'", 1)) // the comment moves all widgets by a line
	list := b.call(409, "apply", id, map[string]any{})["conflicts"].([]map[string]any)
	if len(list) != 1 {
		t.Fatalf("conflicts: %v", list)
	}
	b.ops(200, id, Op{Op: "set", Node: hello.ID, Key: "text", Value: "Mine"})
	b.ops(200, id, Op{Op: "set", Node: one.ID, Key: "value", Value: "17"})
	list = b.call(200, "state", id, nil)["conflicts"].([]map[string]any)
	if len(list) != 1 || list[0]["yours"] != "      - {widget: text, text: 'Mine'}\n" {
		t.Fatalf("conflicts: %v", list)
	}
	b.call(200, "undo", id, map[string]any{})
	b.call(200, "redo", id, map[string]any{})
	b.call(200, "resolve", id, map[string]any{"choices": []Choice{{ID: list[0]["id"].(string), Take: "yours"}}})
	b.call(200, "apply", id, map[string]any{})
	if got := b.read("widgets.yaml"); !strings.Contains(got, "'Mine'") || !strings.Contains(got, "value: 17") || !strings.HasPrefix(got, "# Theirs.") {
		t.Errorf("saved:\n%s", got)
	}
	if now := nodes(b.call(200, "state", id, nil)); now["Mine"] == nil || now["Mine"].ID != hello.ID || now["One"].ID != one.ID {
		t.Errorf("the widgets have other ids than before: %+v", now)
	}

	b.ops(200, id, Op{Op: "set", Node: hello.ID, Key: "text", Value: "Other"})
	b.write("widgets.yaml", strings.Replace(b.read("widgets.yaml"), "'Mine'", "'Theirs'", 1))
	b.call(409, "apply", id, map[string]any{})
	b.call(200, "undo", id, map[string]any{})
	if state := b.call(200, "state", id, nil); len(state["conflicts"].([]map[string]any)) > 0 || !strings.Contains(b.text(id), "'Theirs'") {
		t.Errorf("the own change is undone: %v\n%s", state["conflicts"], b.text(id))
	}
}

// Some editors empty a file before they write it. An empty file that is soon written again causes
// no conflict. A file that stays empty causes a conflict.
func TestSaveThatEmptiesFirst(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["Hello"].ID, Key: "text", Value: "Mine"})
	b.write("widgets.yaml", "")
	b.Editor.pause = func(time.Duration) { b.write("widgets.yaml", strings.Replace(testWall, "value: 1}", "value: 12}", 1)) }
	state = b.call(200, "state", id, nil)
	if got := b.text(id); len(state["conflicts"].([]map[string]any)) > 0 || !strings.Contains(got, "value: 12}") || !strings.Contains(got, "'Mine'") {
		t.Errorf("merged: %v\n%s", state["conflicts"], got)
	}
	b.Editor.pause = func(time.Duration) {}
	b.write("widgets.yaml", "")
	if list := b.call(200, "state", id, nil)["conflicts"].([]map[string]any); len(list) != 1 || list[0]["theirs"] != "" {
		t.Errorf("an empty file: %v", list)
	}
}

// text returns the working text of the widgets file in a draft.
func (b *bench) text(id string) string {
	b.t.Helper()
	d, err := b.Find(id)
	if err != nil {
		b.t.Fatal(err)
	}
	f, err := d.File("widgets.yaml")
	if err != nil {
		b.t.Fatal(err)
	}
	return f["text"].(string)
}

// The changes of any save can be reverted, and the files can be set to their state after any save.
func TestVersions(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	for i, word := range []string{"one", "two", "three"} {
		node, key := nodes(state)["Hello"], "text"
		if i == 1 {
			node, key = nodes(state)["Two"], "value"
		}
		if i == 2 {
			node, key = nodes(state)["clock"], "week"
			word = "true"
		}
		state = b.ops(200, id, Op{Op: "set", Node: node.ID, Key: key, Value: word})
		if i == 0 { // the first save also sets a name
			state = b.ops(200, id, Op{Op: "set", Node: node.ID, Key: "name", Value: "greeting"})
		}
		b.call(200, "apply", id, map[string]any{})
	}
	list := b.call(200, "versions", "", nil)["versions"].([]map[string]any)
	if len(list) != 3 || list[0]["n"] != 3 || list[2]["caller"] != "Anna's phone" || list[1]["added"] != 1 {
		t.Fatalf("versions: %v", list)
	}
	b.call(200, "undo-version", "2", map[string]any{})
	got := b.read("widgets.yaml")
	if !strings.Contains(got, "'one'") || !strings.Contains(got, "value: 2}") || !strings.Contains(got, "week: true") {
		t.Errorf("without the second save:\n%s", got)
	}
	b.call(200, "restore", "1", map[string]any{})
	if got = b.read("widgets.yaml"); !strings.Contains(got, "'one'") || strings.Contains(got, "week: true") {
		t.Errorf("as after the first save:\n%s", got)
	}
	b.call(404, "version", "99", nil)
	b.call(409, "restore", "1", map[string]any{})
}

// If there are more than fifty versions, the oldest versions are removed.
func TestVersionsAreBounded(t *testing.T) {
	k := &Versions{dir: t.TempDir()}
	for i := range maxVersions + 20 {
		k.add(&Version{Files: map[string]Sides{"a.yaml": {Before: "x", After: fmt.Sprint(i)}}})
	}
	if n := k.numbers(); len(n) != maxVersions || n[len(n)-1] != maxVersions+20 {
		t.Errorf("%d are kept, the last is %d", len(n), n[len(n)-1])
	}
}

// A draft cannot write secrets.yaml, files outside of the folder, or files that are not YAML. It also cannot write through a link that
// leads out of the folder.
func TestDraftStaysInItsFolder(t *testing.T) {
	b := newBench(t, usual)
	outside := filepath.Join(t.TempDir(), "out.yaml")
	if err := os.WriteFile(outside, []byte("a: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(b.dir, "link.yaml")); err != nil {
		t.Skip(err)
	}
	id, _ := b.open()
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../x.yaml", "/etc/x.yaml", "secrets.yaml", "run.sh", ".hidden.yaml", "a/../../x.yaml", "", "x.yaml\x00"} {
		if err := d.SetFile(name, "a: 1\n", ""); err == nil {
			t.Errorf("%q can be written", name)
		}
	}
	if f, err := d.File("link.yaml"); err == nil {
		if err := d.SetFile("link.yaml", "a: 2\n", f["hash"].(string)); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Apply(nil, "x"); err == nil {
			t.Error("a file behind a link was saved")
		}
	}
	if data, _ := os.ReadFile(outside); string(data) != "a: 1\n" {
		t.Errorf("the file outside has %q", data)
	}
	if err := d.SetFile("big.yaml", strings.Repeat("#", 10<<20), ""); err == nil {
		t.Error("a file of 10 MB was taken")
	}
}

// If the files cannot be written, a draft offers a diff and saves nothing.
func TestReadOnlyFolder(t *testing.T) {
	b := newBench(t, usual)
	b.Foreign = func() string { return "the files come from elsewhere" }
	id, state := b.open()
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["Hello"].ID, Key: "text", Value: "x"})
	b.call(403, "apply", id, map[string]any{})
	b.call(403, "secret", "", SecretToStore{"a", "b"})
	if b.read("widgets.yaml") != testWall || len(b.call(200, "diff", id, nil)["files"].([]linediff.File)) != 1 {
		t.Error("it was saved, or there is no diff")
	}
}

// The value of a stored secret is never sent. It is not in the list of secrets, the list of values, the state of a draft, or the result
// of a test.
func TestSecretsAreNotSent(t *testing.T) {
	const secret = "hunter2hunter2"
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"token": %q, "power": 7}`, r.Header.Get("X-Key"))
	}))
	defer web.Close()
	files := map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall}
	files["providers.yaml"] = "providers:\n  meter:\n    type: rest\n    url: " + web.URL + "\n    headers: {X-Key: !secret key}\n"
	b := newBench(t, files)
	b.call(204, "secret", "", SecretToStore{"key", secret})
	if !strings.Contains(b.read("secrets.yaml"), secret) {
		t.Fatal("it was not stored")
	}
	id, state := b.open()
	got := b.call(200, "test", id, map[string]string{"provider": "meter"})
	if got["works"] != true || got["status"] != 200 || !strings.Contains(got["excerpt"].(string), `"power": 7`) {
		t.Errorf("test: %v", got)
	}
	b.call(404, "test", id, map[string]string{"provider": "none"})
	for _, v := range []any{got, state, b.call(200, "secrets", "", nil), b.call(200, "values", id, nil)} {
		if text, _ := json.Marshal(v); strings.Contains(string(text), secret) {
			t.Errorf("the secret was sent: %s", text)
		}
	}
	web.Close()
	if got := b.call(200, "test", id, map[string]string{"provider": "meter"}); got["works"] != false || got["words"] == "it works" {
		t.Errorf("a source that is gone: %v", got)
	}
}

// An invalid request gets a status below 500, or 503, and a reason.
func TestBadRequests(t *testing.T) {
	thorough.Only(t)
	b := newBench(t, usual)
	id, _ := b.open()
	for verb := range calls {
		for i, body := range []string{"", "[]", "{", `{"x":1}`, `{"ops":[{"op":"set"}]}`, `{"ops":[]}`, `{"ops":[{"op":"move","node":"n2","parent":"n1","index":-5}]}`, "null"} {
			if race.Left(i, 3) {
				continue
			}
			for _, of := range []string{"", id, "none", "-1"} {
				_, err := b.Edit(context.Background(), server.EditCall{Verb: verb, ID: of, Body: []byte(body), Query: map[string][]string{"width": {"1e9"}}})
				if no, is := err.(*server.EditError); err != nil && (!is || no.Status >= 500 && no.Status != 503 || no.Text == "") {
					t.Errorf("%s %q %q: %v", verb, of, body, err)
				}
				if verb == "close" || verb == "apply" {
					id, _ = b.reopen(id)
				}
			}
		}
	}
}

// reopen closes a draft and opens a new one.
func (b *bench) reopen(id string) (string, map[string]any) {
	b.Close(id)
	return b.open()
}

// A keeperOf writes the files of a folder for the editor. It refuses a file whose current bytes differ from the field Before.
type keeperOf struct {
	b    *bench
	why  error
	more func() // called by Save before it compares the files
}

func (k *keeperOf) Save(files []Replaced) error {
	if k.why != nil || len(files) == 0 {
		return k.why
	}
	if k.more != nil {
		k.more()
	}
	for _, f := range files {
		disk, err := os.ReadFile(filepath.Join(k.b.dir, f.Name))
		if err == nil != (f.Before != nil) || string(disk) != string(f.Before) {
			return ErrChanged
		}
	}
	for _, f := range files {
		k.b.write(f.Name, string(f.After))
	}
	return nil
}

// On an appliance, the keeper writes the files. If another program saves at the same moment, its changes are merged. If the draft and the
// other program change the same line, there is a conflict. If the keeper cannot write, the answer contains the reason, and the draft does
// not change.
func TestKeeperSaves(t *testing.T) {
	b := newBench(t, usual)
	keeper := &keeperOf{b: b}
	b.Editor.Keeper = keeper
	id, state := b.open()
	set := func(text string) {
		b.ops(200, id, Op{Op: "set", Node: nodes(state)["Hello"].ID, Key: "text", Value: text})
	}
	set("Mine")
	once := func(text string) func() {
		return func() { keeper.more = nil; b.write("widgets.yaml", text) }
	}
	keeper.more = once(strings.Replace(testWall, "title: One, value: 1", "title: One, value: 11", 1))
	b.call(200, "apply", id, map[string]any{})
	if got := b.read("widgets.yaml"); !strings.Contains(got, "'Mine'") || !strings.Contains(got, "value: 11") || b.reloads != 1 {
		t.Errorf("%d reloads, saved:\n%s", b.reloads, got)
	}
	set("Yours")
	theirs := strings.Replace(b.read("widgets.yaml"), "'Mine'", "'Theirs'", 1)
	keeper.more = once(theirs)
	if got := b.call(409, "apply", id, map[string]any{}); len(got["conflicts"].([]map[string]any)) != 1 || b.read("widgets.yaml") != theirs {
		t.Errorf("the same line: %v, %s", got, b.read("widgets.yaml"))
	}
	b.call(200, "resolve", id, map[string]any{"choices": []Choice{{ID: b.call(200, "state", id, nil)["conflicts"].([]map[string]any)[0]["id"].(string), Take: "yours"}}})
	keeper.why = fmt.Errorf("the card is full")
	if got := b.call(403, "apply", id, map[string]any{}); !strings.HasPrefix(got["error"].(string), "the card is full") || b.read("widgets.yaml") != theirs {
		t.Errorf("full: %v", got)
	}
	if got := b.call(200, "summary", "", nil); got["read_only"] != true || got["why"] != "the card is full" {
		t.Errorf("summary: %v", got)
	}
	keeper.why = nil
	b.call(200, "apply", id, map[string]any{})
	b.call(204, "secret", "", SecretToStore{"key", "hunter2"})
	b.call(204, "secret", "", SecretToStore{"key", "hunter3"})
	if got := b.read("widgets.yaml") + b.read("secrets.yaml"); !strings.Contains(got, "'Yours'") || !strings.Contains(got, "hunter3") {
		t.Errorf("saved:\n%s", got)
	}
	b.call(200, "undo-version", "3", map[string]any{})
	if got := b.read("widgets.yaml"); !strings.Contains(got, "'Theirs'") {
		t.Errorf("after the undo:\n%s", got)
	}
}
