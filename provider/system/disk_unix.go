//go:build unix

package system

import "syscall"

// readOnlyTypes has the numbers of read-only file systems in include/uapi/linux/magic.h. Such a file system is always full, so its usage
// would cause a false alarm.
var readOnlyTypes = map[uint32]bool{
	0x73717368: true, // squashfs
	0xe0f5e1e2: true, // erofs
	0x28cd3d45: true, // cramfs
	0x00009660: true, // ISO 9660, linux/iso_fs.h
}

// statDisk returns the usage of the file system that contains a path. It returns an error if the file system is read-only.
func statDisk(path string) (disk, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return disk{}, err
	}
	return diskOf(&st)
}

func diskOf(st *syscall.Statfs_t) (disk, error) {
	if readOnlyTypes[uint32(st.Type)] {
		return disk{}, errReadOnly
	}
	size := uint64(st.Bsize) // the field is an int32 on some processors
	return disk{total: st.Blocks * size, used: (st.Blocks - st.Bfree) * size, free: st.Bavail * size}, nil
}
