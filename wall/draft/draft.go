package draft

import (
	"maps"
	"slices"
	"sync"
	"time"

	"dashboard/config/edit"
)

// maxSteps bounds the steps that can be undone.
const maxSteps = 200

// A Draft is a changed copy of a configuration for one view.
type Draft struct {
	ID, View string
	editor   *Editor
	size     int64 // bytes of the budget
	writable bool
	only     string    // the widgets file, "" for the view's
	frozen   time.Time // the moment of the pictures, zero for the clock
	used     time.Time // guarded by the editor

	mu        sync.Mutex // guards what follows
	files     map[string]*file
	revision  int
	undo      []step
	redo      []step
	saved     int                // steps of undo when the files were saved
	joins     string             // what joins the next request to the last step, "" for nothing
	nodes     map[string]nodeKey // by id
	lastID    int
	drawn     drawn
	conflicts *conflicts
}

// A step are edits of files that undo or redo something. The spans count in the files at the moment when the step is next.
type step map[string][]edit.Edit

// Changes returns the number of steps since the files were read.
func (t *Draft) Changes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changes()
}

// changes is the number of steps since the files were read or saved.
func (t *Draft) changes() int {
	same := true
	for _, f := range t.files {
		same = same && !f.changed()
	}
	if same {
		return 0
	}
	return max(1, len(t.undo)-t.saved, t.saved-len(t.undo))
}

// Idle returns the time since the last request.
func (t *Draft) Idle() time.Duration {
	t.editor.mu.Lock()
	defer t.editor.mu.Unlock()
	return t.editor.Now().Sub(t.used)
}

// commit makes the changes of one request: new bytes of files with the edits that lead there. They extend the last step if that
// has the same joins.
func (t *Draft) commit(next map[string]*change, joins string) {
	back := step{}
	if n := len(t.undo); joins != "" && joins == t.joins && n > 0 {
		back, t.undo = t.undo[n-1], t.undo[:n-1]
	}
	t.joins = joins
	for name, c := range next {
		f := t.files[name]
		if f == nil {
			f = newFile(name, nil, false)
			t.files[name] = f
		}
		inverse := edit.Inverse(f.work, c.edits)
		t.apply(f, c.edits)
		back[name] = edit.Compose(len(f.work), inverse, back[name])
	}
	t.undo = append(t.undo, back)
	if len(t.undo) > maxSteps {
		t.undo = slices.Delete(t.undo, 0, 1)
		t.saved--
	}
	t.redo = nil
	t.touch()
}

// apply changes a file by edits of its working bytes.
func (t *Draft) apply(f *file, edits []edit.Edit) {
	data := edit.Apply(f.work, edits)
	t.follow(f, edits)
	f.set(data, edit.Compose(len(f.base), f.edits, edits))
}

// touch notes that the draft has changed.
func (t *Draft) touch() {
	t.revision++
	t.editor.events.send(event{"draft", map[string]any{"id": t.ID, "revision": t.revision}})
}

// Undo takes back the last step.
func (t *Draft) Undo() error { return t.back(&t.undo, &t.redo, "nothing is left to undo") }

// Redo repeats the step that was undone last.
func (t *Draft) Redo() error { return t.back(&t.redo, &t.undo, "nothing is left to do again") }

func (t *Draft) back(from, to *[]step, none string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(*from)
	if n == 0 {
		return fail(409, "%s", none)
	}
	t.joins = ""
	last := (*from)[n-1]
	*from = (*from)[:n-1]
	other := step{}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		f := t.files[name]
		other[name] = edit.Inverse(f.work, last[name])
		t.apply(f, last[name])
	}
	*to = append(*to, other)
	t.touch()
	return nil
}

// rebase moves all steps over edits of a file that came from elsewhere. Steps that overlap with these are dropped, with all that lie below.
func (t *Draft) rebase(name string, theirs []edit.Edit, before []byte) {
	for _, list := range []*[]step{&t.undo, &t.redo} {
		over, data := theirs, before
		for i := len(*list) - 1; i >= 0; i-- {
			mine, ok := (*list)[i][name]
			if !ok {
				continue
			}
			moved, ok := edit.Rebase(mine, over)
			next, ok2 := edit.Rebase(over, mine)
			if !ok || !ok2 {
				*list = slices.Clone((*list)[i+1:])
				break
			}
			(*list)[i][name] = moved
			over, data = next, edit.Apply(data, mine)
		}
	}
}

// release gives back the memory of a draft that is closed.
func (t *Draft) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drawn = drawn{}
	t.files, t.undo, t.redo, t.nodes = nil, nil, nil, nil
}

// open reports whether the draft is still open. The lock must be held.
func (t *Draft) open() bool { return t.files != nil }
