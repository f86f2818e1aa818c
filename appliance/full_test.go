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

// On a full card, a wall of the gallery is written completely or not at all, so that the files of two walls are not mixed.
func TestGrantOnFullCard(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=512k"); err != nil {
		if os.Getenv("DASHBOARD_CI") != "" && os.Geteuid() == 0 {
			t.Fatal(err)
		}
		t.Skip("needs root for a small file system:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, 0) }) // t.TempDir reports a folder that cannot be removed
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
