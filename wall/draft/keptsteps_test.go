package draft

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"dashboard/config/edit"
	"dashboard/internal/state"
	"dashboard/internal/testing/thorough"
)

// keeps() makes the editor store its drafts.
func (b *bench) keeps() {
	b.t.Helper()
	store, err := state.Open(b.t.TempDir())
	if err != nil {
		b.t.Fatal(err)
	}
	b.Store, b.Home = store, b.dir
}

// restart ends the editor and starts another editor with the same state folder.
func (b *bench) restart() {
	b.End()
	b.Editor = NewEditor(b.Parts)
	b.Reopen()
}

// says() sets the text of a widget.
func (b *bench) says(id, node, text string) {
	b.t.Helper()
	b.ops(200, id, Op{Op: "set", Node: node, Key: "text", Value: text})
}

// After a restart, all steps can be undone and repeated, even if some steps were undone before the restart. The number of changes since
// the last save is the same.
func TestStepsOutliveRestart(t *testing.T) {
	b := newBench(t, usual)
	b.keeps()
	id, state := b.open()
	texts := []string{b.text(id)}
	for _, text := range []string{"wört", "wärt", "three", "four"} { // the second edit begins inside a character
		b.says(id, nodes(state)["Hello"].ID, text)
		texts = append(texts, b.text(id))
		if text == "wärt" {
			b.call(200, "apply", id, map[string]any{})
		}
	}
	b.call(200, "undo", id, nil)
	step := func(verb string, left int) {
		t.Helper()
		before := fmt.Sprint(b.call(200, "state", id, nil)["changes"])
		b.restart()
		if after := fmt.Sprint(b.call(200, "state", id, nil)["changes"]); after != before {
			t.Errorf("%s %d: %s changes after the restart, want %s", verb, left, after, before)
		}
		b.call(200, verb, id, nil)
		if got := b.text(id); got != texts[left] {
			t.Fatalf("%s: got\n%s\nwant\n%s", verb, got, texts[left])
		}
	}
	b.call(200, "undo", id, nil)
	b.call(200, "undo", id, nil) // the draft is now one step before the save
	step("undo", 0)
	step("redo", 1)
	b.call(200, "redo", id, nil)
	b.call(200, "redo", id, nil)
	step("redo", 4)
	b.call(409, "redo", id, nil)
	step("undo", 3)
}

// A restart opens no draft of a view that was removed while the program did not run.
func TestDraftOfRemovedView(t *testing.T) {
	b := newBench(t, usual)
	b.keeps()
	views := []string{"main", "hall"}
	b.Views = func() []string { return views }
	id, state := b.open()
	b.says(id, nodes(state)["Hello"].ID, "main")
	other := b.call(201, "open", "", map[string]any{"view": "hall"})
	b.says(other["id"].(string), nodes(other)["Hello"].ID, "hall")
	b.restart()
	if n := len(b.List()); n != 2 {
		t.Fatalf("got %d drafts after a restart, want 2", n)
	}
	views = []string{"main"}
	b.restart()
	if all := b.List(); len(all) != 1 || all[0].ID != id {
		t.Errorf("got %v without the view hall, want only the draft %s", all, id)
	}
}

// Only the newest steps are stored, so that the stored drafts are small.
func TestNewestSteps(t *testing.T) {
	big := func(n int) step { return step{"a": {{Text: make([]byte, n)}}} }
	draft := &Draft{undo: []step{big(maxKeptSteps / 4), big(maxKeptSteps / 2), big(maxKeptSteps / 4)}, redo: []step{big(maxKeptSteps / 2), big(1)}, saved: 1}
	var k keptDraft
	k.keepSteps(draft)
	if len(k.Undo) != 2 || len(k.Redo) != 1 || k.Saved != 0 {
		t.Errorf("got %d and %d steps, %d saved", len(k.Undo), len(k.Redo), k.Saved)
	}
	if k.dropSteps(); k.Undo != nil || k.Redo != nil || k.Saved != -2 {
		t.Errorf("got %d and %d steps, %d saved", len(k.Undo), len(k.Redo), k.Saved)
	}
}

// keptWith restarts the editor with a changed list of stored drafts.
func (b *bench) keptWith(change func(k *keptDraft)) {
	b.t.Helper()
	b.End()
	data, _ := b.Store.Load(keptKind, b.Home)
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	var list []keptDraft
	if err != nil || json.Unmarshal(text, &list) != nil || len(list) != 1 {
		b.t.Fatalf("%v in %s", err, text)
	}
	change(&list[0])
	if data, err = packed(list); err != nil || b.Store.Save(keptKind, b.Home, data) != nil {
		b.t.Fatal(err)
	}
	b.Editor = NewEditor(b.Parts)
	b.Reopen()
}

// If the steps do not fit the files, for example because they are from another draft, the draft is opened without steps.
func TestStepsOfAnotherDraft(t *testing.T) {
	for name, other := range map[string]step{
		"another file": {"other.yaml": {{Text: []byte("x")}}},
		"too long":     {"widgets.yaml": {{Span: edit.Span{Start: 0, End: 1 << 20}}}},
		"negative":     {"widgets.yaml": {{Span: edit.Span{Start: -1, End: 1}}}},
		"backward":     {"widgets.yaml": {{Span: edit.Span{Start: 9, End: 8}}}},
		"overlap":      {"widgets.yaml": {{Span: edit.Span{Start: 3, End: 8}}, {Span: edit.Span{Start: 7, End: 9}}}},
	} {
		for _, redo := range []bool{false, true} {
			b := newBench(t, usual)
			b.keeps()
			id, state := b.open()
			b.says(id, nodes(state)["Hello"].ID, "one")
			want := b.text(id)
			b.keptWith(func(k *keptDraft) {
				if redo {
					k.Redo = []step{other}
				} else {
					k.Undo, k.Saved = append([]step{other}, k.Undo...), k.Saved+1
				}
			})
			got := b.call(200, "state", id, nil)
			if b.text(id) != want || got["can_undo"] != false || got["can_redo"] != false || fmt.Sprint(got["changes"]) != "1" {
				t.Errorf("%s, redo %v: undo %v, redo %v, %v changes\n%s", name, redo, got["can_undo"], got["can_redo"], got["changes"], b.text(id))
			}
		}
	}
}

// If a byte of the stored drafts is damaged or the end is missing, the editor starts without drafts, or with the draft from before the
// restart.
func TestDamagedSteps(t *testing.T) {
	thorough.Only(t)
	b := newBench(t, usual)
	b.keeps()
	id, state := b.open()
	b.says(id, nodes(state)["Hello"].ID, "one")
	b.says(id, nodes(state)["Hello"].ID, "two")
	want := b.text(id)
	b.End()
	whole, _ := b.Store.Load(keptKind, b.Home)
	try := func(data []byte) {
		t.Helper()
		if err := b.Store.Save(keptKind, b.Home, data); err != nil {
			t.Fatal(err)
		}
		b.Editor = NewEditor(b.Parts)
		b.Reopen()
		for _, one := range b.List() {
			if text := b.text(id); one.ID != id || text != want {
				t.Errorf("got another draft:\n%s", text)
			}
		}
		b.Editor.Close(id)
		b.End()
	}
	for i := range whole {
		data := bytes.Clone(whole)
		data[i] ^= 0x10
		try(data)
		try(whole[:i])
	}
	if log := b.log.String(); !strings.Contains(log, "cannot be read") {
		t.Errorf("logged %s", log)
	}
}
