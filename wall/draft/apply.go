package draft

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/internal/state"
)

// applyTries is the maximum number of attempts of a save. An attempt fails if another program saves at the same moment.
const applyTries = 3

// Apply saves the changed files. `accept` lists the ids of warnings that the caller has accepted.
func (t *Draft) Apply(accept []string, caller string) (answer map[string]any, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for range applyTries {
		if answer, err = t.applyNow(accept, caller); !errors.Is(err, ErrChanged) {
			return answer, err
		}
	}
	return nil, busy()
}

// busy() returns the error after applyTries failed attempts.
func busy() error {
	return fail(409, "another program saves these files all the time: try again later")
}

// applyNow makes one attempt to save the changed files. It returns ErrChanged if another program has saved one of these files since this
// program read it.
func (t *Draft) applyNow(accept []string, caller string) (map[string]any, error) {
	if !t.open() {
		return nil, fail(404, "the draft is closed")
	}
	if _, err := t.sync(); err != nil {
		return nil, err
	}
	if t.conflicts != nil {
		more := map[string]any{"conflicts": t.conflictList(), "merged": t.mergedList(), "own": t.own()}
		return nil, &Error{Status: 409, Text: "somebody else changed the same lines", More: more}
	}
	t.draw()
	if err := t.checked(accept); err != nil {
		return nil, err
	}
	next, base := map[string][]byte{}, map[string][]byte{}
	for name, f := range t.files {
		if f.changed() {
			next[name], base[name] = f.work, f.base
		}
	}
	if len(next) == 0 {
		return map[string]any{"saved": []string{}, "version": 0}, nil
	}
	n, err := t.editor.save(next, base, caller, t)
	if err != nil {
		return nil, err
	}
	for name := range next {
		f := t.files[name]
		f.base, f.edits, f.there, f.at = f.work, nil, true, t.editor.Now()
	}
	t.saved, t.joins = len(t.undo), ""
	t.editor.keepSoon()
	return map[string]any{"saved": slices.Sorted(maps.Keys(next)), "version": n}, nil
}

// checked() returns an error if the draft has errors or warnings that are not accepted.
func (t *Draft) checked(accept []string) error {
	list := t.problems(nil)
	open := slices.DeleteFunc(slices.Clone(list), func(p Problem) bool { return p.Severity == "warning" && slices.Contains(accept, p.ID) })
	if len(open) == 0 {
		return nil
	}
	return &Error{Status: 422, Text: "the files have errors, or warnings that nobody has accepted", More: map[string]any{"problems": open}}
}

// ErrChanged means that another program has saved a file since this program read it. Nothing was written.
var ErrChanged = errors.New("another program saved the files")

// A Keeper writes the files of the configuration if this program has no permission to write them.
type Keeper interface {
	// Save replaces files. If the current content of a file differs from its field Before, Save writes nothing and returns ErrChanged. If
	// files is empty, Save only returns the reason why files cannot be saved, or nil.
	Save(files []Replaced) error
}

// A Replaced is the content of a file before and after a save.
type Replaced struct {
	Name          string // path in the folder of the configuration
	Before, After []byte // Before is nil if the file did not exist
	path          string
}

// save writes files, stores a version with their contents, and reports the save. If a file on the disk differs from its entry in `base`,
// save writes nothing and returns ErrChanged. The parameter `by` is the draft that contains the files, or nil.
func (d *Editor) save(next, base map[string][]byte, caller string, by *Draft) (version int, err error) {
	if why := d.whyReadOnly(); why != "" {
		return 0, fail(403, "%s: take the changes as a diff or as a zip file", why)
	}
	d.saving.Lock()
	defer d.saving.Unlock()
	home := d.Folder().Open().Path(".")
	kept := Version{Time: d.Now(), Caller: caller, Files: map[string]Sides{}}
	var files []Replaced
	for _, name := range slices.Sorted(maps.Keys(next)) {
		path, err := within(home, name)
		if err != nil {
			return 0, err
		}
		before, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return 0, fail(500, "%s cannot be read: %v", name, err)
		}
		if read, ok := base[name]; ok && !bytes.Equal(before, read) {
			return 0, ErrChanged
		}
		files = append(files, Replaced{name, before, next[name], path})
		kept.Files[name] = Sides{Before: string(before), After: string(next[name]), New: err != nil}
	}
	d.keepOthers()
	if err := d.replace(files); err != nil {
		return 0, err
	}
	version = d.Versions.add(&kept)
	d.tell(&kept, version, by)
	return version, nil
}

// replace replaces files. If the editor has a Keeper, the Keeper writes the files.
func (d *Editor) replace(files []Replaced) error {
	if d.Keeper != nil {
		err := d.Keeper.Save(files)
		if err != nil && !errors.Is(err, ErrChanged) {
			return fail(503, "the files were not saved: %v", err)
		}
		return err
	}
	err := writeAll(files, files)
	if err == nil || errors.Is(err, ErrChanged) {
		return err
	}
	return fail(500, "the files cannot be saved: %v", err)
}

// writeAll writes the new content of `rest` to the disk and then replaces these files. It creates missing folders. Because writing can take
// a second, writeAll compares the files `all` after the last content is on the disk. If another program has saved one of them, writeAll
// replaces no file and returns ErrChanged.
func writeAll(rest, all []Replaced) error {
	if len(rest) == 0 {
		return unchanged(all)
	}
	if err := os.MkdirAll(filepath.Dir(rest[0].path), 0o755); err != nil {
		return err
	}
	return state.ReplaceLike(rest[0].path, rest[0].After, func() error { return writeAll(rest[1:], all) })
}

// unchanged() returns ErrChanged if a file differs from its field Before.
func unchanged(files []Replaced) error {
	for _, f := range files {
		if now, err := os.ReadFile(f.path); err == nil && !bytes.Equal(now, f.Before) {
			return ErrChanged
		}
	}
	return nil
}

// within() returns the path of a file in the folder of the configuration. It returns an error if the file cannot be edited, or if a link in
// the path leads out of the folder.
func within(home, name string) (string, error) {
	if !editable(name) {
		return "", fail(403, "%s is no file of the configuration", name)
	}
	root, err := filepath.EvalSymlinks(home)
	if err != nil {
		return "", fail(500, "the folder cannot be read: %v", err)
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	real, err := filepath.EvalSymlinks(path)
	if os.IsNotExist(err) {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil && os.IsNotExist(err) {
			return path, nil // a new folder, for example for a theme, does not exist yet
		}
		real = filepath.Join(dir, filepath.Base(path))
	} else if err != nil {
		return "", fail(500, "%s cannot be read: %v", name, err)
	}
	if rel, err := filepath.Rel(root, real); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fail(403, "%s leads out of the folder of the configuration", name)
	}
	return real, nil
}

// tell logs a save, requests a reload of the wall, and sends an event to the open pages. It also updates all drafts except `by`.
func (d *Editor) tell(v *Version, n int, by *Draft) {
	files := slices.Sorted(maps.Keys(v.Files))
	added, removed := v.count()
	var lines []string
	for _, name := range files {
		lines = append(lines, fmt.Sprintf("%s:%s", name, v.places(name)))
	}
	d.Log.Info("the editor saved files", "by", v.Caller, "files", strings.Join(lines, " "), "added", added, "removed", removed, "version", n)
	if d.Reload != nil {
		d.Reload()
	}
	saved := map[string]any{"version": n, "files": files, "caller": v.Caller}
	if by != nil {
		saved["draft"] = by.ID
	}
	d.events.send(event{"saved", saved})
	go d.syncOthers(by)
}

// Changed updates all drafts after another program has saved files. If this changes a draft, the
// pages that show the draft receive an event.
func (d *Editor) Changed() { d.syncOthers(nil) }

// syncOthers updates all drafts after a save, except the draft that was saved. The parameter `by` is this draft, or nil.
func (d *Editor) syncOthers(by *Draft) {
	for _, one := range d.List() {
		if one == by {
			continue
		}
		one.mu.Lock()
		if one.open() {
			_, _ = one.sync() // ignore the error, because the page's next request returns it
		}
		one.mu.Unlock()
	}
}
