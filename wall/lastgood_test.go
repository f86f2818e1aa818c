package wall

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If any file has an error, the program starts with the configuration that was shown last. The wall
// also shows the error. As soon as the file is fixed, the wall uses it.
func TestKeepGoing(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	good := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red"), "providers.yaml": "providers:\n  sun: {type: sun, latitude: 1, longitude: 2}\n"}
	for name, wrong := range map[string]string{
		"conf.yaml": "graphics: [", "widgets.yaml": "widgets:\n  - {widget: emty}\n", "providers.yaml": "providers: 7\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := startAt(site{t, t.TempDir(), port}, good, "--keep-going")
			p.shows(testW/2, testH-10, red)
			p.end()
			p = startAt(p.site, files{name: wrong}, "--keep-going")
			eventually(t, "the wall says at its foot that something is wrong", func() bool { return p.pixel(testW/2, testH-10) != red })
			p.shows(testW/2, 2, red)
			eventually(t, "/healthz says what is wrong with "+name, func() bool {
				_, body := p.get("/healthz")
				return strings.Contains(body, name+":") && strings.Contains(body, `"ok":false`)
			})
			right := good.with("widgets.yaml", plainWall("blue"))
			if name != "widgets.yaml" {
				replace(t, p.dir, "widgets.yaml", right["widgets.yaml"])
			}
			replace(t, p.dir, name, right[name]) // replace the broken file last, because the wall stops watching when all files are valid
			p.shows(testW/2, testH-10, blue)
			p.serves("/healthz", http.StatusOK)
			p.end()
		})
	}
}

// If widgets.yaml has an error and no configuration is stored, the outputs of conf.yaml show the wall `plain`, a clock. The program runs
// with --keep-going.
func TestKeepGoingBuiltIn(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p := startAt(site{t, t.TempDir(), port}, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": "widgets: {\n"}, "--keep-going", "--state-dir", "none")
	p.serves("/frame", http.StatusOK)
	if p.log.Count("a clock") != 1 {
		t.Error("the log does not say what is shown instead")
	}
	replace(t, p.dir, "widgets.yaml", plainWall("red"))
	p.shows(testW/2, testH/2, red)
}

// The editor of an empty folder begins without an error in the log. If only one file is missing, the log has the error.
func TestEditorOfEmptyFolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  files
		errors bool
	}{"empty": {}, "no conf.yaml": {files{"widgets.yaml": plainWall("red")}, true}} {
		port := freePort(t)
		p := startAt(site{t, t.TempDir(), port}, c.files, "--keep-going", "--screenless", "--state-dir", "none", "--listen", fmt.Sprintf("127.0.0.1:%d", port))
		p.serves("/edit/", http.StatusOK)
		if got := p.log.Count("level=ERROR") > 0; got != c.errors || p.log.Count("no wall in this folder yet") != map[bool]int{true: 0, false: 1}[c.errors] {
			t.Errorf("%s: got an error %v, want %v", name, got, c.errors)
		}
	}
}

// Without --keep-going, an error in the files ends the program with the status 1.
func TestMistakesEndAStartByHand(t *testing.T) {
	port := freePort(t)
	p := startAt(site{t, t.TempDir(), port}, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": "widgets: {\n"})
	if status := <-p.ended; status != 1 {
		t.Errorf("got status %d, want 1", status)
	}
	p.ended <- 1
}

// Only the owner can read the stored configuration, because it contains secrets.
func TestKeptConfigIsPrivate(t *testing.T) {
	port, dir := freePort(t), t.TempDir()
	p := startAt(site{t, t.TempDir(), port}, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}, "--state-dir", dir)
	p.shows(1, 1, red)
	var kept []string
	eventually(t, "the configuration is kept", func() bool {
		kept, _ = filepath.Glob(filepath.Join(dir, lastGood+"-*"))
		return len(kept) == 1
	})
	if info, err := os.Stat(kept[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v %v, want a file for its owner alone", info, err)
	}
}
