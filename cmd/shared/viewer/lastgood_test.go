package viewer

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dashboard/internal/testing/programtest"
)

// startAgain runs the remote screen in the folder `dir` with the option --keep-going.
func startAgain(t *testing.T, dir, client string, args ...string) *viewerProcess {
	t.Helper()
	v := &viewerProcess{t: t, dir: dir}
	programtest.Write(t, dir, map[string]string{"client.yaml": client})
	v.Process = programtest.Start(t, program(t, Name), dir, nil, append([]string{"--config-dir", dir, "--keep-going"}, args...)...)
	return v
}

// TestKeepGoing checks a start with an error in the files. The screen shows the wall of the last settings without errors. When the file
// is fixed, the program uses it without a restart. Only the owner can read the stored files.
func TestKeepGoing(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	dir, kept := t.TempDir(), t.TempDir()
	middle := image.Pt(screenSize.X/2, screenSize.Y/2)
	v := startAgain(t, dir, conf(w.url(), "", ""), "--state-dir", kept)
	v.shows(middle, red)
	v.End(syscall.SIGTERM)
	files, err := filepath.Glob(filepath.Join(kept, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v: want the one file that is kept", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
	os.Remove(filepath.Join(dir, "screen.raw"))
	v = startAgain(t, dir, strings.Replace(conf(w.url(), "", ""), "server:", "serverr:", 1), "--state-dir", kept)
	v.shows(middle, red)
	v.Says("the last working settings")
	programtest.Eventually(t, "a badge tells the mistake", func() bool { return v.pixel(image.Pt(screenSize.X-20, screenSize.Y-10)) != red })
	w.change(plain("blue"))
	v.shows(middle, blue)
	programtest.Write(t, dir, map[string]string{"client.yaml": conf(w.url(), ", stale_after: 60", "")})
	v.Says("configuration reloaded")
	v.shows(middle, blue)
	v.shows(image.Pt(screenSize.X-20, screenSize.Y-10), blue)
}

// TestKeepGoingCard checks a start with an error when no settings are stored. The screen shows the error, and the program sends no
// request. Without the option --keep-going, the error ends the program.
func TestKeepGoingCard(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	dir := t.TempDir()
	wrong := strings.Replace(conf(w.url(), "", ""), "url:", "ulr:", 1)
	v := startAgain(t, dir, wrong, "--state-dir", "none")
	v.Says("the screen shows it")
	programtest.Eventually(t, "a card is shown", func() bool {
		raw, err := os.ReadFile(filepath.Join(dir, "screen.raw"))
		seen := map[byte]bool{}
		for _, b := range raw {
			seen[b] = true
		}
		return err == nil && len(seen) > 20 // more than two colors, because the edges of letters are smooth
	})
	v.Signal(syscall.SIGUSR1)
	v.Says("reload refused")
	programtest.Write(t, dir, map[string]string{"client.yaml": conf(w.url(), "", "")})
	v.shows(image.Pt(screenSize.X/2, screenSize.Y/2), red)

	hand := t.TempDir()
	programtest.Write(t, hand, map[string]string{"client.yaml": wrong})
	p := programtest.Start(t, program(t, Name), hand, nil, "--config-dir", hand)
	p.Says("the configuration is wrong")
}

// Without client.yaml, the screen searches for a wall. When a person creates the file, the screen reads the file.
func TestKeepGoingWithoutFile(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	v := &viewerProcess{t: t, dir: t.TempDir()}
	v.Process = programtest.Start(t, program(t, Name), v.dir, nil, "--config-dir", v.dir, "--keep-going", "--state-dir", "none")
	v.Says("looking for a dashboard")
	programtest.Write(t, v.dir, map[string]string{"client.yaml": conf(w.url(), "", "")})
	v.shows(image.Pt(screenSize.X/2, screenSize.Y/2), red)
}
