package draft

import (
	"strings"
	"testing"
	"time"
)

// The description of a save contains the widgets, sources and keys that the save has changed.
func TestSaveInWords(t *testing.T) {
	const providers = "providers:\n  family: {type: push}\n  meter: {type: push}\n"
	for _, c := range []struct{ file, was, is, want string }{
		{"widgets.yaml", testWall, strings.Replace(testWall, "value: 1}", "value: 11}", 1), "One: value 11"},
		{"widgets.yaml", testWall, strings.Replace(testWall, "title: One, value: 1", "title: Uno, value: 1", 1), "One: title Uno"},
		{"widgets.yaml", strings.Replace(testWall, "One", "école", 1), strings.Replace(testWall, "title: One, value: 1", "title: école, value: 2", 1), "École: value 2"},
		{"widgets.yaml", testWall, strings.Replace(testWall, "value: 1}", "value: !data .meter.power}", 1), "One: value"},
		{"widgets.yaml", testWall, testWall + "          - {widget: agenda, days: 3}\n", "New Calendar"},
		{"widgets.yaml", testWall, strings.Replace(testWall, "          - {widget: card, title: Two, value: 2}\n", "", 1), "Removed Two"},
		{"widgets.yaml", testWall, "theme: calm\n" + testWall, "Changed the theme"},
		{"widgets.yaml", testWall, "# Mine.\n" + testWall, "widgets.yaml"},
		{"providers.yaml", providers, providers + "  solar: {type: push}\n", "New source solar"},
		{"providers.yaml", providers, strings.Replace(providers, "  meter: {type: push}\n", "", 1), "Removed source meter"},
		{"conf.yaml", testConf, strings.NewReplacer("en-GB", "de-DE", "UTC", "Europe/Berlin", "800", "801").Replace(testConf) + "x: 1\n", "Locale, timezone, graphics, 1 more"},
	} {
		v := Version{Files: map[string]Sides{c.file: {Before: c.was, After: c.is}}}
		if got := v.summary(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A save by another program is listed with the modification time of its file. The list also contains the size of all versions.
func TestSavesOfOtherPrograms(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["Two"].ID, Key: "value", Value: "3"})
	b.call(200, "apply", id, map[string]any{})
	b.write("widgets.yaml", strings.Replace(b.read("widgets.yaml"), "value: 1}", "value: 7}", 1))
	for range 2 {
		got := b.call(200, "versions", "", nil)
		list := got["versions"].([]map[string]any)
		if len(list) != 2 || list[0]["caller"] != otherProgram || list[0]["words"] != "One: value 7" || list[1]["words"] != "Two: value 3" {
			t.Fatalf("versions: %v", list)
		}
		if at, err := time.Parse(time.RFC3339, list[0]["time"].(string)); err != nil || at.IsZero() {
			t.Errorf("the time of the file: %v", list[0]["time"])
		}
		if size := got["size"].(int64); size < 100 || size > 10_000 || got["most"] != maxVersionBytes {
			t.Errorf("the size: %v of %v", size, got["most"])
		}
	}
	b.call(200, "undo-version", "2", map[string]any{})
	if got := b.read("widgets.yaml"); !strings.Contains(got, "value: 1}") || !strings.Contains(got, "value: 3}") {
		t.Errorf("without the save of the other program:\n%s", got)
	}
}

// A conflict contains the name of the device that has saved the file. The result of choices can be checked before the draft is changed.
func TestWhoIsInAConflict(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	theirs, other := b.open()
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["clock"].ID, Key: "seconds", Value: "none"})
	b.pass(time.Minute)
	b.ops(200, theirs, Op{Op: "set", Node: nodes(other)["clock"].ID, Key: "seconds", Value: "full"})
	b.call(200, "apply", theirs, map[string]any{})
	list := b.call(200, "state", id, nil)["conflicts"].([]map[string]any)
	if len(list) != 1 || list[0]["caller"] != "Anna's phone" || list[0]["at"] != "2026-05-04T10:09:00Z" || list[0]["own_at"] != "2026-05-04T10:08:00Z" || list[0]["base_at"] == "" {
		t.Fatalf("conflicts: %v", list)
	}
	check := func(c Choice) map[string]any {
		c.ID = list[0]["id"].(string)
		return b.call(200, "resolve", id, map[string]any{"choices": []Choice{c}, "check": true})
	}
	if got := check(Choice{Take: "theirs"}); got["errors"] != 0 || got["id"] != nil {
		t.Errorf("theirs: %v", got)
	}
	if got := check(Choice{Take: "text", Text: "        seconds: maybe\n"}); got["errors"] != 1 || !strings.Contains(got["words"].(string), "seconds") {
		t.Errorf("a wrong word: %v", got)
	}
	if state := b.call(200, "state", id, nil); len(state["conflicts"].([]map[string]any)) != 1 {
		t.Error("the check has resolved the conflict")
	}
	b.write("widgets.yaml", strings.Replace(testWall, "seconds: raised", "seconds: step", 1))
	if list = b.call(200, "state", id, nil)["conflicts"].([]map[string]any); len(list) != 1 || list[0]["caller"] != otherProgram || list[0]["at"] == "" {
		t.Errorf("a save by another program: %v", list)
	}
}
