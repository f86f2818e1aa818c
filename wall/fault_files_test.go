package wall

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"dashboard/internal/testing/thorough"
)

// refused() requests a reload that must fail. It checks that the wall stays the same and reports the reason.
func (b *binary) refused(says string) {
	b.t.Helper()
	b.reload()
	b.says(says)
	eventually(b.t, "a banner shows", func() bool { return b.pixel(1, testH-1) != red })
	if got := b.pixel(1, 1); got != red {
		b.t.Errorf("got %v on the wall, want it as it was", got)
	}
	if status, _ := b.get("/frame"); status != 200 {
		b.t.Errorf("/frame: got %d, want 200", status)
	}
}

// accepted() requests a reload that must succeed, and waits until the banner has disappeared.
func (b *binary) accepted() {
	b.t.Helper()
	b.reload()
	b.well()
	b.shows(1, testH-1, red)
}

// well() waits until /healthz reports no error in the files. It does not read the log, because a line of an earlier reload can appear after
// /healthz reports a newer error.
func (b *binary) well() {
	b.t.Helper()
	eventually(b.t, "/healthz reports no error", func() bool { return b.config().OK })
}

// says() waits until /healthz reports an error in the files that contains a text.
func (b *binary) says(text string) {
	b.t.Helper()
	eventually(b.t, fmt.Sprintf("/healthz says %q", text), func() bool { c := b.config(); return !c.OK && strings.Contains(c.Problem, text) })
	if !strings.Contains(b.text("/state"), text) {
		b.t.Errorf("the remote does not show %q", text)
	}
}

// launchThemed starts a wall that needs all of its files. If the test runs as root, the wall runs as an ordinary user.
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

// `nobody` is the id of a user who owns no files.
const nobody = 65534

// asNobody makes a program run as the user nobody, who has no special permissions but owns the program's folder.
func asNobody(t *testing.T, b *binary) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	// Only root can read the folder of the built program, so copy the program to another folder.
	path := filepath.Join(t.TempDir(), "dashboard")
	data, err := os.ReadFile(b.Cmd.Path)
	if err != nil {
		t.Fatal(err)
	}
	// Another test may start a process at this moment. That process would inherit the open file,
	// and a file that is open for writing cannot be executed.
	syscall.ForkLock.RLock()
	err = os.WriteFile(path, data, 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(b.dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(b.dir), 0o755); err != nil { // the parent of the test's folders must be readable too
		t.Fatal(err)
	}
	b.Cmd.Path = path
	b.Cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// The test repeats the same steps for each file of the configuration. The file is missing at a reload and exists at the next reload. Then
// it is unreadable at a reload and readable at the next reload.
func TestFilesVanish(t *testing.T) {
	thorough.Only(t)
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

// The folder of the configuration is missing, unreadable, or replaced by another folder of the same name.
func TestFolderVanishes(t *testing.T) {
	thorough.Only(t)
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
	// Repeat the reload, because the output searches for its lost screen only when the wall is painted.
	eventually(t, "the new folder's wall", func() bool {
		b.reload()
		return b.pixel(1, 1) == blue
	})
	step(os.RemoveAll(b.dir + ".old"))
	b.change(themed(b.port))
	b.shows(1, 1, red)
}

// refusedUnseen is like refused, but works while the file of the screen cannot be found.
func (b *binary) refusedUnseen(says string) {
	b.t.Helper()
	b.reload()
	b.says(says)
	if status, _ := b.get("/frame"); status != 200 {
		b.t.Errorf("/frame: got %d, want 200", status)
	}
}
