package folder

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Over returns a root of the same folder, in which the given contents replace the contents of some files. The keys are relative names
// with slashes. The caller must not change the contents later.
func (r *Root) Over(contents map[string][]byte) *Root {
	return &Root{dir: r.dir, over: contents}
}

// Draft is like [Root.Over], but the new root counts as equal to r. Sources that do not read the changed files therefore stay unchanged.
func (r *Root) Draft(contents map[string][]byte) *Root {
	return &Root{dir: r.dir, over: contents, same: true}
}

// kept() returns the replaced contents of a name. ok is false if the contents of this name are not replaced.
func (r *Root) kept(name string) (*keptFile, bool) {
	if len(r.over) == 0 {
		return nil, false
	}
	rel, err := filepath.Rel(r.dir, r.Path(name))
	if err != nil {
		return nil, false
	}
	rel = filepath.ToSlash(rel)
	data, ok := r.over[rel]
	if !ok {
		return nil, false
	}
	return &keptFile{Reader: bytes.NewReader(data), name: path.Base(rel), size: int64(len(data))}, true
}

// keptNames returns the names with replaced contents, for [Root.MarshalText].
func (r *Root) keptNames() string {
	return strings.Join(slices.Sorted(maps.Keys(r.over)), "\n")
}

// A keptFile is a file with contents in memory. It implements fs.File and fs.FileInfo.
type keptFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *keptFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *keptFile) Close() error               { return nil }
func (f *keptFile) Name() string               { return f.name }
func (f *keptFile) Size() int64                { return f.size }
func (f *keptFile) Mode() fs.FileMode          { return 0o400 }
func (f *keptFile) ModTime() time.Time         { return time.Time{} }
func (f *keptFile) IsDir() bool                { return false }
func (f *keptFile) Sys() any                   { return nil }
