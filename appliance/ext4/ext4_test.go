package ext4

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tool returns the path of a program that is not in every user's PATH.
func tool(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{name, "/usr/sbin/" + name, "/sbin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	t.Skipf("no %s here", name)
	return ""
}

// made() returns a file system like the appliance's data partition. It is so small that it has no second superblock.
func made(t *testing.T) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.ext4")
	if out, err := exec.Command(tool(t, "mke2fs"), "-q", "-F", "-t", "ext4", "-O", "metadata_csum", "-b", "4096", path, "16M").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// check checks a file system as the appliance does. It returns e2fsck's output if e2fsck refuses the file system.
func check(t *testing.T, f *os.File) string {
	t.Helper()
	out, err := exec.Command(tool(t, "e2fsck"), "-f", "-p", f.Name()).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 1 {
		return string(out)
	}
	return ""
}

// The test simulates a power cut: the first sector of the superblock is new. The second sector, which contains the checksum, is old.
func TestMendSuper(t *testing.T) {
	f := made(t)
	if torn, err := MendSuper(f); torn || err != nil {
		t.Errorf("a whole one: got %v, %v", torn, err)
	}
	const atMounts = superAt + 0x34
	if _, err := f.WriteAt([]byte{7}, atMounts); err != nil {
		t.Fatal(err)
	}
	if said := check(t, f); !strings.Contains(said, "checksum") {
		t.Fatalf("torn, e2fsck said %q, want that it is not taken", said)
	}
	if torn, err := MendSuper(f); !torn || err != nil {
		t.Errorf("a torn one: got %v, %v", torn, err)
	}
	if said := check(t, f); said != "" {
		t.Errorf("mended, e2fsck said %q", said)
	}
	if err := Check(f); err != nil {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	f := made(t)
	if _, err := f.WriteAt([]byte{hasError | 1}, superAt+atState); err != nil {
		t.Fatal(err)
	}
	if err := Check(f); !errors.Is(err, ErrMistake) {
		t.Errorf("got %v, want %v", err, ErrMistake)
	}
	if _, err := f.WriteAt([]byte{0}, superAt+atMagic); err != nil {
		t.Fatal(err)
	}
	if err := Check(f); !errors.Is(err, ErrNone) {
		t.Errorf("got %v, want %v", err, ErrNone)
	}
	if _, err := MendSuper(f); !errors.Is(err, ErrNone) {
		t.Errorf("got %v, want %v", err, ErrNone)
	}
	if err := f.Truncate(superAt); err != nil {
		t.Fatal(err)
	}
	if err := Check(f); err == nil {
		t.Error("a short one: got no error")
	}
}
