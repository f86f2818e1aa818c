package draft

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/config/edit"
	"dashboard/config/linediff"
	"dashboard/internal/folder"
	"dashboard/internal/state"
	"dashboard/wall/scene"
)

const (
	// maxVersions is the maximum number of stored versions.
	maxVersions = 50
	// maxVersionBytes is the maximum size of all stored versions together, in bytes.
	maxVersionBytes = 8 << 20
	// maxUnpacked is the maximum size of an unpacked version, in bytes.
	maxUnpacked = 4 * maxTotal
)

// Sides contains the text of a file before and after a save.
type Sides struct {
	Before string `json:"before"`
	After  string `json:"after"`
	New    bool   `json:"new,omitempty"` // true if the file did not exist before
}

// A Version is a stored save.
type Version struct {
	N      int              `json:"n"`
	Time   time.Time        `json:"time"`
	Caller string           `json:"caller"`
	Words  string           `json:"words"` // description of the changes
	Files  map[string]Sides `json:"files"`
}

// otherProgram is the field Caller of a save that another program has made.
const otherProgram = "changed on disk"

// count returns the numbers of lines that a save has added and removed.
func (v *Version) count() (added, removed int) {
	for name, s := range v.Files {
		for _, l := range linediff.Of(name, []byte(s.Before), []byte(s.After)).Lines {
			switch l.Kind {
			case "+":
				added++
			case "-":
				removed++
			}
		}
	}
	return added, removed
}

// places returns the line numbers of the changed parts of a file, such as 12-14,20.
func (v *Version) places(name string) string {
	s := v.Files[name]
	var list []string
	for _, h := range edit.Hunks(splitLines(s.Before), splitLines(s.After)) {
		if h.BEnd-h.B > 1 {
			list = append(list, fmt.Sprintf("%d-%d", h.B+1, h.BEnd))
		} else {
			list = append(list, itoa(h.B+1))
		}
	}
	return strings.Join(list, ",")
}

func splitLines(s string) (lines [][]byte) {
	for l := range strings.SplitAfterSeq(s, "\n") {
		lines = append(lines, []byte(l))
	}
	return lines
}

// Versions stores the versions of a configuration in a folder. A nil Versions stores nothing.
type Versions struct {
	dir string
	mu  sync.Mutex
}

// KeepVersions returns the versions of the configuration in the folder `home`. The versions are stored in `store`. If they cannot be
// stored, KeepVersions returns nil.
func KeepVersions(store *state.Store, home string) *Versions {
	if store == nil {
		return nil
	}
	dir, err := store.Folder("versions")
	if err != nil {
		return nil
	}
	dir = filepath.Join(dir, edit.Hash([]byte(home)))
	if os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	return &Versions{dir: dir}
}

func (k *Versions) path(n int) string { return filepath.Join(k.dir, fmt.Sprintf("%08d.json.gz", n)) }

// numbers returns the numbers of the stored versions, oldest first.
func (k *Versions) numbers() (list []int) {
	if k == nil {
		return nil
	}
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "%08d.json.gz", &n); err == nil && n > 0 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

// add stores a version and returns its number. If the version cannot be stored, add returns 0. It
// removes the oldest versions that exceed the limits.
func (k *Versions) add(v *Version) int {
	if k == nil {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.numbers()
	v.N, v.Words = 1, v.summary()
	if len(all) > 0 {
		v.N = all[len(all)-1] + 1
	}
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(v); err != nil || z.Close() != nil || b.Len() > maxVersionBytes {
		return 0
	}
	if err := state.Replace(k.path(v.N), []byte(b.String())); err != nil {
		return 0
	}
	k.prune()
	return v.N
}

// prune removes the oldest versions that exceed the limits.
func (k *Versions) prune() {
	all := k.numbers()
	total := int64(0)
	for i := len(all) - 1; i >= 0; i-- {
		info, err := os.Stat(k.path(all[i]))
		if err == nil {
			total += info.Size()
		}
		if len(all)-i > maxVersions || total > maxVersionBytes {
			_ = os.Remove(k.path(all[i])) // if the removal fails, the next save tries again
		}
	}
}

// get reads the version with the number n.
func (k *Versions) get(n int) (*Version, error) {
	if k == nil {
		return nil, fail(404, "no saves are kept here")
	}
	f, err := folder.Dir(k.dir).Open(filepath.Base(k.path(n)))
	if err != nil {
		return nil, fail(404, "there is no version %d any more", n)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fail(500, "version %d cannot be read: %v", n, err)
	}
	var v Version
	if err := json.NewDecoder(io.LimitReader(z, maxUnpacked)).Decode(&v); err != nil {
		return nil, fail(500, "version %d cannot be read: %v", n, err)
	}
	return &v, nil
}

// fields returns the fields of a version for an answer.
func (v *Version) fields() map[string]any {
	added, removed := v.count()
	return map[string]any{
		"n": v.N, "time": v.Time.UTC().Format(time.RFC3339), "caller": v.Caller, "files": slices.Sorted(maps.Keys(v.Files)), "added": added,
		"removed": removed, "words": cmp.Or(v.Words, v.summary()),
	}
}

// newest() calls `yield` with the stored versions, newest first, until `yield` returns false.
func (k *Versions) newest(yield func(*Version) bool) {
	for _, n := range slices.Backward(k.numbers()) {
		if v, err := k.get(n); err == nil && !yield(v) {
			return
		}
	}
}

// Saves lists the stored versions, newest first. If other programs have changed files since the last save, Saves first stores a version
// with these changes. `size` is the size of all versions in bytes.
func (d *Editor) Saves() (list []map[string]any, size int64) {
	d.saving.Lock()
	d.keepOthers()
	d.saving.Unlock()
	list = []map[string]any{}
	for v := range d.Versions.newest {
		list = append(list, v.fields())
		if info, err := os.Stat(d.Versions.path(v.N)); err == nil {
			size += info.Size()
		}
	}
	return list, size
}

// keepOthers stores a version with the changes by other programs. It compares the files on the disk with the newest stored save of each
// file. The caller must hold d.saving.
func (d *Editor) keepOthers() {
	root, known := d.Folder().Open(), map[string]bool{}
	other := Version{Caller: otherProgram, Files: map[string]Sides{}}
	for v := range d.Versions.newest {
		for name, s := range v.Files {
			disk, err := folder.Read(root, name, edit.MaxBytes)
			if known[name] || err != nil || string(disk) == s.After {
				known[name] = true
				continue
			}
			known[name] = true
			other.Files[name] = Sides{Before: s.After, After: string(disk)}
			if info, err := root.Stat(name); err == nil && info.ModTime().After(other.Time) {
				other.Time = info.ModTime()
			}
		}
	}
	if len(other.Files) > 0 {
		d.Versions.add(&other)
	}
}

// whoSaved returns the caller and the time of the newest save of a file, if this save has written `data`. Otherwise, the caller is
// otherProgram, and the time is the file's modification time.
func (d *Editor) whoSaved(name string, data []byte) (caller string, at time.Time) {
	d.saving.Lock() // wait for a running save, because its version is stored after its files
	defer d.saving.Unlock()
	for v := range d.Versions.newest {
		if s, ok := v.Files[name]; ok && s.After == string(data) {
			return v.Caller, v.Time
		} else if ok {
			break
		}
	}
	if info, err := d.Folder().Open().Stat(name); err == nil {
		at = info.ModTime()
	}
	return otherProgram, at
}

// Save returns the fields and the diff of the version with the number n.
func (d *Editor) Save(n int) (map[string]any, error) {
	v, err := d.Versions.get(n)
	if err != nil {
		return nil, err
	}
	out := v.fields()
	var all []linediff.File
	for _, name := range slices.Sorted(maps.Keys(v.Files)) {
		all = append(all, linediff.Of(name, []byte(v.Files[name].Before), []byte(v.Files[name].After)))
	}
	out["diff"] = all
	return out, nil
}

// Restore sets all files to their state after the save with the number n, and stores this change as a new save.
func (d *Editor) Restore(n int, caller string) (map[string]any, error) {
	v, err := d.Versions.get(n)
	if err != nil {
		return nil, err
	}
	next := map[string][]byte{}
	for name, s := range v.Files {
		next[name] = []byte(s.After)
	}
	for _, m := range d.Versions.numbers() {
		if m <= n {
			continue
		}
		later, err := d.Versions.get(m)
		if err != nil {
			return nil, err
		}
		for name, s := range later.Files {
			if _, known := next[name]; !known {
				next[name] = []byte(s.Before)
			}
		}
	}
	root, base := d.Folder().Open(), map[string][]byte{}
	for name := range next {
		if disk, err := folder.Read(root, name, edit.MaxBytes); err == nil || errors.Is(err, fs.ErrNotExist) {
			base[name] = disk
		}
	}
	answer, err := d.saveChecked(next, base, caller)
	if errors.Is(err, ErrChanged) {
		return nil, fail(409, "%v at this moment: try again", err)
	}
	return answer, err
}

// UndoSave returns the files without the changes of the save with the number n, but with later changes. `base` contains the files on the
// disk. If later saves have changed the same lines, UndoSave needs a choice for each of these places. "yours" takes the lines before the
// save, and "theirs" takes the lines on the disk.
func (d *Editor) UndoSave(n int, choices []Choice) (next, base map[string][]byte, err error) {
	v, err := d.Versions.get(n)
	if err != nil {
		return nil, nil, err
	}
	next, base = map[string][]byte{}, map[string][]byte{}
	open, by := []map[string]any{}, byID(choices)
	for _, name := range slices.Sorted(maps.Keys(v.Files)) {
		old := document(name, []byte(v.Files[name].After))
		disk, err := folder.Read(d.Folder().Open(), name, edit.MaxBytes)
		if err != nil {
			return nil, nil, fail(409, "%s is not there any more", name)
		}
		base[name] = disk
		c := &clash{disk: disk, base: old, own: edit.Diff(old, []byte(v.Files[name].Before)), them: edit.Diff(old, disk)}
		if next[name], c.list = edit.Merge(old, c.own, c.them); next[name] != nil {
			continue
		}
		if next[name], err = c.settle(name, by); err != nil {
			return nil, nil, err
		}
		if next[name] == nil {
			c.caller, c.at = d.whoSaved(name, disk)
			open = append(open, c.places(name, map[string]any{"base_at": moment(v.Time)})...)
		}
	}
	if len(open) > 0 {
		return nil, nil, &Error{Status: 409, Text: "later saves changed the same lines", More: map[string]any{"conflicts": open}}
	}
	return next, base, nil
}

// checked() returns the number of errors of the configuration with the given files, and the first error.
func (d *Editor) checked(from scene.Folder, files map[string][]byte) map[string]any {
	from.Files = from.Open().Draft(files)
	out := map[string]any{"errors": 0, "words": ""}
	if g, report := d.load(from); g == nil {
		out["errors"], out["words"] = len(report.Errors()), firstError(report)
	}
	return out
}

// saveChecked saves files, unless the new configuration would have an error. It returns ErrChanged if a file on the disk differs from its
// entry in `base`.
func (d *Editor) saveChecked(next, base map[string][]byte, caller string) (map[string]any, error) {
	maps.DeleteFunc(next, func(name string, data []byte) bool { return bytes.Equal(data, base[name]) })
	if len(next) == 0 {
		return nil, fail(409, "the files are like that already")
	}
	from := d.Folder()
	from.Files, from.Strict = from.Open().Draft(next), false
	if g, report := d.load(from); g == nil {
		return nil, fail(422, "the files would have an error: %s", firstError(report))
	}
	n, err := d.save(next, base, caller, nil)
	if err != nil {
		return nil, err
	}
	return map[string]any{"saved": slices.Sorted(maps.Keys(next)), "version": n}, nil
}
