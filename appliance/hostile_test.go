//go:build linux

package appliance

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
)

// A settings file with any content leads to facts that the other programs can read, and its problems are reported. In a large file that
// contains only mistakes, the search for similar names ends early. Otherwise the search would take too long, and the watchdog would
// restart the board.
func TestHostileSettings(t *testing.T) {
	for name, tt := range map[string]struct {
		text, says string
		problems   int
	}{
		"1 MB":              {strings.Repeat("hostname = kitchen\n", 60000), "more than 65536 bytes", 1},
		"zeros":             {strings.Repeat("\x00", 5000), "name = value", 1},
		"a long name":       {strings.Repeat("\x01\xff", 20000) + " = 1\n", "there is no setting", 1},
		"16,000 mistakes":   {strings.Repeat("x=1\n", 16000), "the lines after line 64 are ignored", 65},
		"an emoji":          {"hostname = 🏠\n", "hostname must be letters", 1},
		"300 characters":    {"hostname = " + strings.Repeat("a", 300), "hostname must be letters", 1},
		"no such zone":      {"timezone = Mars/Olympus\n", "there is no time zone", 1},
		"a table":           {"timezone = leapseconds\n", "there is no time zone", 1},
		"a large port":      {"proxy = http://x:" + strings.Repeat("1", 60000), "proxy must be", 1},
		"an authority":      {"ca_file = settings.txt\n", "has no certificate", 1},
		"a large authority": {"ca_file = large.pem\n", "longer than", 1},
	} {
		root := rootWith(t)
		for file, text := range map[string]string{
			bootFolder + "/" + card.SettingsFile: tt.text, bootFolder + "/large.pem": strings.Repeat("x", maxAuthorities+1),
			zoneFolder + "/leapseconds": "# NTP", zoneFolder + "/UTC": "TZif2",
		} {
			if err := put(root+file, func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }); err != nil {
				t.Fatal(err)
			}
		}
		s, problems := readSettings(root + bootFolder)
		_, err := writeSettings(root, s, problems, "0123")
		f, ok := about.Read(os.DirFS(root))
		all := read(t, root+problemsFile)
		if err != nil || !ok || f.Name != "dashboard" || !strings.Contains(all, tt.says) || strings.Count(all, "\n")+1 != tt.problems {
			t.Errorf("%s: got %+v, %v, %v, problems %.300q", name, f, ok, err, all)
		}
	}
}

// If settings.txt cannot be read, the board uses the defaults and reports the problem. The set-up then writes no correction into the
// file.
func TestUnreadableSettings(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, card.SettingsFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, problems := readSettings(dir); len(problems) != 1 || !strings.Contains(problems[0], "cannot be read") {
		t.Errorf("got %q", problems)
	}
	if err := grant(dir, gallery, wish); err == nil {
		t.Error("a folder was replaced")
	}
}

// If the power was cut while settings.txt was replaced, only settings.new may exist. The next change then starts from the settings in this file.
func TestGrantAfterPowerCut(t *testing.T) {
	dir := drive(t, "proxy = http://p:1\n")
	if err := os.Rename(filepath.Join(dir, card.SettingsFile), filepath.Join(dir, card.NewSettingsFile)); err != nil {
		t.Fatal(err)
	}
	if err := grant(dir, gallery, about.Wish{Name: "kitchen"}); err != nil {
		t.Fatal(err)
	}
	if s, problems := readSettings(dir); len(problems) > 0 || s.Proxy != "http://p:1" || s.Hostname != "kitchen" {
		t.Errorf("got %+v, %q", s, problems)
	}
}

// If only settings.new exists, a setting that a person changes on the wall is added to its content. The file is not overwritten in place,
// because a power cut would then leave no settings.
func TestSetAfterPowerCut(t *testing.T) {
	dir := drive(t, "proxy = http://p:1\n")
	old, fresh := filepath.Join(dir, card.SettingsFile), filepath.Join(dir, card.NewSettingsFile)
	if err := os.Rename(old, fresh); err != nil {
		t.Fatal(err)
	}
	kept, err := os.Open(fresh)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if err := setIn(dir, "update", "beta"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, old); !strings.Contains(got, "proxy = http://p:1") || !strings.Contains(got, "beta") {
		t.Errorf("got %q", got)
	}
	if got, err := io.ReadAll(kept); err != nil || string(got) != "proxy = http://p:1\n" {
		t.Errorf("the only settings file was overwritten: %q, %v", got, err)
	}
}

// If the card is full, the old settings stay, no incomplete file is left, and the set-up's page shows the reason.
func TestFullCard(t *testing.T) {
	dir := drive(t, "hostname = hall\n")
	fresh := filepath.Join(dir, card.NewSettingsFile)
	if err := os.Symlink("/dev/full", fresh); err != nil {
		t.Fatal(err)
	}
	err := grant(dir, gallery, about.Wish{Name: "kitchen"})
	if got := cardReason(err); !strings.Contains(got, "the card is full") {
		t.Errorf("got %q", got)
	}
	if _, err := os.Lstat(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no part of a file", err)
	}
	if got := read(t, filepath.Join(dir, card.SettingsFile)); got != "hostname = hall\n" {
		t.Errorf("got %q", got)
	}
	for err, want := range map[error]string{unix.EROFS: "write-protected", unix.EIO: "worn out"} {
		if got := cardReason(&fs.PathError{Op: "write", Path: "x", Err: err}); !strings.Contains(got, want) {
			t.Errorf("%v: got %q", err, got)
		}
	}
}

// If the kernel refuses to open the state's partition for writing, the state is still read.
func TestOpenState(t *testing.T) {
	const path = "/sys/kernel/uevent_seqnum" // the kernel does not open this file for writing, even for root
	if _, err := os.Stat(path); err != nil {
		t.Skip("SKIPPED: this machine has no such file: ", err)
	}
	f, err := openState(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := f.Read(make([]byte, 8)); n == 0 {
		t.Errorf("got %d bytes, %v", n, err)
	}
}
