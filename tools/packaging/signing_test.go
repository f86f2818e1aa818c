package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSignatures checks that KEY signs the checksums of a release, that gpg accepts this signature, and that it rejects a changed list.
func TestSignatures(t *testing.T) {
	if _, err := exec.LookPath("gpg"); err != nil && os.Getenv("DASHBOARD_CI") == "" {
		t.Skip("needs gpg:", err)
	}
	home, err := os.MkdirTemp("", "gpg") // this path is short, because the path of a socket may have at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "GNUPGHOME="+home, "KEY=owner@example.org")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	t.Cleanup(func() {
		_, _ = run("gpgconf", "--kill", "all") // the agent ends itself when its folder is removed
		os.RemoveAll(home)
	})
	if out, err := run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "owner@example.org", "ed25519", "sign"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range map[string]string{"a.deb": "a", "dashboard.img.xz": "b", "dashboard.img": "c", "SHA256SUMS": "old", "SHA256SUMS.asc": "old"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := run("../../packaging/checksums", dir); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sums := filepath.Join(dir, "SHA256SUMS")
	text := string(read(t, sums))
	if strings.Count(text, "\n") != 2 || !strings.Contains(text, "  a.deb\n") || !strings.Contains(text, "  dashboard.img.xz\n") {
		t.Errorf("got %q, want the two published files", text)
	}
	if out, err := run("gpg", "--verify", sums+".asc", sums); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if err := os.WriteFile(sums, []byte(text+"0  c.deb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := run("gpg", "--verify", sums+".asc", sums); err == nil {
		t.Error("gpg accepts a changed list")
	}
}
