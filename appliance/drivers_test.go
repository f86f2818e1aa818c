//go:build linux

package appliance

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// openScreens gives only the devices of screens to the group video.
func TestScreensAreOpened(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("it gives files to a group")
	}
	dev := t.TempDir()
	if err := os.Mkdir(filepath.Join(dev, "dri"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fb0", "dri/card0", "dri/card1", "dri/renderD128", "mem"} {
		if err := os.WriteFile(filepath.Join(dev, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	openScreens(dev)
	for name, want := range map[string]bool{"fb0": true, "dri/card0": true, "dri/card1": true, "dri/renderD128": false, "mem": false} {
		info, err := os.Stat(filepath.Join(dev, name))
		if err != nil {
			t.Fatal(err)
		}
		st, _ := info.Sys().(*syscall.Stat_t)
		if got := st.Gid == videoGroup && info.Mode().Perm() == 0o660; got != want {
			t.Errorf("%s: group %d, %v; want it opened: %v", name, st.Gid, info.Mode(), want)
		}
	}
}
