//go:build unix

package system

import (
	"errors"
	"syscall"
	"testing"
)

// A root file system that is packed is full, and no alarm.
func TestReadOnlyDiskIsLeftOut(t *testing.T) {
	st := syscall.Statfs_t{Bsize: 4096, Blocks: 100, Bfree: 25, Bavail: 20}
	d, err := diskOf(&st)
	if want := (disk{total: 409600, used: 307200, free: 81920}); err != nil || d != want {
		t.Errorf("got %+v, %v, want %+v", d, err, want)
	}
	st.Type = 0x73717368 // squashfs
	if d, err := diskOf(&st); !errors.Is(err, errReadOnly) {
		t.Errorf("squashfs: got %+v, %v, want it left out", d, err)
	}
}
