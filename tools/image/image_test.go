package main

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dashboard/appliance/card"
	"dashboard/appliance/settings"
	"dashboard/config"
	"dashboard/internal/folder"
)

// The tests run in the root of the repository, because the lists of the image's files have paths relative to the root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestListsRead(t *testing.T) {
	if all, err := archWords(trimFile, arm64); err != nil || len(all) == 0 {
		t.Errorf("%s: got %d words, %v", trimFile, len(all), err)
	}
	for arch, kernel := range map[string]string{arm64: "linux-image-arm64", amd64: "linux-image-amd64"} {
		all, err := archWords(packagesFile, arch)
		if err != nil || !slices.Contains(all, kernel) || slices.Contains(all, "raspi-firmware") != (arch == arm64) {
			t.Errorf("%s: got %q, %v", arch, all, err)
		}
		l, err := readModules(arch)
		if err != nil || len(l.boot) == 0 || len(l.later) == 0 || len(l.data) == 0 || slices.Contains(l.boot, "nvme") != (arch == amd64) {
			t.Errorf("%s: got %+v, %v, want modules of all kinds", arch, l, err)
		}
	}
}

func TestTrimPatterns(t *testing.T) {
	patterns, err := archWords(trimFile, arm64)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil || strings.HasPrefix(p, "/") || strings.Contains(p, "..") {
			t.Errorf("%q: want a correct pattern inside of the root, %v", p, err)
		}
	}
	for _, keep := range []string{
		"usr/share/doc/systemd/copyright", "usr/lib/firmware/brcm/brcmfmac43430-sdio.bin", "usr/lib/firmware/brcm/brcmfmac43455-sdio.bin",
		"usr/lib/firmware/cypress/cyfmac43430-sdio.bin", "usr/lib/firmware/cypress/cyfmac43455-sdio.clm_blob", "usr/sbin/e2fsck", "usr/bin/dropbearkey",
		"usr/lib/firmware/brcm/brcmfmac43430-sdio.raspberrypi,model-zero-2-w.txt",
		"usr/lib/udev/rules.d/50-udev-default.rules", "usr/lib/udev/rules.d/80-drivers.rules", "usr/lib/udev/rules.d/99-systemd.rules",
		"usr/lib/systemd/system/dashboard.service",
	} {
		for _, p := range patterns {
			if match, _ := path.Match(p, keep); match {
				t.Errorf("%q removes %s", p, keep)
			}
		}
	}
}

// No link occurs twice, and each link in a folder *.wants has the name of its target. Targets in /etc are files of this repository. The
// units dashboard and dashboard-client exist, but the links start none of them, because the role decides.
func TestLinks(t *testing.T) {
	links, err := readLinks()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, l := range links {
		if seen[l.path] {
			t.Errorf("%s is linked twice", l.path)
		}
		seen[l.path] = true
		if strings.Contains(l.path, ".wants/") && path.Base(l.path) != path.Base(l.target) {
			t.Errorf("%s is a link to %s, want the same name", l.path, l.target)
		}
		if strings.HasPrefix(l.target, "/etc/") {
			if _, err := os.Stat(filepath.Join("image/root", l.target)); err != nil {
				t.Errorf("%s: %v", l.path, err)
			}
		}
	}
	for _, unit := range []string{"dashboard.service", "dashboard-client.service"} {
		if seen["/etc/systemd/system/multi-user.target.wants/"+unit] {
			t.Errorf("%s is started whatever the role", unit)
		}
		if _, err := os.Stat(filepath.Join("systemd", unit)); err != nil {
			t.Error(err)
		}
	}
}

// systemd and udev look up these groups and users by name, so the files passwd and group must contain them.
func TestUsersAndGroups(t *testing.T) {
	for file, names := range map[string]string{
		"passwd": "root systemd-network systemd-resolve systemd-timesync nobody",
		"group":  "root tty disk video input kvm render systemd-journal systemd-network systemd-resolve systemd-timesync nogroup",
	} {
		text, err := os.ReadFile("image/root/etc/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(names) {
			if !strings.Contains("\n"+string(text), "\n"+name+":") {
				t.Errorf("%s: there is no %s", file, name)
			}
		}
	}
	group, err := os.ReadFile("image/root/etc/group")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(group), "\nvideo:x:44:") {
		t.Error("the group video is not number 44, as which the first partition is mounted")
	}
}

// The card has everything to which systemd/rights gives access: the groups, the udev rules that assign devices to the groups, and the
// drivers.
func TestDevicesOfTheWall(t *testing.T) {
	group, err := os.ReadFile("image/root/etc/group")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile("image/root/etc/udev/rules.d/60-appliance.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range settings.Devices(settings.Dashboard) {
		text, err := os.ReadFile(filepath.Join("systemd/rights", kind+".conf"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			names, ok := strings.CutPrefix(line, "SupplementaryGroups=")
			if !ok {
				continue
			}
			for _, name := range strings.Fields(names) {
				if !strings.Contains("\n"+string(group), "\n"+name+":") {
					t.Errorf("%s: the card has no group %s", kind, name)
				}
				if name != "input" && !strings.Contains(string(rules), `GROUP="`+name+`"`) { // Debian has a udev rule for the group input
					t.Errorf("%s: no rule gives a device to the group %s", kind, name)
				}
			}
		}
	}
	l, err := readModules(arm64)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields("evdev hid_multitouch edt_ft5x06 goodix_ts raspberrypi_ts spi_bcm2835 bh1750 opt3001 veml6030 hid_sensor_als") {
		if !slices.Contains(l.later, name) {
			t.Errorf("the card has no driver %s", name)
		}
	}
	if !slices.Contains(l.boot, "i2c_dev") { // systemd looks up the devices of DeviceAllow=char-i2c when the unit starts
		t.Error("i2c_dev is not loaded before the wall")
	}
}

// The services cannot read the Wi-Fi password, which is on the first partition.
func TestSettingsAreHidden(t *testing.T) {
	for _, unit := range []string{"dashboard", "dashboard-client"} {
		text, err := os.ReadFile("image/root/etc/systemd/system/" + unit + ".service.d/appliance.conf")
		if err != nil || !strings.Contains(string(text), "\nInaccessiblePaths=/boot\n") {
			t.Errorf("%s: got %q, %v, want the first partition out of its sight", unit, text, err)
		}
	}
}

// The units that show the wall do not wait for other units.
func TestScreenWaitsForNobody(t *testing.T) {
	for _, unit := range []string{"dashboard", "dashboard-client"} {
		text, err := os.ReadFile("image/root/etc/systemd/system/" + unit + ".service.d/appliance.conf")
		for _, line := range []string{"DefaultDependencies=no", "PrivateTmp=disconnected", "ExecStartPost=-+/usr/lib/dashboard/appliance framed"} { // PrivateTmp=yes waits for systemd-tmpfiles
			if err != nil || !strings.Contains(string(text), "\n"+line+"\n") {
				t.Errorf("%s: got %q, %v, want %s", unit, text, err, line)
			}
		}
	}
}

// exposure is the maximum result of `systemd-analyze security` for each of the image's own units, in tenths: 0 is the best result, 100
// the worst. docs/image.md lists the values.
var exposure = map[string]int{
	"appliance-keep": 28, "appliance-wall": 12, "appliance-wall-lay": 26, "appliance-fetch@": 12, "appliance-setup": 16, "appliance-apply": 46,
	"appliance-ssh": 96, // a login as root may do everything, so its unit is not confined
}

func TestUnitsAreConfined(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	switch {
	case err != nil && os.Getenv("DASHBOARD_CI") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("no systemd-analyze here")
	}
	units, err := filepath.Glob("image/root/etc/systemd/system/*.service")
	if err != nil || len(units) != len(exposure) {
		t.Fatalf("got units %q, %v, want a bound for each", units, err)
	}
	for _, unit := range units {
		most, known := exposure[strings.TrimSuffix(filepath.Base(unit), ".service")]
		out, err := exec.Command(program, "security", "--offline=true", fmt.Sprintf("--threshold=%d", most), unit).CombinedOutput()
		if !known || err != nil {
			t.Errorf("%s: %v: %s", unit, err, out[max(0, len(out)-200):])
		}
	}
}

func TestCommandLine(t *testing.T) {
	text, err := os.ReadFile("image/raspberry/cmdline.txt")
	if err != nil {
		t.Fatal(err)
	}
	line := string(text)
	if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
		t.Errorf("got %q, want one line", line)
	}
	for _, want := range []string{"quiet", "vt.global_cursor_default=0", "consoleblank=0", "oops=panic", "panic=10", "cryptomgr.notests", "video=HDMI-A-1:D\n", "net.ifnames=0"} {
		if !strings.Contains(line, want) {
			t.Errorf("got %q, want %q in it", line, want)
		}
	}
}

// The kernel command line of a PC differs from the command line of a board only in the settings of the screen.
func TestLoaderEntry(t *testing.T) {
	board, err := os.ReadFile("image/raspberry/cmdline.txt")
	if err != nil {
		t.Fatal(err)
	}
	entry, err := os.ReadFile("image/efi/loader/entries/dashboard.conf")
	if err != nil {
		t.Fatal(err)
	}
	same, _, _ := strings.Cut(string(board), " video=")
	for _, line := range []string{"linux /vmlinuz\n", "initrd /initrd.img\n", "options " + same + "\n"} {
		if !strings.Contains(string(entry), line) {
			t.Errorf("got %q, want %q in it", entry, line)
		}
	}
}

// The configuration of a new card loads without errors: conf.yaml for the wall, and client.yaml for the remote screen.
func TestDefaultConfig(t *testing.T) {
	dir := t.TempDir()
	if err := defaultConfig(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"conf.yaml", "widgets.yaml", "providers.yaml", "client.yaml"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "widgets.yaml")); err != nil || !strings.Contains(string(text), cardHint) || strings.Contains(string(text), "init my-wall") || strings.Contains(string(text), "disk_percent") {
		t.Errorf("got %s, %v, want a hint for an owner without a keyboard, and no disk", text, err)
	}
	none := config.SecretsFile(folder.Dir(""), config.SecretsName)
	for name, load := range map[string]func(string, *config.Report) bool{
		"conf.yaml": func(path string, r *config.Report) bool {
			_, ok := config.LoadConf(folder.Dir(""), path, r, none)
			return ok
		},
		"client.yaml": func(path string, r *config.Report) bool {
			c, ok := config.LoadClient(folder.Dir(""), path, r, none)
			return ok && c.Offline.Enabled // with offline.enabled, the screen reports that it has no wall
		},
	} {
		r := &config.Report{}
		if !load(filepath.Join(dir, name), r) || r.Failed() {
			t.Errorf("%s: %v", name, r)
		}
	}
	conf, err := os.ReadFile(filepath.Join(dir, "conf.yaml"))
	if err != nil || !strings.Contains(string(conf), "host: 0.0.0.0") || strings.Contains(string(conf), "control_token") {
		t.Errorf("got %s, %v, want a wall that others may see, with a token of the card's own", conf, err)
	}
}

func TestCopyTreeReplacesLinks(t *testing.T) {
	dir := t.TempDir()
	from, to, cache := filepath.Join(dir, "from"), filepath.Join(dir, "to"), filepath.Join(dir, "cache")
	for path, text := range map[string]string{filepath.Join(from, "etc/a"): "ours", cache: "theirs", filepath.Join(to, "x"): ""} {
		if err := putFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(to, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(cache, filepath.Join(to, "etc/a")); err != nil {
		t.Fatal(err)
	}
	if err := copyTree(from, to); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(cache); string(got) != "theirs" {
		t.Errorf("got %q in the cache, want it untouched", got)
	}
	if got, _ := os.ReadFile(filepath.Join(to, "etc/a")); string(got) != "ours" {
		t.Errorf("got %q, want ours", got)
	}
}

func TestWriteAt(t *testing.T) {
	dir := t.TempDir()
	part, disk := filepath.Join(dir, "part"), filepath.Join(dir, "disk")
	content := append(make([]byte, 3<<20), "end"...)
	if err := os.WriteFile(part, content, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(disk)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := writeAt(f, part, card.Partition{Start: 4096, Size: 4 << 20}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(disk)
	if err != nil || string(got[4096:]) != string(content) {
		t.Errorf("got %d bytes, %v, want those of the part", len(got), err)
	}
	if err := writeAt(f, part, card.Partition{Size: 1 << 20}); err == nil {
		t.Error("got no error, want one: the part is larger than its partition")
	}
}

func TestFsckOutput(t *testing.T) {
	for _, tt := range []struct {
		name, out string
		want      bool
	}{
		{"nothing", "", false},
		{"not put away, with a copy of the first sector", "fsck.fat 4.2 (2021-01-31)\nThere are differences between boot sector and its backup.\n" +
			"This is mostly harmless. Differences: (offset:original/backup)\n  65:01/00\n  Not automatically fixing this.\nDirty bit is set. Fs was not\n", true},
		{"another first sector", "There are differences between boot sector and its backup.\n  13:01/00\nDirty bit is set.\n", false},
		{"free clusters miscounted", "fsck.fat 4.2 (2021-01-31)\nDirty bit is set.\nFree cluster summary wrong (1 vs. really 2)\n", false},
		{"not put away", "Dirty bit is set. Fs was not properly unmounted and some data may be corrupt.\n Automatically removing dirty bit.\nLeaving filesystem unchanged.\n", true},
		{"two files in one place", "/report.txt and\n/settings.txt\n  share clusters.\n", false},
		{"cut short", "/settings.txt\n  Contains a free cluster (5). Assuming EOF.\n", false},
	} {
		if got := onlyDirty(tt.out); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestDiffer(t *testing.T) {
	a, b := image.NewRGBA(image.Rect(0, 0, 4, 4)), image.NewRGBA(image.Rect(0, 0, 4, 4))
	b.SetRGBA(1, 1, color.RGBA{3, 0, 0, 0})
	b.SetRGBA(2, 1, color.RGBA{0, 0, 4, 0})
	if got := differ(a, b, 3); got != 1 {
		t.Errorf("got %d pixels, want 1", got)
	}
	if got := differ(a, image.NewRGBA(image.Rect(0, 0, 4, 3)), 255); got != 12 {
		t.Errorf("another size: got %d pixels, want all 12", got)
	}
}

func TestStrayPixels(t *testing.T) {
	want := image.NewRGBA(image.Rect(0, 0, 4, 4))
	want.SetRGBA(1, 1, color.RGBA{200, 0, 0, 255})
	half := image.NewRGBA(want.Rect) // black, because nothing is painted yet
	if got := strayPixels(half, 3, want); got != 0 {
		t.Errorf("black: got %d pixels, want 0", got)
	}
	half.SetRGBA(1, 1, color.RGBA{200, 0, 0, 255})
	half.SetRGBA(3, 3, color.RGBA{170, 170, 170, 255})
	if got := strayPixels(half, 3, want); got != 1 {
		t.Errorf("text beside the picture: got %d pixels, want 1", got)
	}
}
