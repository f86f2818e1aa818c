package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// script runs a maintainer script of the package dashboard as in a system without systemd. All its paths are below the folder `root`.
func script(t *testing.T, root, name string, args ...string) {
	t.Helper()
	text, err := os.ReadFile("../../packaging/" + name)
	if err != nil {
		t.Fatal(err)
	}
	below := strings.NewReplacer("/etc/", root+"/etc/", "/usr/share/", root+"/usr/share/", "/var/lib/", root+"/var/lib/", "/run/", root+"/run/").Replace(string(text))
	cmd := exec.Command("sh", append([]string{"-c", below, name}, args...)...)
	cmd.Env = append(os.Environ(), "DPKG_MAINTSCRIPT_PACKAGE=dashboard")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}

// A purge removes the package's example if it is unchanged. It keeps every file of the administrator: a file that is older than the
// package, a changed file, and a file that only an example of another version contains.
func TestPurgeKeepsOwnFiles(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"conf.yaml", "widgets.yaml", "providers.yaml"} {
		write("usr/share/dashboard/wall/"+name, "example")
	}
	write("var/lib/misc/x", "")
	write("etc/dashboard/conf.yaml", "example") // the same text as the example, but the administrator has written it
	script(t, root, "postinst", "configure", "")
	write("etc/dashboard/widgets.yaml", "changed")
	write("etc/dashboard/portrait.yaml", "own")
	write("etc/dashboard/themes/day.yaml", "own")
	script(t, root, "postrm", "purge")
	for name, kept := range map[string]bool{"conf.yaml": true, "widgets.yaml": true, "providers.yaml": false, "portrait.yaml": true, "themes/day.yaml": true} {
		if _, err := os.Stat(filepath.Join(root, "etc/dashboard", name)); (err == nil) != kept {
			t.Errorf("%s: got %v, want it kept: %v", name, err, kept)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "var/lib/misc/dashboard.sha256")); err == nil {
		t.Error("the list of the example's sums is left")
	}
}
