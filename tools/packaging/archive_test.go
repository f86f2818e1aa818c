package main

import (
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var programs = []string{"dashboard", "dashboard-client"}

// boards maps the architectures of the packages to the machine code of their programs.
var boards = map[string]struct {
	machine elf.Machine
	goarm   string
}{
	"amd64": {elf.EM_X86_64, ""},
	"arm64": {elf.EM_AARCH64, ""},
	"armhf": {elf.EM_ARM, "6"}, // for the processor of a Pi Zero and a Pi 1
}

func TestCodeOfEveryBoard(t *testing.T) {
	for arch, want := range boards {
		for _, name := range programs {
			dir := t.TempDir()
			if out, err := exec.Command("dpkg-deb", "--extract", packageOf(t, name, arch), dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			path := filepath.Join(dir, "usr/bin", name)
			checkCode(t, arch+" "+name, path, want.machine)
			info, err := buildinfo.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			settings := map[string]string{}
			for _, s := range info.Settings {
				settings[s.Key] = s.Value
			}
			if settings["CGO_ENABLED"] != "0" || settings["GOARM"] != want.goarm {
				t.Errorf("%s %s: got CGO_ENABLED %s, GOARM %s, want 0, %q", arch, name, settings["CGO_ENABLED"], settings["GOARM"], want.goarm)
			}
		}
	}
}

// checkCode checks that a program is static and has the machine code of a board.
func checkCode(t *testing.T, what, path string, machine elf.Machine) {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Machine != machine {
		t.Errorf("%s: got code for %v, want %v", what, f.Machine, machine)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Errorf("%s needs a dynamic linker", what)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o755 {
		t.Errorf("%s: got mode %v, %v, want 0755", what, info.Mode(), err)
	}
}

// Only the code differs between boards, so lintian checks the packages of one board.
func TestLintian(t *testing.T) {
	args := []string{"--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0"}
	for _, name := range programs {
		args = append(args, packageOf(t, name, "armhf"))
	}
	out, err := exec.Command("lintian", args...).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "" {
		t.Errorf("lintian: %v\n%s", err, out)
	}
}
