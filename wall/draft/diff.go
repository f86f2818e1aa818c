package draft

import (
	"archive/zip"
	"bytes"
	"maps"
	"slices"

	"dashboard/config/linediff"
)

// Diff returns the differences between the files on the disk and the draft.
func (t *Draft) Diff() []linediff.File {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := []linediff.File{}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		if f := t.files[name]; f.changed() {
			list = append(list, linediff.Of(name, f.base, f.work))
		}
	}
	return list
}

// Unified returns the draft's diff as text.
func (t *Draft) Unified() []byte { return linediff.Unified(t.Diff()) }

// Zip returns a zip file with the changed files or, if `all` is true, with all files of the draft. The zip file never contains secrets.
func (t *Draft) Zip(all bool) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		f := t.files[name]
		if !f.changed() && (!all || !f.there) {
			continue
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(f.work)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
