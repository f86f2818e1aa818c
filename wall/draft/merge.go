package draft

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"dashboard/config/edit"
	"dashboard/internal/folder"
)

// conflicts contains the parts of files that the draft and another program have changed in different ways.
type conflicts struct {
	all map[string]*clash // files with conflicts, by name
}

// A clash contains the conflicts in one file.
type clash struct {
	disk []byte
	work []byte // working text of the draft: the field base after the edits in the field own
	base *edit.Document
	own  []edit.Edit
	them []edit.Edit
	list []edit.Conflict

	caller string    // name of the device that has saved the file on the disk, or otherProgram
	at     time.Time // time of this save, or zero if it is unknown
}

const (
	// emptyTries is the maximum number of times that an empty file is read. emptyPause is the pause between two reads.
	emptyTries = 5
	emptyPause = 20 * time.Millisecond
)

// onDisk reads the current content of a file in the folder. If the file is missing, the second result is false. An empty file is read
// again after a pause, because many editors empty a file before they write it.
func (t *Draft) onDisk(name string) (data []byte, there bool, err error) {
	for range emptyTries {
		data, err = folder.Read(t.editor.Folder().Open(), name, edit.MaxBytes)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, false, nil
		}
		if err != nil || len(data) > 0 {
			break
		}
		t.editor.pause(emptyPause)
	}
	return data, err == nil, err
}

// document parses a file. If the file is not valid YAML, the returned document contains only its text.
func document(name string, data []byte) *edit.Document {
	if d, err := edit.Parse(name, data); err == nil {
		return d
	}
	return edit.Plain(name, data)
}

// sync merges into the draft the files that other programs have saved. If the draft and another program have changed the same part in
// different ways, sync records a conflict. `changed` is true if the draft has changed.
func (t *Draft) sync() (changed bool, err error) {
	names := slices.Sorted(maps.Keys(t.files))
	for _, name := range names {
		f := t.files[name]
		disk, there, err := t.onDisk(name)
		if err != nil {
			return changed, fail(503, "%s cannot be read: %v", name, err)
		}
		if bytes.Equal(disk, f.base) {
			f.there = there
			continue
		}
		if c := t.clashOf(name); c != nil && bytes.Equal(c.disk, disk) {
			continue
		}
		t.merge(f, disk, there)
		changed = true
	}
	if changed {
		t.joins = "" // the last step may have other positions now or may be removed
		t.touch()
	}
	return changed, nil
}

// compareAgain updates the conflicts after a change of the draft, because they would otherwise contain old text of the draft.
func (t *Draft) compareAgain() {
	if t.conflicts == nil {
		return
	}
	for name, c := range maps.Clone(t.conflicts.all) {
		if f := t.files[name]; !bytes.Equal(c.work, f.work) {
			t.merge(f, c.disk, true)
			t.joins = ""
		}
	}
}

func (t *Draft) clashOf(name string) *clash {
	if t.conflicts == nil {
		return nil
	}
	return t.conflicts.all[name]
}

// merge merges the content of a file on the disk into the draft, or records the conflicts. The parameter `there` is true if the file
// exists.
func (t *Draft) merge(f *file, disk []byte, there bool) {
	base := document(f.name, f.base)
	theirs := edit.Diff(base, disk)
	merged, list := edit.Merge(base, f.edits, theirs)
	if merged == nil {
		if t.conflicts == nil {
			t.conflicts = &conflicts{all: map[string]*clash{}}
		}
		c := &clash{disk: disk, work: f.work, base: base, own: f.edits, them: theirs, list: list}
		c.caller, c.at = t.editor.whoSaved(f.name, disk)
		t.conflicts.all[f.name] = c
		return
	}
	t.settled(f.name)
	moved, ok := edit.Rebase(theirs, f.edits)
	own, ok2 := edit.Rebase(f.edits, theirs)
	if !ok || !ok2 {
		t.restart(f, disk, merged)
		return
	}
	t.rebase(f.name, moved, f.work)
	f.base, f.there = disk, there
	_, f.at = t.editor.whoSaved(f.name, disk)
	t.replace(f, moved, merged, own)
}

// restart sets the working text of a file to `merged`, and removes all undo and redo steps.
func (t *Draft) restart(f *file, disk, merged []byte) {
	f.base, f.there = disk, true
	t.replace(f, edit.Diff(document(f.name, f.work), merged), merged, edit.Diff(document(f.name, disk), merged))
	t.undo, t.redo = nil, nil
}

// settled() removes the conflicts in a file.
func (t *Draft) settled(name string) {
	if t.conflicts == nil {
		return
	}
	delete(t.conflicts.all, name)
	if len(t.conflicts.all) == 0 {
		t.conflicts = nil
	}
}

// A Choice resolves a conflict.
type Choice struct {
	ID   string `json:"id"`
	Take string `json:"take"` // text to use: "yours" (in the draft), "theirs" (on the disk) or "text" (the field Text)
	Text string `json:"text"`
}

// conflictID returns the id of a conflict in a file. If another program changes the lines again, the id changes, because a person's choice
// was between the earlier texts.
func conflictID(name string, c edit.Conflict) string {
	return fmt.Sprintf("%s:%d:%08x", name, c.Line, crc32.ChecksumIEEE([]byte(c.Theirs)))
}

// fieldsOf returns the fields of a conflict for the page.
func fieldsOf(name string, c edit.Conflict) map[string]any {
	id := conflictID(name, c)
	return map[string]any{"id": id, "file": name, "line": c.Line, "base": c.Base, "yours": c.Yours, "theirs": c.Theirs}
}

// conflictList returns the fields of all conflicts for the page.
func (t *Draft) conflictList() []map[string]any {
	list := []map[string]any{}
	if t.conflicts == nil {
		return list
	}
	for _, name := range slices.Sorted(maps.Keys(t.conflicts.all)) {
		list = append(list, t.conflicts.all[name].places(name, map[string]any{"own_at": moment(t.changed), "base_at": moment(t.files[name].at)})...)
	}
	return list
}

// places describes those conflicts in the file `name` that need a choice. Each description also contains the fields in
// `more`.
func (c *clash) places(name string, more map[string]any) (list []map[string]any) {
	for k, one := range c.list {
		if one.Yours == one.Theirs {
			continue
		}
		f := fieldsOf(name, one)
		maps.Copy(f, more)
		f["around"] = c.base.Around(c.list, k, linesAround, c.own, c.them)
		f["caller"], f["at"] = c.caller, moment(c.at)
		list = append(list, f)
	}
	return list
}

// settle returns the merged text with the chosen texts. If a conflict has no choice, it returns nil.
func (c *clash) settle(name string, by map[string]Choice) ([]byte, error) {
	texts, ok := texts(name, c, by)
	if !ok {
		return nil, nil
	}
	data, err := edit.Settle(c.base, c.own, c.them, c.list, texts)
	if err != nil {
		return nil, fail(422, "%s: the chosen texts do not fit together: edit it as text", name)
	}
	return data, nil
}

// byID returns a map of the choices, by their ids.
func byID(choices []Choice) map[string]Choice {
	by := map[string]Choice{}
	for _, c := range choices {
		by[c.ID] = c
	}
	return by
}

// linesAround is the maximum number of lines that the page shows before and after a conflict, like in a unified diff.
const linesAround = 3

// moment returns a time as text for an answer. For the zero time it returns "".
func moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

const (
	// maxMerged is the maximum number of lines in mergedList.
	maxMerged = 20
	// maxMergedText is the maximum length of the text of a line in mergedList, in bytes.
	maxMergedText = 120
)

// mergedList returns the lines that only the draft or only the other program has changed, in files with conflicts. These lines need no
// choice.
func (t *Draft) mergedList() []map[string]any {
	list := []map[string]any{}
	if t.conflicts == nil {
		return list
	}
	for _, name := range slices.Sorted(maps.Keys(t.conflicts.all)) {
		c := t.conflicts.all[name]
		for side, edits := range sides(c) {
			for _, e := range edits {
				inside := func(one edit.Conflict) bool { return one.Contains(e.Span) }
				if slices.ContainsFunc(c.list, inside) || len(list) >= maxMerged {
					continue
				}
				at, text := c.base.Line(e.Start), lineAfter(c.base.Bytes, e)
				list = append(list, map[string]any{"file": name, "line": at, "text": text, "side": side})
			}
		}
	}
	return list
}

// own() counts the edits of the draft: "all" is the number of all edits, and "fit" is the number of edits that need no choice.
func (t *Draft) own() map[string]int {
	all, fit := 0, 0
	for name, f := range t.files {
		c := t.clashOf(name)
		for _, e := range f.edits {
			all++
			asks := func(one edit.Conflict) bool { return one.Yours != one.Theirs && one.Contains(e.Span) }
			if c == nil || !slices.ContainsFunc(c.list, asks) {
				fit++
			}
		}
	}
	return map[string]int{"all": all, "fit": fit}
}

// sides returns an iterator over the two sides of a clash: first "yours" with the draft's edits, then "theirs" with the other program's
// edits on the disk.
func sides(c *clash) func(func(string, []edit.Edit) bool) {
	return func(yield func(string, []edit.Edit) bool) {
		_ = yield("yours", c.own) && yield("theirs", c.them)
	}
}

// lineAfter returns the first line with text that an edit inserts or changes. If the edit only
// removes lines, it returns the first removed line.
func lineAfter(base []byte, e edit.Edit) string {
	start, end := bytes.LastIndexByte(base[:e.Start], '\n')+1, len(base)
	if i := bytes.IndexByte(base[e.End:], '\n'); i >= 0 {
		end = e.End + i
	}
	if len(e.Text) == 0 && bytes.ContainsRune(base[e.Start:e.End], '\n') {
		return firstLine(base[start:e.End])
	}
	return firstLine(slices.Concat(base[start:e.Start], e.Text, base[e.End:end]))
}

// firstLine returns the first line that is not blank, without the spaces around it. The line is cut to maxMergedText.
func firstLine(text []byte) string {
	first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	first = bytes.TrimSpace(first)
	return strings.ToValidUTF8(string(first[:min(len(first), maxMergedText)]), "")
}

// Resolve resolves conflicts with the given choices. When all conflicts in a file are resolved, the file is merged.
func (t *Draft) Resolve(choices []Choice) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	chosen, err := t.chosen(choices)
	if err != nil {
		return err
	}
	for name, data := range chosen {
		disk := t.conflicts.all[name].disk
		t.settled(name)
		t.restart(t.files[name], disk, data)
	}
	t.touch()
	return nil
}

// chosen() returns the merged texts of the files in which all conflicts have a choice.
func (t *Draft) chosen(choices []Choice) (map[string][]byte, error) {
	if t.conflicts == nil {
		return nil, fail(409, "there is no conflict any more")
	}
	by, files := byID(choices), map[string][]byte{}
	for name, c := range t.conflicts.all {
		data, err := c.settle(name, by)
		if err != nil {
			return nil, err
		}
		if data != nil {
			files[name] = data
		}
	}
	return files, nil
}

// CheckChoices checks the files as they would be with the given choices. It returns the number of
// errors and the first error. The draft does not change.
func (t *Draft) CheckChoices(choices []Choice) (map[string]any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	chosen, err := t.chosen(choices)
	if err != nil {
		return nil, err
	}
	all := t.contents()
	maps.Copy(all, chosen)
	return t.editor.checked(t.folder(Shot{}), all), nil
}

// texts returns the chosen text for each conflict in a file, in order. ok is false if a conflict has no choice.
func texts(name string, c *clash, by map[string]Choice) (list []string, ok bool) {
	for _, one := range c.list {
		choice, chosen := by[conflictID(name, one)]
		switch {
		case one.Yours == one.Theirs || choice.Take == "theirs":
			list = append(list, one.Theirs)
		case choice.Take == "yours":
			list = append(list, one.Yours)
		case chosen && choice.Take == "text":
			list = append(list, choice.Text)
		default:
			return nil, false
		}
	}
	return list, true
}

// Sync merges into the draft the files that other programs have saved.
func (t *Draft) Sync() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open() {
		return fail(404, "the draft is closed")
	}
	_, err := t.sync()
	return err
}
