//go:build unix

package system

import (
	"errors"
	"reflect"
	"syscall"
	"testing"
)

// A read-only root file system is always full, so it must not cause an alarm.
func TestReadOnlyDiskIsLeftOut(t *testing.T) {
	st := syscall.Statfs_t{Bsize: 4096, Blocks: 100, Bfree: 25, Bavail: 20}
	d, err := diskOf(&st)
	if want := (disk{total: 409600, used: 307200, free: 81920}); err != nil || d != want {
		t.Errorf("got %+v, %v, want %+v", d, err, want)
	}
	for name, number := range map[string]uint32{"squashfs": 0x73717368, "erofs": 0xe0f5e1e2, "cramfs": 0x28cd3d45, "a CD": 0x9660} {
		kind := reflect.ValueOf(&st.Type).Elem()
		kind.Set(reflect.ValueOf(number).Convert(kind.Type())) // the field has another integer type on other processors
		if d, err := diskOf(&st); !errors.Is(err, errReadOnly) {
			t.Errorf("%s: got %+v, %v, want it left out", name, d, err)
		}
	}
}
