package viewer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

func TestSignals(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // a server that accepts connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	w := startWall(t, plain("red"), "")
	for name, url := range map[string]string{
		"connected": w.url(), "silent": "http://" + silent.Addr().String(), "refused": fmt.Sprintf("http://127.0.0.1:%d", programtest.FreePort(t)),
	} {
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(fmt.Sprintf("%s, %v", name, s), func(t *testing.T) {
				v := startViewer(t, conf(url, "", ""))
				v.Says("msg=screen")
				if status, took := v.End(s); status != 0 || took > programtest.Patience/3 {
					t.Errorf("got status %d after %v, want 0 soon", status, took)
				}
				if v.Log.Count("leaving behind") > 0 {
					t.Error("something hung")
				}
			})
		}
	}
}

// TestSystemd checks the messages to systemd.
func TestSystemd(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	told := make(chan string, 10_000) // enough for the watchdog's messages while the test does not read them
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := c.Read(buf)
			if err != nil {
				return
			}
			told <- string(buf[:n])
		}
	}()
	hears := func(want string) {
		t.Helper()
		for limit := time.After(programtest.Patience); ; {
			select {
			case got := <-told:
				if strings.HasPrefix(got, want) {
					return
				}
			case <-limit:
				t.Fatalf("systemd was not told %s", want)
			}
		}
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", programtest.FreePort(t))
	v := startViewer(t, conf(url, "", ""), "NOTIFY_SOCKET="+path, "WATCHDOG_USEC=400000")
	hears("READY=1")
	hears("WATCHDOG=1")
	hears("WATCHDOG=1") // the watchdog's messages continue although the screen does not change
	v.Signal(syscall.SIGUSR1)
	hears("RELOADING=1\nMONOTONIC_USEC=")
	hears("READY=1")
	v.Signal(syscall.SIGTERM)
	hears("STOPPING=1")
}

// TestReload checks changes of client.yaml. A file with errors changes nothing. A valid file is applied completely.
func TestReload(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	v := startViewer(t, conf(w.url(), "", ""))
	v.shows(middle, red)
	v.reload("server: {url: 1\n", "reload refused")
	v.wants(middle, red)
	v.reload(conf(w.url(), "", "logging: {level: debug}\n"), "configuration reloaded")
	programtest.Eventually(t, "the panel", func() bool { return v.pixel(corner.Mul(4)) != red })
	v.reload(conf(w.url(), "", ""), "configuration reloaded")
	v.shows(corner.Mul(4), red)
	turned := strings.Replace(conf(w.url(), "", ""), "device: screen.raw", "device: turned.raw, rotate: 90, format: rgb565", 1)
	v.reload(turned, "configuration reloaded")
	raw := func() []byte {
		raw, _ := os.ReadFile(filepath.Join(v.dir, "turned.raw"))
		return raw
	}
	at := 2*(middle.Y*screenSize.X+middle.X) + 1 // red is 0xf800, and the low byte comes first
	programtest.Eventually(t, "red on the other screen", func() bool { m := raw(); return len(m) > at && m[at] == 0xf8 })
	if got, want := len(raw()), 2*screenSize.X*screenSize.Y; got != want {
		t.Errorf("got %d bytes, want %d", got, want)
	}
	outage(w)
	programtest.Eventually(t, "an outage", func() bool { return v.outages() == 1 })
	v.reload(conf(w.url(), "", ""), "configuration reloaded")
	v.shows(middle, red) // the frame is still shown, although its service has ended
}

// TestFolderReplaced replaces the folder by another folder with the same name, as when a new
// configuration is unpacked. A reload then reads the new folder.
func TestFolderReplaced(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	v := startViewer(t, conf(w.url(), "", ""))
	v.shows(middle, red)
	if err := errors.Join(os.Rename(v.dir, v.dir+".old"), os.Mkdir(v.dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	v.reload(conf(w.url(), "", "logging: {level: debug}\n"), "configuration reloaded")
	// The screen writes to a file in the moved folder until fb.Keeper checks the file the next time. Then fb.Keeper opens a file in the
	// new folder.
	folders := []string{v.dir, v.dir + ".old"}
	programtest.Eventually(t, "the panel", func() bool {
		return slices.ContainsFunc(folders, func(dir string) bool {
			v.dir = dir
			dimmed := v.pixel(corner.Mul(4)).R
			return dimmed > 0 && dimmed < red.R
		})
	})
}

// TestScreenLater starts the program before the screen exists.
func TestScreenLater(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	v := startViewer(t, strings.Replace(conf(w.url(), "", ""), "device: screen.raw", "device: later/screen.raw", 1))
	v.Says("the display shows nothing")
	if err := os.Mkdir(filepath.Join(v.dir, "later"), 0o755); err != nil {
		t.Fatal(err)
	}
	v.dir = filepath.Join(v.dir, "later")
	v.shows(middle, red)
	v.Says("the display shows frames again")
}

// call runs the program in this process, in the folder `dir`, until it ends.
func call(t *testing.T, dir string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(dir)
	var out, errs bytes.Buffer
	status = run(context.Background(), "dev", args, &out, &errs, nil)
	return status, out.String(), errs.String()
}

func TestCommandLine(t *testing.T) {
	good := conf("http://wall:5000", "", "")
	bad := strings.Replace(good, "reconnect_delay", "reconect_delay", 1)
	t.Setenv("XDG_CONFIG_HOME", "/nowhere")
	for _, c := range []struct {
		name   string
		file   string // content of client.yaml; "": there is no file
		args   []string
		status int
		stdout string
		stderr string
	}{
		{"help", "", []string{"--help"}, 0, "dashboard-client [options] [DIR]", ""},
		{"version", "", []string{"--version"}, 0, "dashboard-client dev", ""},
		{"completion", "", []string{"completion", "bash"}, 0, "__start_dashboard-client", ""},
		{"unknown option", "", []string{"--confg", "x"}, 2, "", "dashboard-client: unknown option --confg; is --config meant?"},
		{"unknown level", "", []string{"--log-level", "loud"}, 2, "", "none of debug, info, warning"},
		{"misspelt command", "", []string{"chek"}, 2, "", `there is no command "chek"; is 'check' meant?`},
		{"two folders", good, []string{"--config-dir", ".", "."}, 2, "", "only one folder"},
		{"no file anywhere", "", nil, 1, "", "dashboard-client: there is no client.yaml in ., /nowhere/dashboard, /etc/dashboard"},
		{"no file there", "", []string{"--config-dir", "."}, 1, "", "dashboard-client: config paths are relative to "},
		{"no folder", "", []string{"--config-dir", "gone"}, 1, "", "dashboard-client: --config-dir gone: no such file or directory"},
		{"wrong file", bad, nil, 1, "", "client.yaml:1:"},
		{"wrong file of another name", bad, []string{"--config", "client.yaml", "."}, 1, "", "'dashboard-client check --config client.yaml .' lists every error"},
		{"check, right", good, []string{"check"}, 0, "The configuration is right.", ""},
		{"check, wrong", bad, []string{"check", "."}, 1, "did you mean reconnect_delay?", ""},
		{"check, JSON", bad, []string{"check", "--json"}, 1, `"near":"reconnect_delay"`, ""},
		{"check, another file", good, []string{"check", "--config", "client.yaml"}, 0, "right", ""},
		{"check, no such format", strings.Replace(good, "driver: virtual", "driver: virtual, format: cmyk", 1), []string{"check"}, 1, "cmyk", ""},
		{"check, address", conf("ftp://wall", "", ""), []string{"check"}, 1, "http", ""},
		{"check, token", conf("http://wall", `, token: "a\nb"`, ""), []string{"check"}, 1, "client.yaml:1:59: error: server.token: the token has", ""},
		{"check, port", conf("http://wall:99999", "", ""), []string{"check"}, 1, "client.yaml:1:15: error: server.url: the port", ""},
		{"check, port of none", conf("http://wall:0", "", ""), []string{"check"}, 1, "client.yaml:1:15: error: server.url: the port", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.file != "" {
				programtest.Write(t, dir, map[string]string{"client.yaml": c.file})
			}
			status, stdout, stderr := call(t, dir, c.args...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("got status %d, output %q, errors %q; want %d, %q, %q", status, stdout, stderr, c.status, c.stdout, c.stderr)
			}
			if (c.stderr == "") != (stderr == "") {
				t.Errorf("got errors %q", stderr)
			}
		})
	}
}

// TestPlaces checks the folders in which client.yaml is searched.
func TestPlaces(t *testing.T) {
	here, home := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	programtest.Write(t, home, map[string]string{"dashboard/client.yaml": conf("http://wall", ", bad: key", "")})
	status, stdout, _ := call(t, here, "check")
	if status != 1 || !strings.Contains(stdout, "bad") {
		t.Errorf("at home: got status %d, %q", status, stdout)
	}
	programtest.Write(t, here, map[string]string{"client.yaml": conf("http://wall", "", "")})
	if status, stdout, _ = call(t, here, "check"); status != 0 {
		t.Errorf("here: got status %d, %q", status, stdout)
	}
}

// TestLevel checks that the option --log-level has priority over client.yaml.
func TestLevel(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	dir := t.TempDir()
	programtest.Write(t, dir, map[string]string{"client.yaml": conf(w.url(), "", "logging: {level: warning}\n")})
	p := programtest.Start(t, program(t, Name), dir, nil, "--config-dir", dir, "--log-level", "debug")
	p.Says("level=DEBUG msg=frame")
}

// TestDisplayProbe checks that the command `display probe` lists screens without a configuration. Any other word after `display` is an
// error.
func TestDisplayProbe(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		words  string
		status int
		says   string
	}{
		{"display probe", 0, "ramebuffer"},
		{"display", 2, "probe"},
		{"display prob", 2, "probe"},
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), "dev", strings.Fields(tt.words), &out, &errs, nil); status != tt.status || !strings.Contains(out.String()+errs.String(), tt.says) {
			t.Errorf("%s: got %d, %q, %q, want %d with %q", tt.words, status, out.String(), errs.String(), tt.status, tt.says)
		}
	}
}
