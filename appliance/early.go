//go:build linux

package appliance

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepEarly moves the state of programs that started before the data partition was mounted. The folders of these programs are in memory,
// and the mounted partition hides them. keepEarly copies the folders to the partition and mounts the copies over the folders in memory.
// systemd propagates the new mounts to the programs (mount_namespaces(7)). keepEarly also copies files next to the folders, such as the
// machine's ssh key, which dropbear reads for each login.
func keepEarly() error {
	entries, err := os.ReadDir(".") // "." still leads to the entries in memory
	for _, e := range entries {
		if e.IsDir() {
			err = errors.Join(err, keepFolder(e.Name()))
		} else {
			err = errors.Join(err, copyMissing(e.Name(), filepath.Join(mounted, e.Name())))
		}
	}
	return err
}

func keepFolder(name string) error {
	kept := filepath.Join(mounted, name)
	if err := copyMissing(name, kept); err != nil {
		return err
	}
	say("data: moved %s from memory", name)
	return unix.Mount(kept, name, "", unix.MS_BIND, "")
}

// copyMissing copies the folders and files in one folder (from) to another folder (to), with their owners. It does not overwrite existing
// files, because these files were stored at an earlier start.
func copyMissing(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			err = os.Mkdir(at, 0o700)
		case e.Type().IsRegular():
			err = copyFile(path, at)
		default:
			return nil // the programs store only folders and files
		}
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return errors.Join(err, sameOwner(path, at))
	})
}

// copyFile copies a file to a new path.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// sameOwner gives a copy the owner and the mode of the original.
func sameOwner(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		err = os.Chown(to, int(st.Uid), int(st.Gid))
	}
	return errors.Join(err, os.Chmod(to, info.Mode().Perm()))
}
