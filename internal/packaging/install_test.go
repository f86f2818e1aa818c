package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"image"
	_ "image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packages is the folder of the packages under test: `make deb-test` builds them and names it.
var packages = flag.String("packages", "", "`folder` of the packages to install in a clean root; needs root, mmdebstrap and lintian")

// packageOf finds the package of a program for an architecture.
func packageOf(t *testing.T, name, arch string) string {
	t.Helper()
	if *packages == "" {
		t.Skip("make deb-test runs it")
	}
	found, err := filepath.Glob(filepath.Join(*packages, name+"_*_"+arch+".deb"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s for %s: got %v, %v, want one package in %s", name, arch, found, err, *packages)
	}
	return found[0]
}

// put copies a package into the machine's own /root and returns its name there.
func (m *machine) put(path string) string {
	m.t.Helper()
	m.write("root/"+filepath.Base(path), string(read(m.t, path)), 0o644)
	return "/root/" + filepath.Base(path)
}

func (m *machine) write(name, text string, mode os.FileMode) {
	m.t.Helper()
	path := filepath.Join(m.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		m.t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// files lists everything on the machine's disk but what dpkg and the journal keep of the past.
func (m *machine) files() []string {
	m.t.Helper()
	var all []string
	for _, path := range strings.Split(m.run("find", "/", "-xdev", "-not", "-type", "s"), "\n") {
		if !strings.HasPrefix(path, "/var/log/") && !strings.HasPrefix(path, "/var/lib/dpkg/") && !strings.HasPrefix(path, "/var/cache/") {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}

// checkNothingLeft compares the disk with what it was.
func (m *machine) checkNothingLeft(before []string) {
	m.t.Helper()
	for _, path := range m.files() {
		if _, there := slices.BinarySearch(before, path); !there {
			m.t.Errorf("%s is left after the purge", path)
		}
	}
}

// token is the secret of the test's walls, which only root may read.
const token = "only-root-knows"

// wall is conf.yaml of the test: a file that stands for the screen, and a stream that the secret guards.
const wall = `graphics: {resolution: [640, 360]}
server: {auth: {stream_token: !secret stream}}
outputs:
  - {type: window, fullscreen: true, driver: virtual, device: /tmp/screen.raw, size: [320, 200], format: rgb565}
  - {type: stream}
appearance:
  themes: {day: themes/day.yaml, night: themes/night.yaml}
`

const service = "http://127.0.0.1:5000"

// health is the answer of /healthz, nil while there is none.
func (m *machine) health() map[string]any {
	status, body, err := m.get(service+"/healthz", "")
	var h map[string]any
	if err != nil || status != 200 || json.Unmarshal(body, &h) != nil {
		return nil
	}
	return h
}

// frameSize is the size of the frame that the service gives to who knows the secret.
func (m *machine) frameSize() image.Point {
	status, body, err := m.get(service+"/frame", token)
	if err != nil || status != 200 {
		return image.Point{}
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return image.Point{}
	}
	return image.Pt(c.Width, c.Height)
}

// painted reports whether a picture is on the file that stands for the screen: 320 x 200 pixels of 2 bytes, of more than one color.
func (m *machine) painted() bool {
	found, err := m.try("sh", "-c", "cat /tmp/systemd-private-*/tmp/screen.raw")
	return err == nil && len(found) == 320*200*2 && strings.Trim(found, found[:2]) != ""
}

func TestServicePackage(t *testing.T) {
	deb := packageOf(t, "dashboard", "amd64")
	m := boot(t, cleanRoot(t))
	before := m.files()
	path := m.put(deb)

	m.run("dpkg", "--install", path)
	m.checkRunning("dashboard.service")
	m.eventually("/healthz answers", func() bool { return m.health() != nil })
	m.checkConfined()

	t.Log("a wall of one's own, with a secret of root's")
	m.write("etc/dashboard/conf.yaml", wall, 0o644)
	m.write("etc/dashboard/secrets.yaml", "stream: "+token+"\n", 0o600)
	m.run("systemctl", "restart", "dashboard")
	m.eventually("the stream asks for the secret", func() bool { s, _, err := m.get(service+"/frame", ""); return err == nil && s == 401 })
	m.eventually("a frame of 640 x 360", func() bool { return m.frameSize() == image.Pt(640, 360) })
	m.eventually("a picture on the screen", m.painted)

	m.checkReload()
	m.checkRevived()

	t.Log("installed again, the files are kept")
	m.run("dpkg", "--install", path)
	m.checkRunning("dashboard.service")
	m.eventually("a frame of 320 x 200", func() bool { return m.frameSize() == image.Pt(320, 200) })

	t.Log("purged")
	m.run("systemctl", "enable", "--now", "dashboard-reload.timer")
	m.run("dpkg", "--remove", "dashboard")
	if got := m.show("dashboard.service", "ActiveState"); got != "inactive" {
		t.Errorf("removed: got %s, want inactive", got)
	}
	m.run("rm", "/etc/dashboard/secrets.yaml", path) // what the package did not bring is not its to take
	m.run("dpkg", "--purge", "dashboard")
	m.checkNothingLeft(before)
}

// checkRunning wants a unit that runs, was enabled and told that it is ready.
func (m *machine) checkRunning(unit string) {
	m.t.Helper()
	for property, want := range map[string]string{
		"ActiveState": "active", "SubState": "running", "UnitFileState": "enabled", "Type": "notify", "WatchdogUSec": "2min 30s",
	} {
		if got := m.show(unit, property); got != want {
			m.t.Errorf("%s: %s: got %s, want %s\n%s", unit, property, got, want, m.journal())
		}
	}
}

// checkConfined wants a process without root's rights, and of no group but its own and the screen's.
func (m *machine) checkConfined() {
	m.t.Helper()
	status := m.run("cat", "/proc/"+m.show("dashboard.service", "MainPID")+"/status")
	fields := map[string]string{}
	for _, line := range strings.Split(status, "\n") {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	if uid := strings.Fields(fields["Uid"])[0]; uid == "0" {
		m.t.Error("it runs as root")
	}
	for _, set := range []string{"CapEff", "CapPrm", "CapBnd", "CapAmb"} {
		if strings.Trim(fields[set], "0") != "" {
			m.t.Errorf("%s: got %s, want none", set, fields[set])
		}
	}
	if fields["NoNewPrivs"] != "1" || fields["Seccomp"] != "2" {
		m.t.Errorf("got NoNewPrivs %s, Seccomp %s, want 1, 2", fields["NoNewPrivs"], fields["Seccomp"])
	}
	video := strings.Split(m.run("getent", "group", "video"), ":")[2]
	for _, group := range strings.Fields(fields["Groups"]) {
		if own := strings.Fields(fields["Gid"])[0]; group != own && group != video {
			m.t.Errorf("groups: got %s, want only its own and video", fields["Groups"])
		}
	}
}

// checkReload wants a reload to take over what is right, and to refuse what is wrong.
func (m *machine) checkReload() {
	m.t.Helper()
	pid := m.show("dashboard.service", "MainPID")
	m.write("etc/dashboard/conf.yaml", strings.Replace(wall, "[640, 360]", "[800, 480]", 1), 0o644)
	m.run("systemctl", "reload", "dashboard")
	m.eventually("a frame of 800 x 480", func() bool { return m.frameSize() == image.Pt(800, 480) })

	m.write("etc/dashboard/conf.yaml", "graphics: {resolution: none}\n", 0o644)
	m.run("systemctl", "start", "dashboard-reload.service") // as the timer does
	m.eventually("/healthz tells that the files are wrong", func() bool {
		config, _ := m.health()["config"].(map[string]any)
		return config["ok"] == false
	})
	if got := m.frameSize(); got != image.Pt(800, 480) {
		m.t.Errorf("after a reload of wrong files: got a frame of %v, want the one before", got)
	}
	m.write("etc/dashboard/conf.yaml", strings.Replace(wall, "[640, 360]", "[320, 200]", 1), 0o644)
	m.run("systemctl", "reload", "dashboard")
	m.eventually("a frame of 320 x 200", func() bool { return m.frameSize() == image.Pt(320, 200) })
	if got := m.show("dashboard.service", "MainPID"); got != pid {
		m.t.Errorf("reloads: got process %s, want %s as before", got, pid)
	}
}

// checkRevived wants a dead and a hanging program to be started again.
func (m *machine) checkRevived() {
	m.t.Helper()
	first := m.show("dashboard.service", "MainPID")
	m.run("sh", "-c", "kill -KILL "+first)
	m.eventually("a killed program is started again", func() bool { return m.health() != nil && m.show("dashboard.service", "MainPID") != first })

	m.write("etc/systemd/system/dashboard.service.d/impatient.conf", "[Service]\nWatchdogSec=6\nTimeoutAbortSec=1\n", 0o644)
	m.run("systemctl", "daemon-reload")
	m.run("systemctl", "restart", "dashboard")
	second := m.show("dashboard.service", "MainPID")
	m.run("sh", "-c", "kill -STOP "+second)
	m.eventually("the watchdog ends a program that hangs", func() bool { return m.health() != nil && m.show("dashboard.service", "MainPID") != second })
	m.run("rm", "-r", "/etc/systemd/system/dashboard.service.d")
	m.run("systemctl", "daemon-reload")
}

// clientWall is client.yaml of the test: nobody answers, so that the client shows its own screen.
const clientWall = `server: {url: "http://127.0.0.1:9", stale_after: 1}
graphics: {resolution: [320, 200]}
outputs:
  - {type: window, fullscreen: true, driver: virtual, device: /tmp/screen.raw, size: [320, 200], format: rgb565}
offline: {enabled: true}
`

func TestClientPackage(t *testing.T) {
	deb := packageOf(t, "dashboard-client", "amd64")
	m := boot(t, cleanRoot(t))
	before := m.files()
	path := m.put(deb)
	m.run("dpkg", "--install", path)
	m.checkRunning("dashboard-client.service")
	m.write("etc/dashboard/client.yaml", clientWall, 0o644)
	pid := m.show("dashboard-client.service", "MainPID")
	m.run("systemctl", "reload", "dashboard-client")
	m.eventually("the offline clock on the screen", m.painted)
	if got := m.show("dashboard-client.service", "MainPID"); got != pid {
		t.Errorf("reload: got process %s, want %s as before", got, pid)
	}
	m.run("rm", path)
	m.run("dpkg", "--purge", "dashboard-client")
	m.checkNothingLeft(before)
}
