package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// suite and extra define the clean root, which has Debian's essential packages, systemd and apt.
const (
	suite = "trixie"
	extra = "systemd-sysv,apt"
)

// cleanRoot unpacks a new Debian system into a folder. The archive of this system stays in the user's cache.
func cleanRoot(t *testing.T) string {
	t.Helper()
	archive := cachedRoot(t)
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-C", dir, "--numeric-owner", "-xpf", archive).CombinedOutput(); err != nil {
		t.Fatalf("unpack %s: %v\n%s", archive, err, out)
	}
	for _, timer := range timers {
		if err := os.Symlink("/dev/null", filepath.Join(dir, "etc/systemd/system", timer)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// timers lists Debian's timers. They are masked, because each starts at a random time, writes files, and may lock the files of apt and
// dpkg.
var timers = []string{"apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer", "systemd-tmpfiles-clean.timer"}

func cachedRoot(t *testing.T) string {
	t.Helper()
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(suite + " " + extra))
	dir := filepath.Join(base, "dashboard")
	archive := filepath.Join(dir, "root-"+suite+"-"+hex.EncodeToString(sum[:4])+".tar")
	if _, err := os.Stat(archive); err == nil {
		return archive
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(t.TempDir(), "root.tar")
	cmd := exec.Command("mmdebstrap", "--mode=root", "--variant=essential", "--include="+extra, suite, fresh)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("mmdebstrap: %v\n%s", err, out)
	}
	keep(t, fresh, archive)
	return archive
}

// keep() moves a finished file to its place in one step.
func keep(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", from, to+".new").CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
	if err := os.Rename(to+".new", to); err != nil {
		t.Fatal(err)
	}
}
