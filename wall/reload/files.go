// Package reload finds the YAML files of a configuration and detects their changes.
package reload

import (
	"crypto/sha256"
	"iter"
	"os"
	"path/filepath"
	"slices"
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
	// maxFolders is the maximum number of watched recipe folders. The other watched folders have the same limit. maxFileBytes is the
	// maximum size of a YAML file, in bytes. Larger files are ignored.
	maxFolders   = 128
	maxFileBytes = 4 << 20
)

// Add makes w watch all folders that folders() returns for `root`. `fresh` is true if one of these folders was not watched before.
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

// folders() returns `root`, the folders of recipes, and the other folders below `root`. It leaves out hidden folders, the folder with the
// JSON schemas, and the answers of recipes, which contain no configuration.
func folders(root string) []string {
	recipes := filepath.Join(root, recipe.Dir)
	without := func(path, name string) bool {
		return strings.HasPrefix(name, ".") || name == schema.Dir || isAnswers(root, path)
	}
	all := below(root, func(path, name string) bool { return path == recipes || without(path, name) })
	if info, err := os.Stat(recipes); err != nil || !info.IsDir() {
		return all
	}
	return slices.Insert(all, 1, below(recipes, without)...)
}

// below() returns `top` and the folders below it, at most maxFolders, except the folders for which `without` returns true. A folder comes
// before all deeper folders.
func below(top string, without func(path, name string) bool) []string {
	var all []string
	for level := []string{top}; len(level) > 0; level = subfolders(level, without) {
		level = level[:min(len(level), maxFolders-len(all))]
		all = append(all, level...)
		if len(all) == maxFolders {
			break
		}
	}
	return all
}

// subfolders() returns the subfolders of `dirs`, except the folders for which `without` returns true. The first subfolder of each folder
// comes before the second subfolders, and so on. So a folder with many photo albums does not displace the folders next to it.
func subfolders(dirs []string, without func(path, name string) bool) []string {
	var turns [][]string // list 0 contains the first subfolder of each folder, list 1 contains the second subfolders, and so on
	for _, dir := range dirs {
		n := 0
		list, _ := os.ReadDir(dir) // an error only means that the subfolders are left out
		for _, e := range list {
			path := filepath.Join(dir, e.Name())
			if !e.IsDir() || without(path, e.Name()) {
				continue
			}
			if n == len(turns) {
				turns = append(turns, nil)
			}
			turns[n] = append(turns[n], path)
			n++
		}
	}
	return slices.Concat(turns...)
}

// isAnswers reports whether `path` is the folder with the recorded answers of a recipe.
func isAnswers(root, path string) bool {
	// Match never fails, because the pattern is valid.
	ok, _ := filepath.Match(filepath.Join(recipe.Dir, "*", recipe.Answers), strings.TrimPrefix(path, root+string(filepath.Separator)))
	return ok
}

// YamlFile reports whether a file name has an extension of YAML files.
func YamlFile(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// yamlFiles returns an iterator over the YAML files below `root`. It yields the path and the content of each file, always in the same
// order. If a file cannot be read, its content is nil.
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

// Fingerprint returns a hash of the paths and contents of the YAML files below `root`.
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
