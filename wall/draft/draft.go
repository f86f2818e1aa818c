package draft

import (
	"maps"
	"slices"
	"sync"
	"time"

	"dashboard/config/edit"
)

// maxSteps is the maximum number of steps that can be undone.
const maxSteps = 200

// A Draft is a changed copy of a configuration. Its pictures show one view.
type Draft struct {
	ID, View string
	editor   *Editor
	size     int64 // bytes reserved in the memory budget
	writable bool
	only     string    // name of the widgets file to draw, or "" for the file of the view
	frozen   time.Time // fixed time that the pictures show, or zero for the current time
	used     time.Time // time of the last request, guarded by the editor

	mu        sync.Mutex // guards the fields below
	files     map[string]*file
	revision  int
	undo      []step
	redo      []step
	saved     int                // number of undo steps at the last save
	joins     string             // name of the last step, or "". A request with the same name is added to this step
	nodes     map[string]nodeKey // positions of the nodes, by the nodes' ids
	lastID    int
	drawn     drawn
	conflicts *conflicts
	changed   time.Time // time of the last change of this draft
	found     *link     // link that the last test of a provider has found, or nil
	tried     []tried   // values that tests have returned, oldest first
}

// A step contains the edits that undo or redo a change, by file name. The positions of the edits are valid at the time when the step is
// applied.
type step map[string][]edit.Edit

// Changes returns the number of undo steps between the files on the disk and the draft.
func (t *Draft) Changes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changes()
}

// changes() returns the number of undo steps between the files on the disk and the draft: 0 if they are equal, otherwise at least 1.
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

// Idle returns the time since the last request to the draft.
func (t *Draft) Idle() time.Duration {
	t.editor.mu.Lock()
	defer t.editor.mu.Unlock()
	return t.editor.Now().Sub(t.used)
}

// commit applies the changes of one request as an undo step. The map `next` contains the changed files. If `joins` is not "" and equals the
// name of the last step, commit adds the changes to that step.
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
	t.redo, t.changed = nil, t.editor.Now()
	t.compareAgain()
	t.touch()
}

// apply applies edits to the working text of a file.
func (t *Draft) apply(f *file, edits []edit.Edit) {
	t.replace(f, edits, edit.Apply(f.work, edits), edit.Compose(len(f.base), f.edits, edits))
}

// touch increments the revision and sends an event to the open pages.
func (t *Draft) touch() {
	t.revision++
	t.editor.keepSoon()
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
	t.compareAgain()
	t.touch()
	return nil
}

// rebase moves the positions of all steps after another program has edited a file. If a step overlaps these edits, rebase removes this
// step and the steps before it from the list of undo or redo steps.
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

// release frees the memory of a closed draft.
func (t *Draft) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drawn = drawn{}
	t.files, t.undo, t.redo, t.nodes, t.tried = nil, nil, nil, nil, nil
}

// open() reports whether the draft is still open. The caller must hold the lock.
func (t *Draft) open() bool { return t.files != nil }
