package folder

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"dashboard/internal/stable"
)

// errNoFolder means that a path is not a folder. Errors wrap it.
var errNoFolder = errors.New("is no folder")

// List returns the entries of a folder of fsys, sorted by name. The parameter `most` is the maximum number of entries. If the folder has
// more, List returns the first entries in the order of the file system.
func List(fsys fs.FS, name string, most int) ([]fs.DirEntry, error) {
	list, err := entries(fsys, name, most)
	if err != nil {
		return nil, pathError("read", name, err)
	}
	stable.Sort(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return list, nil
}

func entries(fsys fs.FS, name string, most int) ([]fs.DirEntry, error) {
	if r, ok := fsys.(*Root); ok {
		return within(r, "read", name, func() ([]fs.DirEntry, error) { return readFolder(r.Path(name), most) }, nil)
	}
	list, err := fs.ReadDir(fsys, name)
	return list[:min(len(list), most)], err
}

// readFolder reads the entries of a folder. Like openRegular, it checks the path before opening the folder.
func readFolder(path string, most int) ([]fs.DirEntry, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, cmp.Or(err, errNoFolder)
	}
	d, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	list, err := d.ReadDir(most)
	if err == io.EOF { // the folder has no more entries
		err = nil
	}
	return list, err
}
