package main

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/config"

	"github.com/fsnotify/fsnotify"
)

const (
	// settleTime is how long nothing more may be written before files count as saved: editors write in several steps.
	settleTime = 200 * time.Millisecond
	// syncTime is how often the folders that are watched are looked for anew: one that was replaced is another one.
	syncTime = 5 * time.Second
	// maxFolders bounds the folders that are watched, and maxFileBytes what is read of a file to see whether it changed.
	maxFolders   = 64
	maxFileBytes = 4 << 20
)

// watched reports whether saved files are taken over.
func watched(o *serviceOptions, c *config.Conf) bool {
	if c.Reload != nil {
		return *c.Reload == "watch"
	}
	return o.watch
}

// watch asks for a reload when the files of the configuration have been saved with other contents, until ctx ends. Where
// nothing can be watched there are still the other ways to ask.
func (s *service) watch(ctx context.Context) {
	for !s.watching.Load() {
		select {
		case <-ctx.Done():
			return
		case <-s.rewatch:
		}
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		s.log.Info("saved files are not taken over by themselves; 'dashboard reload' does it", "reason", err)
		return
	}
	defer w.Close()
	root := s.opts.Home
	add(w, root)
	seen := s.seen
	settled, sync := time.NewTimer(0), time.NewTicker(syncTime)
	defer settled.Stop()
	defer sync.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-w.Events:
			if yamlFile(e.Name) || filepath.Ext(e.Name) == "" || e.Name == root {
				settled.Reset(settleTime)
			}
		case <-w.Errors: // events were lost: look
			settled.Reset(settleTime)
		case <-sync.C:
			if add(w, root) {
				settled.Reset(settleTime)
			}
		case <-settled.C:
			add(w, root)
			if now := fingerprint(root); now != seen && s.watching.Load() {
				seen = now
				s.askReload()
			}
		}
	}
}

// add watches the folders below root that are not yet. It reports whether there were any.
func add(w *fsnotify.Watcher, root string) (fresh bool) {
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

// folders are root and those below it, but for hidden ones and the schemas.
func folders(root string) []string {
	var all []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // what cannot be read is not watched
		switch {
		case err != nil || !d.IsDir():
			return nil
		case path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == schemaDir), len(all) == maxFolders:
			return filepath.SkipDir
		}
		all = append(all, path)
		return nil
	})
	return all
}

func yamlFile(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// yamlFiles are the paths and the contents of the YAML files below root, always in the same order; nil for one that cannot be
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
				info, err := os.Stat(path) // a link counts as what it leads to
				if err != nil || !yamlFile(path) || !info.Mode().IsRegular() || info.Size() > maxFileBytes {
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

// fingerprint is the same as long as the YAML files below root are.
func fingerprint(root string) [sha256.Size]byte {
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
