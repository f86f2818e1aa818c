package main

import (
	"flag"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packages is the folder of the packages under test. `make deb-test` builds the packages and passes this folder.
var packages = flag.String("packages", "", "`folder` of the packages to install in a clean root; needs root, mmdebstrap and lintian")

// packageOf returns the path of a program's package for an architecture.
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

// put copies a package to /root in the machine and returns its path there.
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

// files() lists all files on the machine's disk, without logs, caches and dpkg's own files. A file that another program removes meanwhile
// causes no error.
func (m *machine) files() []string {
	m.t.Helper()
	var all []string
	for _, path := range strings.Split(m.run("find", "/", "-ignore_readdir_race", "-xdev", "-not", "-type", "s"), "\n") {
		if !strings.HasPrefix(path, "/var/log/") && !strings.HasPrefix(path, "/var/lib/dpkg/") && !strings.HasPrefix(path, "/var/cache/") {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}

// checkNothingLeft checks that the purge has removed all files that were not in the list `before`.
func (m *machine) checkNothingLeft(before []string) {
	m.t.Helper()
	for _, path := range m.files() {
		if _, there := slices.BinarySearch(before, path); !there {
			m.t.Errorf("%s is left after the purge", path)
		}
	}
}

// token is the token of the test's walls. It is in a file that only root may read.
const token = "only-root-knows"

// wall is the conf.yaml of the test. A file represents the screen, and the stream requires the token.
const wall = `graphics: {resolution: [640, 360]}
server: {auth: {stream_token: !secret stream}}
outputs:
  - {type: window, fullscreen: true, driver: virtual, device: /tmp/screen.raw, size: [320, 200], format: rgb565}
  - {type: stream}
theme: {day: paper, night: calm}
location: {latitude: 51.48, longitude: 0.0}
`

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

	m.checkRights("dashboard")

	t.Log("installed again, the files are kept")
	m.run("dpkg", "--install", path)
	m.checkRunning("dashboard.service")
	m.eventually("a frame of 320 x 200", func() bool { return m.frameSize() == image.Pt(320, 200) })

	t.Log("upgraded, with a wall of one's own and nobody to ask")
	if out, err := m.try("sh", "-c", "dpkg --install "+m.put(newer(t, deb))+" </dev/null"); err != nil {
		t.Errorf("upgrade: %v: %s", err, out)
	}
	m.checkRunning("dashboard.service")
	if got := string(read(t, filepath.Join(m.root, "etc/dashboard/conf.yaml"))); !strings.Contains(got, "[320, 200]") {
		t.Errorf("upgrade: got %q, want the wall as it was", got)
	}
	m.run("rm", "/root/newer.deb")

	t.Log("the client beside it")
	client := m.put(packageOf(t, "dashboard-client", "amd64"))
	m.run("dpkg", "--install", client)
	m.checkRunning("dashboard.service")
	if out, _ := m.try("systemctl", "is-enabled", "dashboard-client"); strings.TrimSpace(out) != "disabled" {
		t.Errorf("the client: got %q, want it disabled: the service has the screen", out)
	}
	m.run("dpkg", "--install", client) // an update of the client does not change which unit is enabled
	m.checkRunning("dashboard.service")
	m.run("rm", client)
	m.run("dpkg", "--purge", "dashboard-client")

	t.Log("purged")
	m.run("systemctl", "enable", "--now", "dashboard-reload.timer")
	m.run("dpkg", "--remove", "dashboard")
	if got := m.show("dashboard.service", "ActiveState"); got != "inactive" {
		t.Errorf("removed: got %s, want inactive", got)
	}
	m.run("rm", path)
	m.run("dpkg", "--purge", "dashboard")
	// The test removes these files, because a purge keeps the administrator's files.
	m.run("rm", "/etc/dashboard/secrets.yaml", "/etc/dashboard/conf.yaml")
	m.run("rmdir", "/etc/dashboard")
	m.checkNothingLeft(before)
}

// newer() creates a package with another version and another example wall. If the wall's files were dpkg's conffiles, dpkg would ask
// about the difference.
func newer(t *testing.T, deb string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	path := filepath.Join(filepath.Dir(dir), "newer.deb")
	script := `dpkg-deb --raw-extract "$1" "$2" && sed -i 's/^Version: .*/Version: 99/' "$2/DEBIAN/control" &&
		find "$2" -name conf.yaml -exec sh -c 'echo "# newer" >>"$1"' - {} ";" && rm -f "$2/DEBIAN/md5sums" && dpkg-deb --root-owner-group --build "$2" "$3"`
	if out, err := exec.Command("sh", "-c", script, "-", deb, dir, path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// clientWall is the client.yaml of the test. No server answers, so the client shows its own screen.
const clientWall = `server: {url: "http://127.0.0.1:9", stale_after: 1}
graphics: {resolution: [320, 200]}
outputs:
  - {type: window, fullscreen: true, driver: virtual, device: /tmp/screen.raw, size: [320, 200], format: rgb565}
offline: {enabled: true}
`

// checkSecond installs the service while the client uses the screen. The service stays disabled until the owner follows the instructions of
// the package.
func (m *machine) checkSecond() {
	m.t.Helper()
	m.t.Log("the service beside the client, which came first")
	deb := m.put(packageOf(m.t, "dashboard", "amd64"))
	said := m.run("dpkg", "--install", deb)
	m.checkRunning("dashboard-client.service")
	if out, _ := m.try("systemctl", "is-enabled", "dashboard"); strings.TrimSpace(out) != "disabled" {
		m.t.Errorf("the service: got %q, want it disabled: the client has the screen", out)
	}
	const change = "systemctl disable --now dashboard-client.service && systemctl enable --now dashboard.service"
	if !strings.Contains(said, change) {
		m.t.Errorf("got %q, want how to change that: %s", said, change)
	}
	m.run("dpkg", "--install", deb) // an update of the service does not change which unit is enabled
	m.checkRunning("dashboard-client.service")
	m.run("sh", "-c", change)
	m.checkRunning("dashboard.service")
	if got := m.show("dashboard-client.service", "ActiveState"); got != "inactive" {
		m.t.Errorf("the client, after the change: got %s, want inactive", got)
	}
	m.run("rm", deb)
	m.run("dpkg", "--purge", "dashboard")
}

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
	m.checkRights("dashboard-client")
	m.checkSecond()
	m.run("rm", path)
	m.run("dpkg", "--purge", "dashboard-client")
	m.run("rm", "/etc/dashboard/client.yaml") // the test removes this file, because a purge keeps a file that the administrator has changed
	m.run("rmdir", "/etc/dashboard")
	m.checkNothingLeft(before)
}

// checkRights installs the package's drop-ins that give the program more rights, and checks their effect. It uses only the drop-ins whose
// group exists on every system. The rule for backlights must be in the folder that udev reads.
func (m *machine) checkRights(program string) {
	m.t.Helper()
	own := "/etc/systemd/system/" + program + ".service.d"
	for _, name := range []string{"backlight.conf", "cec.conf"} {
		m.run("install", "-D", "-m", "644", "-t", own, "/usr/share/"+program+"/rights/"+name)
	}
	m.run("systemctl", "daemon-reload")
	m.run("systemctl", "restart", program)
	m.checkRunning(program + ".service")
	if got := m.show(program+".service", "ProtectKernelTunables"); got != "no" {
		m.t.Errorf("a backlight: got ProtectKernelTunables=%s, want no", got)
	}
	if got := m.show(program+".service", "DeviceAllow"); !strings.Contains(got, "char-cec") {
		m.t.Errorf("got DeviceAllow=%s, want that of the drop-in too", got)
	}
	if rules := m.run("find", "/usr/lib/udev/rules.d", "-name", "60-"+program+"*backlight.rules"); strings.TrimSpace(rules) == "" {
		m.t.Error("there is no rule for backlights")
	}
	m.run("rm", "-r", own)
	m.run("systemctl", "daemon-reload")
}
