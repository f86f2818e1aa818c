//go:build linux

package appliance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
)

const (
	maxSavedBytes = 2 << 20    // maximum size of all files of a request, in bytes
	maxSavedPath  = 200        // maximum length of a file's path, in bytes
	maxSavedDeep  = 3          // maximum number of folders in a file's path
	spareCluster  = 64 << 10   // largest cluster of FAT. A file wastes less than one cluster
	freshEnd      = ".new"     // ending of a file's name until the file replaces the old file. Package fat expects the same ending
	noFATLetters  = `"*:<>?\|` // characters that FAT does not allow in names, in addition to control characters
)

// save writes files of the wall to the card, because the wall's editor has no permission to write to the card. Without files, save only
// checks whether the wall comes from the card's folder.
func (k *keeper) save(files []about.CardFile) error {
	if err := ownWall(bootFolder, wallOwn, wallAddressFile); err != nil || len(files) == 0 {
		return err
	}
	if err := allowed(files); err != nil {
		return err
	}
	err := k.writable(func() error {
		folder := filepath.Join(bootFolder, card.ConfigFolder)
		free, err := freeOn(folder)
		if err != nil {
			return err
		}
		return writeWall(folder, files, free)
	})
	if err = inWords(err); err != nil {
		say("the editor's files: %v", err)
		return err
	}
	say("the editor's files are on the card: %d", len(files))
	return nil
}

// ownWall returns an error unless the wall on the screen comes from the folder on a drive. `shown` is the folder that the wall reads, and
// `address` is the file with config_url.
func ownWall(drive, shown, address string) error {
	if _, err := os.Stat(address); err == nil {
		return errors.New("the wall comes from config_url in settings.txt")
	}
	a, err := os.Stat(filepath.Join(drive, card.ConfigFolder))
	b, wrong := os.Stat(shown)
	if err == nil && wrong == nil && os.SameFile(a, b) {
		return nil
	}
	if _, err := os.Stat(filepath.Join(drive, card.ConfigZip)); err == nil {
		return fmt.Errorf("the wall comes from %s on the drive %s", card.ConfigZip, card.Label)
	}
	return fmt.Errorf("the drive %s has no folder %s: the built-in wall is shown", card.Label, card.ConfigFolder)
}

// allowed() checks the names, the number and the total size of files.
func allowed(files []about.CardFile) error {
	total, names := 0, map[string]bool{}
	for _, f := range files {
		if err := savedName(f.Name); err != nil {
			return err
		}
		total += len(f.Data)
		names[strings.ToLower(f.Name)] = true // FAT ignores the case of names
	}
	switch {
	case total > maxSavedBytes || len(files) > about.MaxSaved:
		return about.ErrLarge
	case len(names) != len(files):
		return errors.New("the request contains a file twice")
	}
	return nil
}

// savedName checks the path of a file. The path must lead to a YAML file in the folder of the wall, at most maxSavedDeep folders deep.
func savedName(name string) error {
	wrong := func(part string) bool {
		return strings.HasPrefix(part, ".") || strings.TrimRight(part, ". ") != part || strings.ContainsAny(part, noFATLetters) ||
			strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7f })
	}
	end, parts := path.Ext(name), strings.Split(name, "/")
	bad := end != ".yaml" && end != ".yml" || !fs.ValidPath(name) || len(name) > maxSavedPath || len(parts) > maxSavedDeep+1
	if bad || slices.ContainsFunc(parts, wrong) {
		return fmt.Errorf("%q is no file of the wall", name)
	}
	return nil
}

// writeWall replaces files in a folder. `free` is the number of free bytes of the folder's file system. writeWall first writes all files
// under temporary names. If an error occurs before all of them are written, the existing files are unchanged.
func writeWall(folder string, files []about.CardFile, free int64) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	need := int64(0)
	for _, f := range files {
		if err := expected(root, f); err != nil {
			return err
		}
		need += int64(len(f.Data)) + spareCluster
	}
	if need > free {
		return unix.ENOSPC
	}
	for i, f := range files {
		if err := writeFresh(root, f, freshName(f.Name, i)); err != nil {
			for n, done := range files[:i+1] {
				_ = root.Remove(freshName(done.Name, n)) // ignore this error, because writeWall returns the error of the failed write
			}
			return err
		}
	}
	for i, f := range files {
		if err := takeName(root, freshName(f.Name, i), f.Name); err != nil {
			return err
		}
	}
	return nil
}

// freshName returns the temporary name of the i-th file. The name is short enough for a single entry of FAT, which a power cut cannot
// divide.
func freshName(name string, i int) string { return path.Join(path.Dir(name), strconv.Itoa(i)+freshEnd) }

// takeName renames a file, which then replaces an existing file. It keeps the replaced file open until the new name is on the card.
// Otherwise a power cut could leave the old name although its clusters are free, and both files would be lost.
func takeName(root *os.Root, from, to string) error {
	old, err := root.Open(to)
	if err == nil {
		defer old.Close()
	}
	if err := root.Rename(from, to); err != nil {
		return err
	}
	dir, err := root.Open(path.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(dir.Fd())), dir.Sync(), dir.Close()) // syncfs does not flush the card's cache, but fsync does
}

// expected() returns an error unless the SHA-256 sum of a file's content is f.Before. If f.Before is "", the file must not exist. The
// function also refuses links and other special files in the path.
func expected(root *os.Root, f about.CardFile) error {
	for i := range f.Name {
		if f.Name[i] != '/' {
			continue
		}
		if info, err := root.Lstat(f.Name[:i]); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder", f.Name[:i])
		}
	}
	info, err := root.Lstat(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.Before != "" {
			return about.ErrChanged
		}
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", f.Name)
	case info.Size() > about.MaxSave:
		return about.ErrChanged
	}
	data, err := root.ReadFile(f.Name)
	if err == nil && about.SumOf(data) != f.Before {
		return about.ErrChanged
	}
	return err
}

// writeFresh writes a file under its temporary name. It creates missing folders.
func writeFresh(root *os.Root, f about.CardFile, name string) error {
	if dir := path.Dir(f.Name); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	file, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(f.Data)
	return errors.Join(err, file.Sync(), file.Close())
}

// inWords converts an error of the card to a sentence for the person who edits the wall.
func inWords(err error) error {
	switch {
	case errors.Is(err, unix.ENOSPC):
		return errors.New("the card is full: remove pictures or an old update from the drive " + card.Label)
	case errors.Is(err, unix.EROFS), errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return errors.New("the card is read-only: it may have a lock, or it is worn out")
	}
	return err
}
