//go:build linux

package parts

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/internal/testing/programtest"
)

// inside is true if the tests run in a machine of the rig. The first process of that machine has loaded the drivers.
var inside = flag.Bool("inside", false, "run in a machine of the rig")

const (
	dashboard = "/dashboard"
	client    = "/dashboard-client"
	screen    = "/dev/fb0"
	server    = "http://127.0.0.1:5000"
	// patience is the maximum time to wait for an event. The machine is emulated, and its host may be busy.
	patience = programtest.Patience
	// quiet is the time for which an event must not happen.
	quiet = 2 * time.Second
	again = 10 * time.Millisecond
)

// need() skips a test that does not run in the rig's machine. In the machine, it configures the loopback interface.
func need(t *testing.T) {
	t.Helper()
	if !*inside {
		t.Skip("make device-test runs it in a machine of its own")
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	defer unix.Close(fd)
	q, err := unix.NewIfreq("lo")
	must(t, err)
	q.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	must(t, unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, q))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until a condition is true.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(again) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// A program is a dashboard that shows a wall on the screen.
type program struct {
	t      *testing.T
	folder string
	cmd    *exec.Cmd
	log    programtest.Log
	ended  chan struct{}
}

// conf() returns a configuration. `keys` contains top-level keys, and `window` contains keys of the window.
func conf(keys, window string) string {
	return fmt.Sprintf("graphics: {resolution: [320, 240], motion: reduced%s}\noutputs:\n  - {type: window, device: %s, tty: none, fullscreen: true%s}\n  - {type: stream}\nserver: {host: 127.0.0.1, port: 5000}\n%s\n",
		"", screen, window, keys)
}

const plainWall = "widgets: [{widget: empty, color: teal}]\n"

// run starts the dashboard, and waits until it shows the wall.
func run(t *testing.T, conf, wall string) *program {
	t.Helper()
	p := &program{t: t, folder: t.TempDir(), ended: make(chan struct{})}
	p.write(conf, wall)
	p.start(dashboard)
	eventually(t, "the wall: "+p.log.String(), func() bool {
		r, err := http.Get(server + "/power")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
	return p
}

// start starts a program in its folder. The program ends with the test.
func (p *program) start(path string) {
	p.t.Helper()
	p.cmd = exec.Command(path, "--config-dir", p.folder)
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	must(p.t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait() // only the end counts
		close(p.ended)
	}()
	p.t.Cleanup(p.end)
}

// write writes the files of the configuration.
func (p *program) write(conf, wall string) {
	p.t.Helper()
	must(p.t, os.WriteFile(filepath.Join(p.folder, "conf.yaml"), []byte(conf), 0o644))
	must(p.t, os.WriteFile(filepath.Join(p.folder, "widgets.yaml"), []byte(wall), 0o644))
}

// reload writes other files and makes the dashboard load them.
func (p *program) reload(conf, wall string) {
	p.t.Helper()
	const word = "configuration reloaded"
	before := p.log.Count(word)
	p.write(conf, wall)
	must(p.t, p.cmd.Process.Signal(syscall.SIGUSR1))
	eventually(p.t, word, func() bool { return p.log.Count(word) > before })
}

// end ends the program as systemd does. The program may have ended already.
func (p *program) end() {
	p.t.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		p.t.Errorf("it does not end:\n%s", p.log.String())
	}
	if p.t.Failed() {
		p.t.Logf("the dashboard said:\n%s", p.log.String())
	}
}

// post sends JSON to a path.
func (p *program) post(path, body string) {
	p.t.Helper()
	r, err := http.Post(server+path, "application/json", strings.NewReader(body))
	must(p.t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode/100 != 2 {
		p.t.Fatalf("POST %s %s: %d %s %v", path, body, r.StatusCode, text, err)
	}
}

// get reads JSON from a path.
func (p *program) get(path string, v any) {
	p.t.Helper()
	r, err := http.Get(server + path)
	must(p.t, err)
	defer r.Body.Close()
	must(p.t, json.NewDecoder(r.Body).Decode(v))
}

// A state holds the values of the response of /power that the tests use.
type state struct {
	On         bool
	Brightness *float64
	Screens    []struct{ Backend, Dimmer, Problem *string }
}

func (p *program) state() (s state) {
	p.t.Helper()
	p.get("/power", &s)
	return s
}

// by() reports whether the screen has the requested state, and whether the given backend has switched it.
func (p *program) by(on bool, backend string) bool {
	s := p.state()
	return s.On == on && len(s.Screens) == 1 && s.Screens[0].Backend != nil && *s.Screens[0].Backend == backend
}

// power switches the screen manually, and waits until the given backend has switched it. Before the call, the screen must have the
// opposite state. When power returns, the dashboard has handled all earlier requests too.
func (p *program) power(on bool, backend string) {
	p.t.Helper()
	word := fmt.Sprintf("\"screen switched\" on=%v", on)
	before := p.log.Count(word)
	p.post("/power", fmt.Sprintf(`{"state": %q}`, map[bool]string{true: "on", false: "off"}[on]))
	eventually(p.t, word, func() bool { return p.log.Count(word) > before })
	eventually(p.t, fmt.Sprintf("%v by %s", on, backend), func() bool { return p.by(on, backend) })
}

// leaveTime is a little less than 1.4 s, the limit within which an ending program tries to restore its screens.
const leaveTime = 1300 * time.Millisecond

// leaves() ends the program and checks that the screen is restored. If the program needed longer than leaveTime, it may have given up.
// Then leaves() calls `anew`, which starts the program again and switches the screen off, and repeats the check.
func (p *program) leaves(restored func() bool, anew func() *program) {
	p.t.Helper()
	for range 10 {
		began := time.Now()
		must(p.t, p.cmd.Process.Signal(syscall.SIGTERM))
		<-p.ended
		took := time.Since(began)
		for end := time.Now().Add(quiet); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if restored() {
				return
			}
		}
		if took < leaveTime {
			p.t.Fatalf("the screen is not restored, although the program ended within %v", took)
		}
		p = anew()
	}
	p.t.Fatal("the screen is never restored")
}

// probed() returns the output of the command "display probe".
func probed(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(dashboard, "display", "probe").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// tells() waits until the output of the command "display probe" contains a sentence. It repeats the command, because a device of the
// emulated machine may answer too late.
func tells(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(again) {
		got := probed(t)
		if strings.Contains(got, want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("display probe does not say %q:\n%s", want, got)
		}
	}
}

// connector() replaces the kernel's list of connectors by a list with one connector: HDMI-A-1 with a screen. `ddc` is the name of the
// connector's I2C adapter, such as i2c-0. QEMU's card has no HDMI and no such adapter.
func connector(t *testing.T, ddc string) {
	t.Helper()
	const list = "/sys/class/drm"
	must(t, unix.Mount("tmpfs", list, "tmpfs", 0, ""))
	t.Cleanup(func() { _ = unix.Unmount(list, unix.MNT_DETACH) })
	dir := filepath.Join(list, "card0-HDMI-A-1")
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "status"), []byte("connected\n"), 0o644))
	if ddc != "" {
		must(t, os.Symlink("../../"+ddc, filepath.Join(dir, "ddc")))
	}
}
