package wall

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dashboard/internal/testing/thorough"
)

// An openDraft contains the fields of a draft's state that these tests read.
type openDraft struct {
	ID       string
	Changes  int
	Revision int
	Tree     struct{ Children []struct{ ID, Hash string } }
}

// draft sends a request about a draft. It returns the draft's state.
func (p site) draft(request, body string, want int) (d openDraft) {
	p.t.Helper()
	a := p.ask(request, []string{"Content-Type", "application/json"}, body)
	if a.status != want || json.Unmarshal([]byte(a.body), &d) != nil {
		p.t.Fatalf("%s: got %d: %s", request, a.status, a.body)
	}
	return d
}

// changedDraft opens a draft of a plain red wall and changes the color to blue.
func (p site) changedDraft() openDraft {
	p.t.Helper()
	p.serves("/edit", http.StatusOK)
	d := p.draft("POST /edit/drafts", "{}", http.StatusCreated)
	n := d.Tree.Children[0]
	ops := `{"ops": [{"op": "set", "node": "` + n.ID + `", "hash": "` + n.Hash + `", "key": "color", "value": "blue"}]}`
	return p.draft("POST /edit/drafts/"+d.ID+"/ops", ops, http.StatusOK)
}

// draftGoesOn checks a draft after a restart. The draft must still contain its change, the ids of its nodes must still be valid, and it
// must be possible to apply the draft.
func (p site) draftGoesOn(before openDraft) {
	p.t.Helper()
	p.serves("/edit", http.StatusOK)
	d := p.draft("GET /edit/drafts/"+before.ID, "", http.StatusOK)
	if d.Changes != before.Changes || d.Revision <= before.Revision {
		p.t.Errorf("got %+v after the restart, want the changes of %+v", d, before)
	}
	if undone := p.draft("POST /edit/drafts/"+d.ID+"/undo", "{}", http.StatusOK); undone.Changes != 0 {
		p.t.Errorf("got %+v after the undo, want no changes", undone)
	}
	p.draft("POST /edit/drafts/"+d.ID+"/redo", "{}", http.StatusOK)
	n := before.Tree.Children[0]
	ops := `{"ops": [{"op": "set", "node": "` + n.ID + `", "hash": "` + n.Hash + `", "key": "grow", "value": "2"}]}`
	p.draft("POST /edit/drafts/"+d.ID+"/ops", ops, http.StatusOK)
	p.draft("POST /edit/drafts/"+d.ID+"/apply", "{}", http.StatusOK)
	data, err := os.ReadFile(filepath.Join(p.dir, "widgets.yaml"))
	if text := string(data); err != nil || !strings.Contains(text, "color: blue") || !strings.Contains(text, "grow: 2") {
		p.t.Errorf("got %s, %v, want the changes before and after the restart", text, err)
	}
}

// storedDrafts returns the files with drafts in a state folder.
func storedDrafts(dir string) []string {
	all, _ := filepath.Glob(filepath.Join(dir, "drafts-*"))
	return all
}

// TestDraftOutlivesRestart ends the program and starts it again. The open draft still exists and has the same id.
func TestDraftOutlivesRestart(t *testing.T) {
	t.Parallel()
	port, kept := freePort(t), t.TempDir()
	at := site{t, t.TempDir(), port}
	wall := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}
	p := startAt(at, wall, "--state-dir", kept)
	d := p.changedDraft()
	p.end()
	stored := storedDrafts(kept)
	if len(stored) != 1 {
		t.Fatalf("got %v, want one file with drafts", stored)
	}
	if info, err := os.Stat(stored[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file that only its owner can read", info, err)
	}
	p = startAt(at, wall, "--state-dir", kept)
	p.draftGoesOn(d)
	p.end()
	if stored = storedDrafts(kept); len(stored) != 0 {
		t.Errorf("the applied draft is still stored: %v", stored)
	}
}

// TestDraftOutlivesKill kills the program after it has stored a draft.
func TestDraftOutlivesKill(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	port, kept := freePort(t), t.TempDir()
	at := site{t, t.TempDir(), port}
	wall := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}
	b := launch(t, port, wall, "--state-dir", kept)
	at.dir = b.dir
	d := b.changedDraft()
	eventually(t, "the draft is stored", func() bool { return len(storedDrafts(kept)) == 1 })
	b.End(syscall.SIGKILL)
	p := startAt(at, wall, "--state-dir", kept)
	p.draftGoesOn(d)
}

// TestDiscardedDraftIsNotKept checks that a discarded draft is not open after a restart.
func TestDiscardedDraftIsNotKept(t *testing.T) {
	t.Parallel()
	port, kept := freePort(t), t.TempDir()
	p := start(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}, "--state-dir", kept)
	d := p.changedDraft()
	eventually(t, "the draft is stored", func() bool { return len(storedDrafts(kept)) == 1 })
	if a := p.ask("DELETE /edit/drafts/"+d.ID, nil, ""); a.status != http.StatusNoContent {
		t.Errorf("got %d: %s", a.status, a.body)
	}
	p.end()
	if stored := storedDrafts(kept); len(stored) != 0 {
		t.Errorf("the discarded draft is still stored: %v", stored)
	}
}

// TestEditAfterRestart restarts the wall of an open editor. The page continues with its draft. If the wall no longer has the draft, the
// page shows a message.
func TestEditAfterRestart(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	port, kept := freePort(t), t.TempDir()
	at := site{t, t.TempDir(), port}
	wall := files{"conf.yaml": editConf(port), "widgets.yaml": "widgets:\n  - {widget: moon, title: Moon}\n"}
	p := startAt(at, wall, "--state-dir", kept)
	p.serves("/edit", http.StatusOK)
	w := walk(t, p, 1280, 800, false)
	w.press("Moon")
	w.write("Title", "Full moon")
	w.saved(1)
	w.until(`(() => { const x = new XMLHttpRequest(); x.open("GET", "drafts/" + sessionStorage.dashboard_draft, false); x.send(); return x.responseText.includes("Full moon") })()`)
	w.press("Apply")
	const lines = "document.querySelector('.apply .card')?.textContent.includes('widgets.yaml')"
	w.until(lines)
	p.end()
	w.run("(performance.clearResourceTimings(), performance.setResourceTimingBufferSize(5000), true)")
	p = startAt(at, wall, "--state-dir", kept)
	p.serves("/edit", http.StatusOK)
	// The page Apply requests the changed lines again, because the restored draft has another revision.
	w.until("performance.getEntriesByType('resource').some((e) => e.responseStatus === 200 && e.name.endsWith('/diff'))")
	w.until(lines)
	w.press("Back")
	w.apply()
	if got, want := p.read("widgets.yaml"), "widgets:\n  - {widget: moon, title: Full moon}\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	w.write("Title", "New moon")
	w.saved(1)
	p.end()
	startAt(at, files{}, "--state-dir", noState)
	w.until("document.querySelector('.gone')?.textContent.includes('deleted your draft')")
}

// If the disk of the state folder is full, the wall logs an error. The drafts that are already stored stay complete, with their undo
// steps.
func TestKeptDraftOnFullDisk(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	port, kept := freePort(t), mount(t)
	wall := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}
	b := launch(t, port, wall, "--state-dir", kept)
	d := b.changedDraft()
	eventually(t, "the draft is stored", func() bool { return len(storedDrafts(kept)) == 1 })
	filler := filepath.Join(kept, "filler")
	fill(t, filler)
	n := d.Tree.Children[0]
	b.draft("POST /edit/drafts/"+d.ID+"/ops", `{"ops": [{"op": "set", "node": "`+n.ID+`", "hash": "`+n.Hash+`", "key": "grow", "value": "2"}]}`, http.StatusOK)
	eventually(t, "the log has the reason", func() bool { return strings.Contains(b.Log.String(), "the drafts of the editor are not kept") })
	b.End(syscall.SIGKILL)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p := startAt(site{t, b.dir, port}, wall, "--state-dir", kept)
	p.serves("/edit", http.StatusOK)
	if got := p.draft("GET /edit/drafts/"+d.ID, "", http.StatusOK); got.Changes != 1 {
		t.Errorf("got %+v, want the stored draft", got)
	}
	if got := p.draft("POST /edit/drafts/"+d.ID+"/undo", "{}", http.StatusOK); got.Changes != 0 {
		t.Errorf("got %+v after the undo, want no changes", got)
	}
}
