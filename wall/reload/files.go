// Package reload finds the files of a configuration and their changes.
package reload

import (
	"crypto/sha256"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/schema"

	"github.com/fsnotify/fsnotify"
)

const (
	// SettleTime is how long nothing more may be written before files count as saved: editors write in several steps.
	SettleTime = 200 * time.Millisecond
	// SyncTime is the time between two searches for the watched folders, because a folder may be replaced.
	SyncTime = 5 * time.Second
	// maxFolders bounds the watched folders, and maxFileBytes the read part of a file when checking for a change.
	maxFolders   = 64
	maxFileBytes = 4 << 20
)

// Add watches the folders below root that are not yet. It reports whether there were any.
func Add(w *fsnotify.Watcher, root string) (fresh bool) {
	known := map[string]bool{}
	for _, dir := range w.WatchList() {
		known[dir] = true
	}
	for _, dir := range folders(root) {
		if !known[dir] && w.Add(dir) == nil {
			fresh = true
		}
	}
	return fresh
}

// folders are root and the folders below it, except for hidden ones and the schemas.
func folders(root string) []string {
	var all []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // what cannot be read is not watched
		switch {
		case err != nil || !d.IsDir():
			return nil
		case path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == schema.Dir), len(all) == maxFolders:
			return filepath.SkipDir
		}
		all = append(all, path)
		return nil
	})
	return all
}

// YamlFile reports whether a name is the name of a YAML file.
func YamlFile(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// yamlFiles are the paths and the contents of the YAML files below root, always in the same order, or nil for one that cannot be
// read.
func yamlFiles(root string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, dir := range folders(root) {
			list, err := os.ReadDir(dir)
			if err != nil {
				continue
			}
			for _, e := range list { // sorted by name
				path := filepath.Join(dir, e.Name())
				info, err := os.Stat(path) // a link counts as its target
				if err != nil || !YamlFile(path) || !info.Mode().IsRegular() || info.Size() > maxFileBytes {
					continue
				}
				data, err := os.ReadFile(path)
				if err != nil {
					data = nil
				}
				if !yield(path, data) {
					return
				}
			}
		}
	}
}

// Fingerprint is the same as long as the YAML files below root are.
func Fingerprint(root string) [sha256.Size]byte {
	h := sha256.New()
	for path, data := range yamlFiles(root) {
		if data == nil {
			data = []byte("cannot be read")
		}
		sum := sha256.Sum256(data)
		h.Write([]byte(path))
		h.Write(sum[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}
