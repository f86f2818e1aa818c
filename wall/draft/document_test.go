package draft

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// A second document in a file is an error with its line. It locks the file for operations, also if it comes from the disk, and text mode
// keeps all of its lines.
func TestSecondDocument(t *testing.T) {
	const more = "---\nwidgets:\n  - {widget: moon, title: Kept}\n"
	const reason = "a second document begins here"
	for name, onDisk := range map[string]bool{"in text mode": false, "on disk": true} {
		files := map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall, "secrets.yaml": "a: 1\n"}
		if onDisk {
			files["widgets.yaml"], files["secrets.yaml"] = testWall+more, "a: 1\n---\nb: 2\n"
		}
		b := newBench(t, files)
		id, state := b.open()
		if !onDisk {
			first := b.shot(id)
			b.setFile(id, "widgets.yaml", testWall+more)
			b.ops(200, id, Op{Op: "scale", Value: "1.2"})
			if bytes.Equal(first, b.shot(id)) {
				t.Error("the picture does not show the change of another file")
			}
			state = b.call(200, "state", id, nil)
		}
		line := 1 + strings.Count(testWall, "\n")
		if p := state["problems"].([]Problem); len(p) != 1 || p[0].Line != line || p[0].Severity != "error" || !strings.Contains(p[0].Text, reason) {
			t.Errorf("%s: got the problems %+v", name, p)
		}
		for title, n := range nodes(state) {
			if n.Locked != line {
				t.Errorf("%s: %s has the lock %d", name, title, n.Locked)
			}
			if got := b.ops(422, id, Op{Op: "set", Node: n.ID, Key: "title", Value: "No"}); !strings.Contains(got["error"].(string), reason) {
				t.Errorf("%s: refused with %v", name, got["error"])
			}
		}
		b.call(422, "apply", id, map[string]any{})
		if got := b.text(id); got != testWall+more {
			t.Errorf("%s: got\n%s", name, got)
		}
		if onDisk {
			b.call(422, "secret", "", SecretToStore{"b", "3"})
			if got := b.read("secrets.yaml"); got != files["secrets.yaml"] {
				t.Errorf("secrets.yaml is now %q", got)
			}
			b.setFile(id, "widgets.yaml", testWall+strings.Replace(more, "---\nwidgets:\n", "# ", 1))
		} else {
			b.setFile(id, "widgets.yaml", testWall)
		}
		state = b.call(200, "state", id, nil)
		if p := state["problems"].([]Problem); len(p) > 0 || nodes(state)["Two"] == nil || nodes(state)["Two"].Locked > 0 {
			t.Errorf("%s: after the correction: %+v", name, p)
		}
	}
}

// If another program adds a second document to a file, the draft keeps its own changes. It cannot be applied until the document is removed.
func TestSecondDocumentOnDisk(t *testing.T) {
	b := newBench(t, usual)
	id, state := b.open()
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["Hello"].ID, Key: "text", Value: "Second"})
	disk, want := testWall+"---\nmore: 1\n", strings.Replace(testWall, "'Hello'", "Second", 1)
	b.write("widgets.yaml", disk)
	state = b.call(200, "state", id, nil)
	if c := fmt.Sprint(state["conflicts"]); !strings.Contains(c, "theirs:"+disk) {
		t.Errorf("the conflict does not show the file on the disk: %s", c)
	}
	b.call(409, "apply", id, map[string]any{})
	if got := b.read("widgets.yaml"); got != disk {
		t.Errorf("the file is now\n%s", got)
	}
	b.write("widgets.yaml", "# corrected\n"+testWall)
	b.call(200, "apply", id, map[string]any{})
	if got := b.read("widgets.yaml"); strings.ReplaceAll(got, "'", "") != "# corrected\n"+want {
		t.Errorf("applied\n%s", got)
	}
}
