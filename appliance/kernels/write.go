//go:build linux

package kernels

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
)

// ErrKept means that the kernel, when read back from the card, differs from the kernel that was written.
var ErrKept = errors.New("the card does not keep the kernel that is written to it")

// clusterSize is the maximum space that the file system needs for a file in addition to its length.
const clusterSize = 4 << 10

// Check reports whether the kernel of an archive can be written into a folder, without writing anything. The card must start from the other
// folder, and the partition must have room. Otherwise Check returns the reason.
func (p Partition) Check(a Archive, to state.Slot) error {
	j, err := p.plan(a, to)
	if err != nil {
		return err
	}
	free, err := p.Free()
	if err != nil {
		return err
	}
	old, err := filesIn(p.folder(to))
	if err != nil {
		return err
	}
	for _, size := range old {
		free += size
	}
	for _, size := range j.sizes() {
		free -= size + clusterSize
	}
	if free < 0 {
		return ErrNoRoom
	}
	return nil
}

func (p Partition) folder(s state.Slot) string { return filepath.Join(p.Dir, s.String()) }

// A job has the files to write into a folder.
type job struct {
	archive Archive
	names   map[string]int64  // files of the archive, with their sizes
	own     map[string][]byte // other files: the changed command line and the files that a person has added
	try     []byte            // content of tryboot.txt
}

func (p Partition) plan(a Archive, to state.Slot) (j job, err error) {
	text, err := p.text(card.FirmwareFile)
	if err != nil {
		return j, err
	}
	from, _, err := named(text)
	if err != nil {
		return j, err
	}
	if from == to {
		return j, fmt.Errorf("the card starts from the folder %s", to)
	}
	j.archive = a
	if j.names, err = a.names(); err != nil {
		return j, err
	}
	if j.try, err = tryText(text, to); err != nil {
		return j, err
	}
	j.own, err = p.rest(from, to, j.names)
	return j, err
}

// rest() returns the files of one folder (from) whose names are not in the map `known`. These files do not come from an update. rest() also
// returns the command line, changed for another folder (to). If the files are too large, it returns ErrNoRoom.
func (p Partition) rest(from, to state.Slot, known map[string]int64) (map[string][]byte, error) {
	all, err := filesIn(p.folder(from))
	if err != nil {
		return nil, err
	}
	rest, left := map[string][]byte{}, int64(card.MaxKernel)
	for name, size := range all {
		if _, ok := known[name]; ok {
			continue
		}
		if left -= size; left < 0 {
			return nil, ErrNoRoom
		}
		if rest[name], err = os.ReadFile(filepath.Join(p.folder(from), name)); err != nil {
			return nil, err
		}
	}
	rest[card.CommandLine], err = otherLine(rest[card.CommandLine], from, to)
	return rest, err
}

// sizes() returns the sizes of all files.
func (j job) sizes() map[string]int64 {
	all := maps.Clone(j.names)
	for name, text := range j.own {
		all[name] = int64(len(text))
	}
	return all
}

// filesIn returns the files in a folder and in its subfolders, with their sizes.
func filesIn(dir string) (map[string]int64, error) {
	all := map[string]int64{}
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ignoreMissing(err)
		}
		if len(all) == 2*card.MaxKernelFiles {
			return fmt.Errorf("%s has more than %d files", dir, len(all))
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, at)
		all[name] = info.Size()
		return err
	})
	return all, err
}

// Write fills the folder that is not in use, and writes tryboot.txt with the name of this folder. After an error or a power cut, the
// folder in use and config.txt are unchanged.
func (p Partition) Write(a Archive, to state.Slot) error {
	j, err := p.plan(a, to)
	if err != nil {
		return err
	}
	dir := p.folder(to)
	if err := p.remove(p.Dir, []string{card.TryFile}); err != nil {
		return err
	}
	old, err := filesIn(dir)
	if err != nil {
		return err
	}
	if err := p.remove(dir, sorted(old)); err != nil {
		return err
	}
	if err := p.fillFolder(dir, j); err != nil {
		return err
	}
	if err := j.verify(dir); err != nil {
		return err
	}
	return p.write(p.Dir, []string{card.TryFile}, func(put putter) error {
		return put(card.TryFile, int64(len(j.try)), bytes.NewReader(j.try))
	})
}

// fillFolder writes the files of a job into a folder.
func (p Partition) fillFolder(dir string, j job) error {
	return p.write(dir, sorted(j.sizes()), func(put putter) error {
		for name, text := range j.own {
			if err := put(name, int64(len(text)), bytes.NewReader(text)); err != nil {
				return err
			}
		}
		return j.archive.each(put)
	})
}

// verify reads a folder back from the card. If a file differs from the job, verify returns ErrKept.
func (j job) verify(dir string) error {
	for name, text := range j.own {
		if same, err := equal(filepath.Join(dir, name), int64(len(text)), bytes.NewReader(text)); err != nil || !same {
			return errors.Join(ErrKept, err)
		}
	}
	if same, err := j.archive.In(dir); err != nil || !same {
		return errors.Join(ErrKept, err)
	}
	return nil
}

// remove removes files in two steps. It first removes all names on the card, and then frees the
// blocks. In this order, a name never points to blocks of another file.
func (p Partition) remove(dir string, names []string) (err error) {
	var open []*os.File
	for _, name := range names {
		f, failed := os.Open(filepath.Join(dir, name))
		if errors.Is(failed, fs.ErrNotExist) {
			continue
		}
		if failed != nil {
			err = errors.Join(err, failed)
			break
		}
		open = append(open, f)
		err = errors.Join(err, os.Remove(f.Name()))
	}
	if len(open) > 0 && err == nil {
		err = p.Flush()
	}
	for _, f := range open {
		err = errors.Join(err, f.Close())
	}
	if len(open) > 0 && err == nil {
		err = p.Flush()
	}
	return err
}

// A putter fills an empty file.
type putter = func(name string, size int64, r io.Reader) error

// write creates all files, and then fills one file after another: first it allocates the blocks of the file, then it writes the content.
// After a power cut some files are empty, and blocks of at most one file are lost.
func (p Partition) write(dir string, names []string, content func(putter) error) (err error) {
	files := map[string]*os.File{}
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
	}()
	for _, name := range names {
		f, err := create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		files[name] = f
	}
	if err := p.Flush(); err != nil {
		return err
	}
	put := func(name string, size int64, r io.Reader) error {
		if err := reserve(files[name], size); err != nil {
			return err
		}
		if err := p.Flush(); err != nil {
			return err
		}
		return fill(files[name], r)
	}
	return errors.Join(content(put), p.Flush())
}

func sorted(sizes map[string]int64) []string { return slices.Sorted(maps.Keys(sizes)) }

func create(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// reserve allocates the blocks of a file without changing its length (fallocate(2)).
func reserve(f *os.File, size int64) error {
	if size == 0 {
		return nil
	}
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return nil // in tests, the file system is not VFAT
	}
	return err
}

// fill writes the contents of a file.
func fill(f *os.File, r io.Reader) error {
	const block = 1 << 20
	_, err := io.CopyBuffer(struct{ io.Writer }{f}, r, make([]byte, block))
	return errors.Join(err, f.Sync())
}

// forget drops a file from the kernel's cache, so that the next reader reads the card.
func forget(f *os.File) error { return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) }
