// Package reload finds the YAML files of a configuration and detects their changes.
package reload

import (
	"crypto/sha256"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/config/recipe"
	"dashboard/schema"

	"github.com/fsnotify/fsnotify"
)

const (
	// SettleTime is the time without a write after which a file counts as saved, because editors write a file in several steps.
	SettleTime = 200 * time.Millisecond
	// SyncTime is the time between two searches for new folders. A search also finds a folder that has replaced a watched folder.
	SyncTime = 5 * time.Second
	// maxFolders is the maximum number of watched folders. maxFileBytes is the maximum size of a
	// YAML file, in bytes. Larger files are ignored.
	maxFolders   = 128
	maxFileBytes = 4 << 20
)

// Add makes w watch root and all folders below it. fresh is true if one of these folders was not watched before.
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

// folders returns root and the folders below it, at most maxFolders. It leaves out hidden folders, the folder with the JSON
// schemas, and the answers of recipes, which contain no configuration.
func folders(root string) []string {
	var all []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // an error only means that the folder is left out
		switch {
		case err != nil || !d.IsDir():
			return nil
		case path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == schema.Dir || isAnswers(root, path)), len(all) == maxFolders:
			return filepath.SkipDir
		}
		all = append(all, path)
		return nil
	})
	return all
}

// isAnswers reports whether path is the folder with the recorded answers of a recipe.
func isAnswers(root, path string) bool {
	ok, _ := filepath.Match(filepath.Join(recipe.Dir, "*", recipe.Answers), strings.TrimPrefix(path, root+string(filepath.Separator))) // the pattern is valid
	return ok
}

// YamlFile reports whether a file name has an extension of YAML files.
func YamlFile(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// yamlFiles returns an iterator over the YAML files below root. It yields the path and the content
// of each file, always in the same order. If a file cannot be read, its content is nil.
func yamlFiles(root string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, dir := range folders(root) {
			list, err := os.ReadDir(dir)
			if err != nil {
				continue
			}
			for _, e := range list { // ReadDir sorts list by name
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

// Fingerprint returns a hash of the paths and contents of the YAML files below root.
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
