package wall

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// refused requests a reload that cannot work, and checks that the wall stays and reports the reason.
func (b *binary) refused(says string) {
	b.t.Helper()
	before := reloads(b.Log)
	b.Signal(syscall.SIGUSR1)
	eventually(b.t, "the reload is refused", func() bool { return reloads(b.Log) > before })
	eventually(b.t, "a banner shows", func() bool { return b.pixel(1, testH-1) != red })
	if got := b.pixel(1, 1); got != red {
		b.t.Errorf("got %v on the wall, want it as it was", got)
	}
	if c := b.config(); c.OK || !strings.Contains(c.Problem, says) {
		b.t.Errorf("healthz: got %+v, want %q", c, says)
	}
	if status, _ := b.get("/frame"); status != 200 {
		b.t.Errorf("/frame: got %d, want 200", status)
	}
}

// accepted requests a reload that works again, and waits for the banner to go.
func (b *binary) accepted() {
	b.t.Helper()
	before := reloads(b.Log)
	b.Signal(syscall.SIGUSR1)
	eventually(b.t, "reload", func() bool { return reloads(b.Log) > before })
	b.shows(1, testH-1, red)
	if c := b.config(); !c.OK {
		b.t.Errorf("healthz: got %+v, want it well", c)
	}
}

// launchThemed starts a wall that needs all its files, as an ordinary user if we are root.
func launchThemed(t *testing.T) *binary {
	t.Helper()
	port := freePort(t)
	b := prepare(t, port, themed(port))
	asNobody(t, b)
	b.Run()
	b.shows(1, 1, red)
	b.serves("/frame", 200)
	return b
}

// nobody is the number of the user without files.
const nobody = 65534

// asNobody runs a program as a user without root's permissions, who owns its folder.
func asNobody(t *testing.T, b *binary) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	// The built program is in a folder of root alone.
	path := filepath.Join(t.TempDir(), "dashboard")
	data, err := os.ReadFile(b.Cmd.Path)
	if err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock() // a process that another test starts meanwhile would have the file open, and it could not be executed
	err = os.WriteFile(path, data, 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(b.dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(b.dir), 0o755); err != nil { // it holds the folders of this test
		t.Fatal(err)
	}
	b.Cmd.Path = path
	b.Cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// Every file of the configuration is missing at a reload, or may not be read, and is there again at the next one.
func TestFilesVanish(t *testing.T) {
	t.Parallel()
	b := launchThemed(t)
	for _, name := range slices.Sorted(maps.Keys(themed(b.port))) {
		path := filepath.Join(b.dir, name)
		step := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s %s: %v", what, name, err)
			}
		}
		step("move", os.Rename(path, path+".away"))
		b.refused(strings.TrimSuffix(name, ".yaml"))
		step("move back", os.Rename(path+".away", path))
		b.accepted()

		step("close", os.Chmod(path, 0))
		b.refused("not readable")
		step("open", os.Chmod(path, 0o644))
		b.accepted()
	}
}

// The folder of the configuration is gone, closed, or another one of the same name.
func TestFolderVanishes(t *testing.T) {
	t.Parallel()
	b := launchThemed(t)
	step := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	step(os.Chmod(b.dir, 0))
	b.refusedUnseen("not readable")
	step(os.Chmod(b.dir, 0o755))
	b.accepted()

	step(os.Rename(b.dir, b.dir+".away"))
	b.refusedUnseen("no such file")
	step(os.Rename(b.dir+".away", b.dir))
	b.accepted()

	step(os.Rename(b.dir, b.dir+".old"))
	step(os.Mkdir(b.dir, 0o755))
	themed(b.port).with("day.yaml", "colors: {wall: blue}\n").write(t, b.dir)
	if os.Geteuid() == 0 {
		step(os.Chown(b.dir, nobody, nobody))
	}
	eventually(t, "the new folder's wall", func() bool { // each reload is painted, and a painter who sees no screen looks for it
		b.Signal(syscall.SIGUSR1)
		return b.pixel(1, 1) == blue
	})
	step(os.RemoveAll(b.dir + ".old"))
	b.change(themed(b.port))
	b.shows(1, 1, red)
}

// refusedUnseen is refused while the file of the screen is out of sight.
func (b *binary) refusedUnseen(says string) {
	b.t.Helper()
	b.Signal(syscall.SIGUSR1)
	eventually(b.t, "the reload is refused", func() bool { c := b.config(); return !c.OK && strings.Contains(c.Problem, says) })
	if status, _ := b.get("/frame"); status != 200 {
		b.t.Errorf("/frame: got %d, want 200", status)
	}
}
