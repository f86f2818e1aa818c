// Package state stores small files of the program for its next start. Each file is written in one step.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/stable"
)

const (
	// MaxFile is the maximum size of a file in bytes. The values of a large calendar have some 500 kB.
	MaxFile = 2 << 20
	// MaxTotal is the maximum total size of all files, in bytes. This fits on a small SD card. When the limit is reached, old files
	// are removed.
	MaxTotal = 32 << 20
	// maxFiles is the maximum number of files. A large wall has some hundred. When the limit is reached, old files are removed.
	maxFiles = 4096
	// maxEntries is the maximum number of entries that the folder may have. A folder with more entries belongs to another program.
	maxEntries = 65536
	// `suffix` is the ending of this program's files.
	suffix = ".kept"
	// leftAfter is the age at which a temporary file of Replace is removed. A power cut during a save leaves such a file.
	leftAfter = time.Hour
)

// A Store stores files in a folder. A nil Store stores nothing. Its methods may be called from any goroutine.
type Store struct {
	files *folder.Root
	dir   string

	mu sync.Mutex // held while files are written and removed
}

// Open creates the folder if needed, so that only its owner can open it. It returns the folder's store.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	return &Store{files: folder.Dir(dir), dir: dir}, nil
}

// Folder creates a folder for larger files below the store's folder and returns its path. The caller limits the size of these files.
func (s *Store) Folder(name string) (string, error) {
	dir := filepath.Join(s.dir, name)
	return dir, os.MkdirAll(dir, 0o700)
}

// Name returns the file name for a key. Different keys have different names. A name does not reveal its key.
func Name(kind, key string) string {
	sum := sha256.Sum256([]byte(key))
	return kind + "-" + hex.EncodeToString(sum[:16]) + suffix
}

// Load returns the data that is stored under a key. If there is no readable data, the second result is false.
func (s *Store) Load(kind, key string) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	data, err := folder.Read(s.files, Name(kind, key), MaxFile)
	return data, err == nil
}

// errLarge is the error for data that is too large for a file.
var errLarge = errors.New("too large to be kept")

// Save stores data under a key and replaces the previous data. After a power cut there is either the old file or the new file.
func (s *Store) Save(kind, key string, data []byte) error {
	if s == nil {
		return nil
	}
	if len(data) > MaxFile {
		return fmt.Errorf("%d bytes are %w: %d", len(data), errLarge, MaxFile)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := Name(kind, key)
	if err := s.room(int64(len(data)), name); err != nil {
		return err
	}
	return Replace(filepath.Join(s.dir, name), data)
}

// Remove removes the data that is stored under a key. If there is no such data, it returns no error.
func (s *Store) Remove(kind, key string) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.Remove(filepath.Join(s.dir, Name(kind, key))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// renewable reports whether a wall can do without the file: a value of a source, the past values of a chart, or the coordinates of a place.
// Other files, such as tokens, are written only once.
func renewable(f fs.FileInfo) bool {
	return strings.HasPrefix(f.Name(), "sample-") || strings.HasPrefix(f.Name(), "past-") || strings.HasPrefix(f.Name(), "place-")
}

// order is negative if file a is removed before file b. Renewable files are removed first, because a token can be the oldest file.
func order(a, b fs.FileInfo) int {
	switch x, y := renewable(a), renewable(b); {
	case x == y:
		return a.ModTime().Compare(b.ModTime())
	case x:
		return -1
	}
	return 1
}

// room() removes files, the oldest renewable files first, until there is room for `size` bytes. It does not count the file with the
// given name, because the caller replaces it.
func (s *Store) room(size int64, name string) error {
	all, total, err := s.list(name)
	if err != nil {
		return err
	}
	sorted := false
	for (total+size > MaxTotal || len(all) >= maxFiles) && len(all) > 0 {
		if !sorted { // usually there is room, and the order does not matter
			stable.Sort(all, order)
			sorted = true
		}
		if err := os.Remove(filepath.Join(s.dir, all[0].Name())); err != nil {
			return err
		}
		total -= all[0].Size()
		all = all[1:]
	}
	return nil
}

// list() returns the program's files and their total size. It leaves out the file with the name `but`. If the folder has more than
// maxEntries entries, list returns only some of the program's files, so that room removes them. If these files are few, list returns
// an error.
func (s *Store) list(but string) (all []fs.FileInfo, total int64, err error) {
	d, err := os.Open(s.dir)
	if err != nil {
		return nil, 0, err
	}
	defer d.Close()
	for read := 0; read <= maxEntries; {
		entries, err := d.ReadDir(maxFiles)
		read += len(entries)
		for _, e := range entries {
			s.removeLeft(e)
			if !strings.HasSuffix(e.Name(), suffix) || e.Name() == but {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				all, total = append(all, info), total+info.Size()
			}
		}
		if err != nil {
			return all, total, ignoreEOF(err)
		}
	}
	if len(all) > maxFiles {
		return all, total, nil
	}
	return nil, 0, fmt.Errorf("%s has more than %d entries; use a folder of its own as the state folder", s.dir, maxEntries)
}

// removeLeft removes a temporary file that a power cut has left. Its name is a dot, the name of a file, and a number.
func (s *Store) removeLeft(e fs.DirEntry) {
	if !strings.HasPrefix(e.Name(), ".") || !strings.Contains(e.Name(), suffix) {
		return
	}
	if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftAfter {
		_ = os.Remove(filepath.Join(s.dir, e.Name())) // if the removal fails, the next save tries again
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
