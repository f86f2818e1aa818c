//go:build linux

package appliance

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/appliance/card"
	"dashboard/appliance/settings"
	"dashboard/appliance/state"
)

// rootWith returns a root file system with one time zone.
func rootWith(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	put := func(name, text string) {
		if err := put(root+name, func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }); err != nil {
			t.Fatal(err)
		}
	}
	put("/usr/share/zoneinfo/Asia/Tokyo", "TZif2")
	put("/etc/hostname", "debian\n")
	return root
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const wants = "/etc/systemd/system/multi-user.target.wants/"

func TestWriteSettings(t *testing.T) {
	root := rootWith(t)
	s := settings.Settings{Role: settings.Client, Hostname: "kitchen", Timezone: "Asia/Tokyo", Wifi: []settings.Network{{Name: "n", Password: "longenough"}}, Proxy: "http://p:1", NTP: []string{"a"}}
	if _, err := writeSettings(root, s, []string{"first", "second"}, "0123"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"/etc/systemd/timesyncd.conf.d/settings.conf": "[Time]\nNTP=a\n",
		"/etc/hostname": "kitchen\n", "/etc/machine-id": "0123\n", problemsFile: "first\nsecond",
	} {
		if got := read(t, root+name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"/etc/localtime":                       "/usr/share/zoneinfo/Asia/Tokyo",
		wants + "dashboard-client.service":     "/usr/lib/systemd/system/dashboard-client.service",
		wants + "wpa_supplicant@wlan0.service": "/usr/lib/systemd/system/wpa_supplicant@.service",
	} {
		if got, err := os.Readlink(root + name); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := os.Lstat(root + wants + "dashboard.service"); err == nil {
		t.Error("got both roles, want one")
	}
	info, err := os.Stat(root + "/etc/wpa_supplicant/wpa_supplicant-wlan0.conf")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a file of mode 0600: there is a password in it", info, err)
	}
}

// The certificate authorities in ca_file are trusted in addition to Debian's authorities.
func TestOwnAuthority(t *testing.T) {
	root := rootWith(t)
	const own = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
	for name, text := range map[string]string{authoritiesFile: "Debian's\n", bootFolder + "/house.crt": own, bootFolder + "/empty.crt": "x"} {
		if err := put(root+name, func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ file, want, problem string }{
		{"missing.crt", "Debian's\n", "no such file"}, {"empty.crt", "Debian's\n", "has no certificate"}, {"house.crt", "Debian's\n\n" + own, ""},
	} {
		s := settings.Default()
		s.CAFile = tt.file
		if _, err := writeSettings(root, s, nil, "0123"); err != nil {
			t.Fatal(err)
		}
		if got := read(t, root+authoritiesFile); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.file, got, tt.want)
		}
		if got := read(t, root+problemsFile); !strings.Contains(got, tt.problem) {
			t.Errorf("%s: got %q, want %q", tt.file, got, tt.problem)
		}
	}
}

func TestUnknownTimeZone(t *testing.T) {
	root := rootWith(t)
	s := settings.Default()
	s.Timezone = "Mars/Olympus"
	if _, err := writeSettings(root, s, nil, "0123"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, root+problemsFile); !strings.Contains(got, `no time zone "Mars/Olympus"`) {
		t.Errorf("got %q, want the time zone named", got)
	}
	if got, _ := os.Readlink(root + "/etc/localtime"); got != "/usr/share/zoneinfo/UTC" {
		t.Errorf("got %q, want UTC", got)
	}
	if _, err := os.Lstat(root + wants + "wpa_supplicant@wlan0.service"); err == nil {
		t.Error("got Wi-Fi, want none: nobody named a network")
	}
}

// The type partition replaces a partition of the card. Its content is in memory. The field `broken` is the error of each write, or nil.
type partition struct {
	data   []byte
	broken error
}

func (p *partition) ReadAt(b []byte, at int64) (int, error)  { return copy(b, p.data[at:]), nil }
func (p *partition) WriteAt(b []byte, at int64) (int, error) { return copy(p.data[at:], b), p.broken }
func (p *partition) Sync() error                             { return p.broken }

func TestChooseAndMount(t *testing.T) {
	trial := state.Fresh.Try(state.B, 1, [32]byte{})
	none := errors.New("no file system")
	for _, tt := range []struct {
		name    string
		record  state.Record
		card    error
		broken  state.Slot
		want    state.Slot
		failed  uint8
		tryLeft uint8
	}{
		{"the good one", state.Fresh, nil, state.None, state.A, 0, 0},
		{"the trial", trial, nil, state.None, state.B, 0, 0},
		{"a trial that does not mount", trial, nil, state.B, state.A, 1, 0},
		{"a trial on a card that cannot be written", trial, errors.New("read-only"), state.None, state.A, 0, 1},
		{"a good one that does not mount", state.Fresh, nil, state.A, state.B, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := &partition{make([]byte, state.Size), tt.card}
			slot, r := choose(store, tt.record, state.None)
			slot, r, err := mountFirst(store, slot, r, func(s state.Slot) error {
				if s == tt.broken {
					return none
				}
				return nil
			})
			if err != nil || slot != tt.want || r.Failed != tt.failed || r.Tries != tt.tryLeft {
				t.Errorf("got slot %v, %+v, %v, want slot %v, %d failed, %d tries", slot, r, err, tt.want, tt.failed, tt.tryLeft)
			}
		})
	}
}

// machineWith returns the folders /sys/block and /dev of a machine with two disks. The disk called `name` is the appliance's card, with
// the given number of sectors.
func machineWith(t *testing.T, name, sectors string, parts ...string) (sys, dev string) {
	t.Helper()
	dir := t.TempDir()
	sys, dev = filepath.Join(dir, "sys"), filepath.Join(dir, "dev")
	files := map[string]string{
		filepath.Join(dev, "sda"): strings.Repeat("x", 512), filepath.Join(sys, "sda", "size"): "1",
		filepath.Join(dev, name): ourSector(), filepath.Join(sys, name, "size"): sectors + "\n",
	}
	for i, p := range parts {
		files[filepath.Join(dev, p)] = ""
		files[filepath.Join(sys, name, p, "partition")] = string(rune('1'+i)) + "\n"
	}
	for path, text := range files {
		if err := put(path, func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }); err != nil {
			t.Fatal(err)
		}
	}
	return sys, dev
}

// ourSector returns a first sector that contains only the signatures of an appliance's card.
func ourSector() string {
	sector := make([]byte, card.SectorSize)
	binary.LittleEndian.PutUint32(sector[card.AtSignature:], card.Signature)
	sector[510], sector[511] = 0x55, 0xaa
	return string(sector)
}

func TestFindCard(t *testing.T) {
	for _, tt := range []struct {
		name, disk, sectors string
		parts               []string
		problem             string
	}{
		{"card", "mmcblk0", "2000000", []string{"mmcblk0p1", "mmcblk0p2", "mmcblk0p3", "mmcblk0p4"}, ""},
		{"usb", "sdb", "2000000", []string{"sdb1", "sdb2", "sdb3", "sdb4"}, ""},
		{"the partitions appear later", "mmcblk0", "2000000", []string{"mmcblk0p1"}, "partition 2 of the card is missing"},
		{"a small card", "mmcblk0", "625000", []string{"mmcblk0p1", "mmcblk0p2", "mmcblk0p3"}, "this card is too small: it has 0.3 GB, and the system needs 0.4 GB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sys, dev := machineWith(t, tt.disk, tt.sectors, tt.parts...)
			d, err := lookForCard(sys, dev)
			if tt.problem != "" {
				if err == nil || !strings.Contains(err.Error(), tt.problem) {
					t.Errorf("got %v, want %q", err, tt.problem)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, want := d.partition(card.SlotB), filepath.Join(dev, tt.parts[3]); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestOnlyThisBoardsModules(t *testing.T) {
	tree := t.TempDir()
	path := filepath.Join(tree, "soc", "gpu", "compatible")
	if err := put(path, func(path string) error { return os.WriteFile(path, []byte("brcm,bcm2711-vc5\x00x\x00"), 0o644) }); err != nil {
		t.Fatal(err)
	}
	here := devices(tree)
	for _, tt := range []struct {
		devices string
		want    bool
	}{{"", true}, {"x", true}, {"brcm,bcm2835-vc4 brcm,bcm2711-vc5", true}, {"brcm,bcm2835-vc4", false}} {
		if got := wanted(strings.Fields(tt.devices), here); got != tt.want {
			t.Errorf("%q: got %v, want %v", tt.devices, got, tt.want)
		}
	}
}

func TestUpdateFile(t *testing.T) {
	root := bytes.Repeat([]byte("root"), 1000)
	sum := sha256.Sum256(root)
	dir := t.TempDir()
	path, slot := filepath.Join(dir, "update"), filepath.Join(dir, "slot")
	for p, content := range map[string][]byte{path: append(root, card.Trailer(sum)...), slot: nil} {
		if err := os.WriteFile(p, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := trailerOf(path); err != nil || got != sum {
		t.Errorf("got %x, %v, want %x", got, err, sum)
	}
	f := openStore(t, path)
	u, err := checkUpdate(f, sum)
	if err != nil || u.root != int64(len(root)) || u.kernel != nil || !bytes.Equal(u.rootSum, sum[:]) {
		t.Errorf("got %+v, %v, want %d bytes", u, err, len(root))
	}
	if err := writeSlot(path, slot, u.root); err != nil {
		t.Error(err)
	}
	if got, err := readBack(slot, u.root); err != nil || !bytes.Equal(got, sum[:]) {
		t.Errorf("got %x, %v, want %x", got, err, sum)
	}
	if err := os.Truncate(path, int64(len(root))); err != nil {
		t.Fatal(err)
	}
	if _, err := trailerOf(path); !errors.Is(err, card.ErrNoUpdate) {
		t.Errorf("a file that is cut short: got %v, want ErrNoUpdate", err)
	}
}

// A report of any length leaves the length of the file unchanged.
func TestOverwrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.txt")
	for _, tt := range []struct{ name, text, begins, ends string }{
		{"first", "first\r\n", "first\r\n\n", "\n\n"},
		{"short after long", "2", "2\n", "\n\n"},
		{"far too long", "head" + strings.Repeat("x", 2*card.ReportSize) + "tail", "headx", "xtail"},
		{"just right", strings.Repeat("y", card.ReportSize), "yy", "yy"},
	} {
		if err := overwrite(path, []byte(tt.text)); err != nil {
			t.Fatal(err)
		}
		got := read(t, path)
		if len(got) != card.ReportSize || !strings.HasPrefix(got, tt.begins) || !strings.HasSuffix(got, tt.ends) {
			t.Errorf("%s: got %d bytes, %q to %q, want %d, %q to %q", tt.name, len(got), got[:8], got[len(got)-8:], card.ReportSize, tt.begins, tt.ends)
		}
	}
}

func TestBlank(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fb")
	for _, tt := range []struct {
		name    string
		content []byte
		want    bool
	}{
		{"nothing", nil, true}, {"black", make([]byte, 200<<10), true},
		{"one pixel at the end", append(make([]byte, 200<<10), 1), false},
	} {
		if err := os.WriteFile(path, tt.content, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := blank(path); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
	if !blank(filepath.Join(t.TempDir(), "none")) {
		t.Error("got a picture without a screen")
	}
}

// With a key in the settings, the owner of the key can log in as root by ssh. Without a key, ssh does not run and root has no login shell.
func TestSSH(t *testing.T) {
	const unit = wants + "appliance-ssh.service"
	for _, keys := range [][]string{nil, {"ssh-ed25519 AAAA"}} {
		root := rootWith(t)
		passwd, err := os.ReadFile("../image/root/etc/passwd")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+"/etc/passwd", passwd, 0o644); err != nil {
			t.Fatal(err)
		}
		s := settings.Default()
		s.SSHKeys = keys
		if _, err := writeSettings(root, s, nil, "0123"); err != nil {
			t.Fatal(err)
		}
		_, err = os.Readlink(root + unit)
		if on := keys != nil; on != (err == nil) || on != strings.Contains(read(t, root+"/etc/passwd"), ":/root:/bin/sh\n") {
			t.Errorf("%q: unit %v, %s", keys, err, read(t, root+"/etc/passwd"))
		}
		info, err := os.Stat(root + keysFile)
		if keys != nil && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("got %v, %v, want a file of mode 0600", info, err)
		}
	}
}

// A picture of more than one color counts as a picture of the wall, unless it equals the console's buffer.
func TestIsPicture(t *testing.T) {
	black, wall := make([]byte, 64), bytes.Repeat([]byte{0, 0, 0, 255, 9, 9, 9, 255}, 8)
	for _, tt := range []struct {
		name            string
		pixels, console []byte
		want            bool
	}{
		{"black", black, nil, false},
		{"opaque black", bytes.Repeat([]byte{0, 0, 0, 255}, 16), nil, false},
		{"a wall", wall, black, true},
		{"a wall, no console", wall, nil, true},
		{"the console's", wall, append(bytes.Clone(wall), 0), false},
		{"nothing", nil, nil, false},
	} {
		if got := isPicture(tt.pixels, tt.console); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A zip file on the card replaces the configuration. A damaged zip file changes nothing and is reported.
func TestUnpackWall(t *testing.T) {
	root := rootWith(t)
	for path, text := range map[string]string{"/etc/dashboard/widgets.yaml": "built in", bootFolder + "/x": ""} {
		if err := put(root+path, func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }); err != nil {
			t.Fatal(err)
		}
	}
	if used, err := unpackWall(root); used || err != nil {
		t.Errorf("no zip file: got %v, %v", used, err)
	}
	file := root + bootFolder + "/" + card.ConfigZip
	if err := os.WriteFile(file, []byte("no zip"), 0o644); err != nil {
		t.Fatal(err)
	}
	if used, err := unpackWall(root); used || err == nil || !strings.Contains(err.Error(), "dashboard.zip: ") || read(t, root+"/etc/dashboard/widgets.yaml") != "built in" {
		t.Errorf("no zip: got %v, %v", used, err)
	}
	zipWall(t, file, map[string]string{"widgets.yaml": "mine"})
	if used, err := unpackWall(root); !used || err != nil || read(t, root+"/etc/dashboard/widgets.yaml") != "mine" {
		t.Errorf("a wall: got %v, %v", used, err)
	}
}
