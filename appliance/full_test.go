//go:build linux

package appliance

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"

	"dashboard/appliance/card"
)

// smallCard returns the folder of a file system of 512 kB.
func smallCard(t *testing.T) string {
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=512k"); err != nil {
		if os.Getenv("DASHBOARD_CI") != "" && os.Geteuid() == 0 {
			t.Fatal(err)
		}
		t.Skip("needs root for a small file system:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, 0) }) // t.TempDir reports a folder that cannot be removed
	return dir
}

// fill writes a file that leaves `left` bytes of a card free.
func fill(t *testing.T, dir string, left int64) {
	t.Helper()
	ballast := filepath.Join(dir, "ballast")
	_ = os.Remove(ballast) // the first call has no such file
	free, err := freeOn(dir)
	if err == nil {
		err = os.WriteFile(ballast, make([]byte, free-left), 0o600)
	}
	if free, wrong := freeOn(dir); errors.Join(err, wrong) != nil || free != left {
		t.Fatalf("%v, %v: %d bytes are free, want %d", err, wrong, free, left)
	}
}

// A replaced file needs room for its copy with the ending .old and for the new file, even if both have the same size. Without this room,
// no file is written. A wall that the card already has needs no room at all.
func TestGrantWithCopies(t *testing.T) {
	const big = 100 << 10
	dir := smallCard(t)
	folder := filepath.Join(dir, card.ConfigFolder)
	wall := func(text string) fstest.MapFS {
		return fstest.MapFS{
			"family/conf.yaml": {Data: []byte("outputs: []\n# " + text)}, "family/widgets.yaml": {Data: []byte(strings.Repeat(text, big))},
			"family/photos/a.txt": {Data: []byte(text)},
		}
	}
	if err := grant(dir, wall("a"), wish); err != nil {
		t.Fatal(err)
	}
	before := read(t, filepath.Join(folder, "conf.yaml"))
	fill(t, dir, 2*big)
	if err := grant(dir, wall("b"), wish); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("without room for the copies: got %v, want a full card", err)
	}
	if got := read(t, filepath.Join(folder, "conf.yaml")); got != before {
		t.Errorf("conf.yaml: got %q, want the old file", got)
	}
	fill(t, dir, 0)
	if err := grant(dir, wall("a"), wish); err != nil {
		t.Errorf("the same wall: got %v", err)
	}
	fill(t, dir, 2*big+10*smallCluster)
	if err := grant(dir, wall("b"), wish); err != nil {
		t.Errorf("with room: got %v", err)
	}
}

// On a full card, a wall of the gallery is written completely or not at all, so that the files of two walls are not mixed.
func TestGrantOnFullCard(t *testing.T) {
	dir := smallCard(t)
	folder := filepath.Join(dir, card.ConfigFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"conf.yaml", "widgets.yaml"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	photo := []byte(strings.Repeat("x", 300<<10))
	wall := fstest.MapFS{
		"family/conf.yaml": {Data: []byte("outputs: []\n")}, "family/widgets.yaml": {Data: []byte("widget: {}\n")},
		"family/photos/a.jpg": {Data: photo}, "family/photos/b.jpg": {Data: photo},
	}
	if err := grant(dir, wall, wish); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("got %v, want a full card", err)
	}
	for _, name := range []string{"conf.yaml", "widgets.yaml"} {
		if got := read(t, filepath.Join(folder, name)); got != "mine" {
			t.Errorf("%s: got %q, want the old file", name, got)
		}
	}
	delete(wall, "family/photos/b.jpg")
	if err := grant(dir, wall, wish); err != nil {
		t.Errorf("with room: got %v", err)
	}
	if err := grant(dir, wall, wish); err != nil {
		t.Errorf("with the files already there: got %v", err)
	}
}
