package main

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
)

var windowsFolder = flag.String("windows", "", "`folder` of the Windows programs, which are run under Wine")

// A wine runs programs for Windows with Wine, in a separate Wine folder.
type wine struct {
	t           *testing.T
	prefix, dir string
}

// newWine returns a wine with an empty folder. If Wine or the programs are missing, the test is skipped.
func newWine(t *testing.T) *wine {
	t.Helper()
	if *windowsFolder == "" {
		t.Skip("no -windows: there are no programs to run; 'make windows-test' has them")
	}
	if _, err := exec.LookPath("wine"); err != nil {
		t.Skip("no wine on this machine (Debian: wine64 wine)")
	}
	w := &wine{t: t, prefix: filepath.Join(t.TempDir(), "prefix"), dir: t.TempDir()}
	_, _ = w.command("cmd", "/c", "exit").CombinedOutput() // creates the files of Windows in the folder
	system := filepath.Join(w.prefix, "drive_c", "windows", "system32")
	if _, err := os.Stat(filepath.Join(system, "bcryptprimitives.dll")); err == nil {
		return w
	}
	build := exec.Command("x86_64-w64-mingw32-gcc", "-shared", "-o", filepath.Join(system, "bcryptprimitives.dll"),
		filepath.Join(sourceDir, "testdata", "wine", "bcryptprimitives.c"), "-ladvapi32")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("this wine has no bcryptprimitives.dll, and it cannot be made (Debian: gcc-mingw-w64-x86-64-win32): %v %s", err, out)
	}
	return w
}

func (w *wine) command(args ...string) *exec.Cmd {
	cmd := exec.Command("wine", args...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), "WINEDEBUG=-all", "WINEPREFIX="+w.prefix)
	return cmd
}

// run runs one of our programs until it ends, and returns its output.
func (w *wine) run(program string, args ...string) string {
	w.t.Helper()
	out, err := w.command(append([]string{w.path(program)}, args...)...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}

func (w *wine) path(program string) string {
	path, err := filepath.Abs(filepath.Join(*windowsFolder, program+".exe"))
	if err != nil {
		w.t.Fatal(err)
	}
	return path
}

// TestWindows uses the programs for Windows as a user does. It writes a wall, checks it, draws it, shows it, and changes it.
func TestWindows(t *testing.T) {
	w := newWine(t)
	for _, program := range []string{"dashboard", "dashboard-client"} {
		if said := w.run(program, "--help"); !strings.Contains(said, program) {
			t.Errorf("%s --help says %s", program, said)
		}
	}
	w.run("dashboard", "init", "wall")
	if said := w.run("dashboard", "check", "wall"); !strings.Contains(said, "The configuration is right.") {
		t.Errorf("check says %s", said)
	}
	w.run("dashboard", "render", "--size", "800x480", "-o", "wall.png", "wall")
	data, err := os.ReadFile(filepath.Join(w.dir, "wall.png"))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != 800 || c.Height != 480 {
		t.Errorf("got a picture of %dx%d, %v", c.Width, c.Height, err)
	}
	w.watches()
}

// watches() shows a wall, saves one of its files, and waits until the wall shows the change.
func (w *wine) watches() {
	port := programtest.FreePort(w.t)
	cmd := w.command(w.path("dashboard"), "--listen", fmt.Sprintf("127.0.0.1:%d", port), "wall")
	log := &programtest.Log{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = w.command("wineserver", "-k").Run()
		if w.t.Failed() {
			w.t.Log(log)
		}
	}()
	programtest.Eventually(w.t, "the wall is served", func() bool {
		resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/frame?width=640&height=360", port))
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	files{"widgets.yaml": "widgets:\n  - {widget: empty, color: red}\n"}.write(w.t, filepath.Join(w.dir, "wall"))
	programtest.Eventually(w.t, "the saved file is taken over", func() bool { return log.Count("configuration reloaded") > 0 })
}
