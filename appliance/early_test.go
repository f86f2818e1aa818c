//go:build linux

package appliance

import (
	"os"
	"path/filepath"
	"testing"
)

// When the data partition is mounted, state in memory is copied to the partition. Existing files on the partition stay.
func TestCopyMissing(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "dashboard"), filepath.Join(t.TempDir(), "dashboard")
	for path, text := range map[string]string{
		from + "/token": "new", from + "/photos/one": "picture", from + "/pairs": "early", to + "/pairs": "kept", to + "/photos/two": "older",
	} {
		if err := put(path, func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", from+"/link"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(from+"/photos/one", 0o640); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second call changes nothing
		if err := copyMissing(from, to); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"token": "new", "photos/one": "picture", "pairs": "kept", "photos/two": "older"} {
		if got := read(t, filepath.Join(to, name)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if info, err := os.Stat(to + "/photos/one"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got %v, %v, want the rights of the original", info, err)
	}
	if _, err := os.Lstat(to + "/link"); err == nil {
		t.Error("a link was copied: it may lead anywhere")
	}
}

// keepEarly also copies the files next to the programs' folders, because a login by ssh needs the machine's key.
func TestKeepEarlyFile(t *testing.T) {
	dir := t.TempDir()
	under := filepath.Join(dir, "under")
	for path, text := range map[string]string{filepath.Join(under, "ssh.key"): "key", filepath.Join(dir, "private/other"): "kept"} {
		if err := put(path, func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(under)
	if err := keepEarly(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "private/ssh.key")); got != "key" {
		t.Errorf("got %q, want the key", got)
	}
}
