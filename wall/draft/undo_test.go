package draft

import (
	"strings"
	"testing"

	"dashboard/config/edit"
)

// If later saves have changed the same lines, the undo of a save asks which lines stay. The answer contains the lines around each
// conflict. If a conflict has no choice, or if the parameter `check` is set, nothing changes.
func TestUndoAsks(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	before, node := b.read("widgets.yaml"), nodes(state)["Hello"].ID
	for _, word := range []string{"one", "two"} {
		b.ops(200, id, Op{Op: "set", Node: node, Key: "text", Value: word})
		b.call(200, "apply", id, map[string]any{})
	}
	saved := b.read("widgets.yaml")
	list := b.call(409, "undo-version", "1", map[string]any{})["conflicts"].([]map[string]any)
	if len(list) != 1 {
		t.Fatalf("got %d places, want 1: %v", len(list), list)
	}
	one, line := list[0], 0
	for i, l := range strings.Split(saved, "\n") {
		if strings.Contains(l, "'two'") {
			line = i + 1
		}
	}
	around := one["around"].(edit.Context)
	if !strings.Contains(one["yours"].(string), "Hello") || !strings.Contains(one["theirs"].(string), "'two'") || around.Merged.Before == "" || around.Line != line || line == 0 {
		t.Errorf("line %d: got %v", line, one)
	}
	if one["caller"] != "Anna's phone" || one["at"] == "" || one["base_at"] == "" {
		t.Errorf("got %v by %v, after %v", one["at"], one["caller"], one["base_at"])
	}
	take := func(choice Choice, check bool) map[string]any {
		choice.ID = one["id"].(string)
		return b.call(200, "undo-version", "1", map[string]any{"choices": []Choice{choice}, "check": check})
	}
	if got := take(Choice{Take: "text", Text: "    - {widget: nothing}\n"}, true); got["errors"] != 1 || got["words"] == "" {
		t.Errorf("a wrong text: got %v, want an error", got)
	}
	if got := take(Choice{Take: "yours"}, true); got["errors"] != 0 || b.read("widgets.yaml") != saved {
		t.Errorf("the check: got %v and\n%s", got, b.read("widgets.yaml"))
	}
	later := strings.Replace(saved, "'two'", "'three'", 1)
	b.write("widgets.yaml", later)
	choices := map[string]any{"choices": []Choice{{ID: one["id"].(string), Take: "yours"}}}
	if again := b.call(409, "undo-version", "1", choices)["conflicts"].([]map[string]any); b.read("widgets.yaml") != later || again[0]["id"] == one["id"] {
		t.Errorf("a choice for other lines: got %v and\n%s", again, b.read("widgets.yaml"))
	}
	b.write("widgets.yaml", saved)
	take(Choice{Take: "yours"}, false)
	if got := b.read("widgets.yaml"); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
}

// If another program saves a file during the check of an undo, the undo merges the new lines, as the save of a draft does. If the file
// changes in every attempt, the undo is rejected. In both cases, a restore is rejected, because it would replace lines that the person
// has not seen.
func TestSaveDuringACheck(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["Hello"].ID, Key: "text", Value: "one"})
	b.call(200, "apply", id, map[string]any{})
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["Two"].ID, Key: "value", Value: "22"})
	b.call(200, "apply", id, map[string]any{})
	other := strings.NewReplacer()
	b.Foreign = func() string { // a save calls Foreign after the check and before it compares the files
		b.write("widgets.yaml", other.Replace(b.read("widgets.yaml")))
		return ""
	}
	for _, step := range []struct {
		verb        string
		status      int
		other       *strings.Replacer
		has, hasNot string
	}{
		{"restore", 409, strings.NewReplacer("title: One", "title: Uno"), "value: 22", "Hello"},
		{"undo-version", 409, strings.NewReplacer("# first", "# first first"), "first first first first", "Hello"},
		{"undo-version", 200, strings.NewReplacer("title: Two", "title: Dos"), "'Hello'", "title: Two"},
	} {
		other = step.other
		b.call(step.status, step.verb, "1", map[string]any{})
		got := b.read("widgets.yaml")
		if !strings.Contains(got, step.has) || strings.Contains(got, step.hasNot) || !strings.Contains(got, "title: Uno") {
			t.Errorf("%s:\n%s", step.verb, got)
		}
	}
}

// A draft can add a file in a new folder. Undo removes the text of the new file.
func TestNewFile(t *testing.T) {
	b := newBench(t, usual)
	id, _ := b.open()
	d, err := b.Find(id)
	if err == nil {
		err = d.SetFile("rooms/bath.yaml", "a: 1\n", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	b.call(200, "apply", id, map[string]any{})
	if got := b.read("rooms/bath.yaml"); got != "a: 1\n" {
		t.Errorf("saved: got %q", got)
	}
	b.call(200, "undo", id, nil)
	if f, err := d.File("rooms/bath.yaml"); err != nil || f["text"] != "" {
		t.Errorf("after undo: got %v, %v", f, err)
	}
}
