package draft

import (
	"slices"

	"dashboard/config/edit"
)

const (
	// maxKeptSteps is the maximum size of the stored undo and redo steps of a draft, in bytes. The newest undo steps are stored first.
	maxKeptSteps = 256 << 10
	// editBytes is the size of an edit without its text, in bytes.
	editBytes = 64
)

// size returns the approximate size of a step in bytes.
func (s step) size() (n int) {
	for name, edits := range s {
		for _, e := range edits {
			n += len(name) + len(e.Text) + editBytes
		}
	}
	return n
}

// newestSteps returns copies of the newest steps of a list that have at most `room` bytes together. `left` is the unused part of `room`.
func newestSteps(list []step, room int) (newest []step, left int) {
	first := len(list)
	for ; first > 0 && list[first-1].size() <= room; first-- {
		room -= list[first-1].size()
	}
	for _, s := range list[first:] {
		one := step{}
		for name, edits := range s {
			one[name] = slices.Clone(edits)
		}
		newest = append(newest, one)
	}
	return newest, room
}

// keepSteps adds the newest steps of t to the stored draft.
func (k *keptDraft) keepSteps(t *Draft) {
	undo, left := newestSteps(t.undo, maxKeptSteps)
	k.Saved = t.saved - len(t.undo) + len(undo)
	k.Undo = undo
	k.Redo, _ = newestSteps(t.redo, left)
}

// dropSteps removes the steps of the stored draft.
func (k *keptDraft) dropSteps() {
	k.Saved -= len(k.Undo)
	k.Undo, k.Redo = nil, nil
}

// restoreSteps sets the steps of a restored draft. If a step does not fit the texts of the files, for example because the stored data
// are damaged, the draft has no steps.
func (t *Draft) restoreSteps(k keptDraft) {
	if !t.follows(k.Undo) || !t.follows(k.Redo) {
		k.dropSteps()
	}
	t.undo, t.redo, t.saved = k.Undo, k.Redo, k.Saved
}

// follows() reports whether `steps` can be applied to the files, beginning with the last step.
func (t *Draft) follows(steps []step) bool {
	texts := map[string][]byte{}
	for name, f := range t.files {
		texts[name] = f.work
	}
	for _, s := range slices.Backward(steps) {
		for name, edits := range s {
			if t.files[name] == nil || !fits(texts[name], edits) {
				return false
			}
			texts[name] = edit.Apply(texts[name], edits)
		}
	}
	return len(steps) <= maxSteps
}

// fits() reports whether edits are sorted, do not overlap, and are inside of a text.
func fits(text []byte, edits []edit.Edit) bool {
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return false
		}
		at = e.End
	}
	return true
}
