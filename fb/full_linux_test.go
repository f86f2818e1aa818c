package fb_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"dashboard/fb"
	"dashboard/fb/fbtest"
)

// TestVirtualOnFullDrive: if a file does not fit on its drive, the error names this reason, and the file uses no room. After there is room,
// the file can be opened.
func TestVirtualOnFullDrive(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skip("no file system can be mounted: ", err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	other, path := filepath.Join(dir, "other"), filepath.Join(dir, "screen.raw")
	if err := os.WriteFile(other, make([]byte, 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	v := fb.Virtual{Width: 200, Height: 100, Format: fb.XRGB8888}
	if _, err := fb.OpenVirtual(path, v); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("got %v, want %v", err, unix.ENOSPC)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("got %v, %v, want an empty file", info, err)
	}
	old := filepath.Join(dir, "old.raw") // a reader uses the old picture until there is room for a larger one
	if err := os.WriteFile(old, []byte("picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := fb.OpenVirtual(old, v); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("a small file: got %v, want %v", err, unix.ENOSPC)
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "picture" {
		t.Errorf("a small file: got %d bytes, %v, want the old picture", len(data), err)
	}
	if err := os.Truncate(old, int64(v.Geometry().Size)); err != nil { // now the file has the length, but no blocks
		t.Fatal(err)
	}
	if _, err := fb.OpenVirtual(old, v); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("a file with holes: got %v, want %v", err, unix.ENOSPC)
	}
	if err := errors.Join(os.Remove(other), os.Remove(old)); err != nil {
		t.Fatal(err)
	}
	d := openVirtual(t, path, v, fb.Options{})
	mustDraw(t, d.DrawFrame(fbtest.Pattern(d.Bounds(), 1), nil))
	d.Halt()
}
