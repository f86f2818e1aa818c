package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program apt finds the packages in a repository that was created from these packages.
func TestRepository(t *testing.T) {
	deb := packageOf(t, "dashboard", "amd64")
	dir := t.TempDir()
	for _, path := range []string{deb, packageOf(t, "dashboard-client", "amd64")} {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), read(t, path), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("../../packaging/repository", dir, "1700000000").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	state := t.TempDir()
	for _, d := range []string{"lists/partial", "archives/partial"} {
		if err := os.MkdirAll(filepath.Join(state, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(state, "sources.list")
	if err := os.WriteFile(list, []byte("deb [trusted=yes] file:"+dir+"/apt stable main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	apt := func(program string, args ...string) string {
		options := []string{
			"-o", "Dir::Etc::sourcelist=" + list, "-o", "Dir::Etc::sourceparts=-", "-o", "Dir::State::lists=" + state + "/lists",
			"-o", "Dir::State::status=/dev/null", "-o", "Dir::Cache::archives=" + state + "/archives", "-o", "Dir::Cache::pkgcache=",
			"-o", "Dir::Cache::srcpkgcache=", "-o", "APT::Sandbox::User=root", "-o", "APT::Architecture=amd64", "-o", "APT::Architectures=amd64",
		}
		out, err := exec.Command(program, append(options, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v: %s", program, args, err, out)
		}
		return string(out)
	}
	if out := apt("apt-get", "update"); strings.Contains(out, "W:") || strings.Contains(out, "E:") {
		t.Errorf("apt-get update: %s", out)
	}
	if out := apt("apt-cache", "show", "dashboard"); !strings.Contains(out, "SHA256: ") || !strings.Contains(out, filepath.Base(deb)) {
		t.Errorf("apt-cache show: got %s, want %s", out, filepath.Base(deb))
	}
	if out := apt("apt-get", "--print-uris", "download", "dashboard-client"); !strings.Contains(out, "/apt/pool/dashboard-client_") {
		t.Errorf("download: got %s", out)
	}
}
