// Package reload finds the files of a configuration and detects their changes.
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
	// SettleTime is the time without a write after which files count as saved. Editors write a file in several steps.
	SettleTime = 200 * time.Millisecond
	// SyncTime is the time between two searches for new folders, because a watched folder may be replaced by another folder.
	SyncTime = 5 * time.Second
	// maxFolders is the maximum number of watched folders. maxFileBytes is the number of bytes of a file that are compared to detect a
	// change.
	maxFolders   = 64
	maxFileBytes = 4 << 20
)

// Add watches root and the folders below it. fresh is true if one of these folders was not watched before.
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

// folders returns root and the folders below it, except hidden ones and the schemas.
func folders(root string) []string {
	var all []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // an unreadable folder is not watched
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

// YamlFile reports whether a name has the extension of YAML files.
func YamlFile(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// yamlFiles returns an iterator over the YAML files below root, with path and content. The order is always the same. If a file cannot be
// read, the content is nil.
func yamlFiles(root string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, dir := range folders(root) {
			list, err := os.ReadDir(dir)
			if err != nil {
				continue
			}
			for _, e := range list { // list is sorted by name
				path := filepath.Join(dir, e.Name())
				info, err := os.Stat(path) // follow a link to its target
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

// Fingerprint returns a hash of the YAML files below root. It changes only if a file changes.
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
