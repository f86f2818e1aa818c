//go:build linux

package appliance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/appliance/settings"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/imager"
)

// driveWith returns a folder that replaces the first partition. It contains the named files. A name that ends in a slash is a folder.
func driveWith(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			path = filepath.Join(path, "x")
		}
		if err := put(path, func(path string) error { return os.WriteFile(path, nil, 0o644) }); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The message about a missing file or folder is worded for the owner. If there is an entry with a similar name, the message contains that
// name.
func TestMissingFilesAreNamed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"as it should be", []string{"settings.txt", "dashboard/conf.yaml"}, nil},
		{"nothing", nil, []string{`the drive DASHBOARD has no file settings.txt: the defaults are used`, `the drive DASHBOARD has no folder "dashboard": the example is shown`}},
		{"hidden endings", []string{"settings.txt.txt", "dashboard/conf.yaml.txt", "dashboard/widgets.yml"}, []string{
			`the drive DASHBOARD has no file settings.txt: the defaults are used; rename "settings.txt.txt" to "settings.txt"`,
			`the folder "dashboard" has no conf.yaml; rename "conf.yaml.txt" to "conf.yaml"`,
			`the folder "dashboard" has no widgets.yaml; rename "widgets.yml" to "widgets.yaml"`,
		}},
		{"a second copy", []string{"settings.txt", "dashboard (1)/conf.yaml"}, []string{`the drive DASHBOARD has no folder "dashboard": the example is shown; rename "dashboard (1)" to "dashboard"`}},
		{"a second copy of the recipes", []string{"settings.txt", "dashboard/conf.yaml", "dashboard/recipes (1)/pond/recipe.yaml"}, []string{
			`the folder "dashboard" has no recipes; rename "recipes (1)" to "recipes"`,
		}},
		{"a zip file is no folder", []string{"settings.txt", "dashboard.zip"}, []string{`the drive DASHBOARD has no folder "dashboard": the example is shown`}},
	} {
		drive := driveWith(t, tt.files...)
		_, problems := readSettings(drive)
		problems = append(problems, folderProblems(drive, settings.Dashboard)...)
		if got, want := strings.Join(problems, "\n"), strings.Join(tt.want, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, want)
		}
	}
}

func TestLooksLike(t *testing.T) {
	for _, tt := range []struct {
		found, name string
		want        bool
	}{
		{"conf (2).yaml", "conf.yaml", true}, {"Conf - Copy.yaml", "conf.yaml", true}, {"conf.yml.txt", "conf.yaml", false}, {"conf", "conf.yaml", true},
		{"conf.yaml", "conf.yaml", false}, {"config.yaml", "conf.yaml", false}, {"conf.yaml.bak", "conf.yaml", false}, {"dashboard-client", "dashboard", false},
	} {
		if got := looksLike(tt.found, tt.name); got != tt.want {
			t.Errorf("%q for %q: got %v, want %v", tt.found, tt.name, got, tt.want)
		}
	}
}

// The units may use the devices that the settings allow, and no other devices.
func TestUnitLinks(t *testing.T) {
	s, _ := settings.Parse([]byte("use = touch\n"))
	const dir = "/etc/systemd/system/dashboard.service.d/"
	if got := unitLinks(t.TempDir(), s); len(got) != 1 {
		t.Errorf("a root file system without drop-ins: got %q, want the wall's unit alone", got)
	}
	links := unitLinks(driveWith(t, "usr/lib/dashboard/rights/touch.conf", "usr/lib/dashboard/rights/gpio.conf"), s)
	if got, want := links[dir+"touch.conf"], "/usr/lib/dashboard/rights/touch.conf"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, ok := links[dir+"gpio.conf"]; ok {
		t.Errorf("got %q, want no right to the pins", got)
	}
	for _, role := range []string{settings.Dashboard, settings.Client} {
		s.Role = role
		links = unitLinks(driveWith(t, "etc/systemd/system/"+setupUnit), s)
		if _, ok := links["/etc/systemd/system/multi-user.target.wants/"+setupUnit]; !ok {
			t.Errorf("%s: the set-up does not start: %q", role, links)
		}
	}
	for _, right := range settings.Devices(settings.Dashboard) {
		if _, err := os.Stat("../systemd/rights/" + right + ".conf"); err != nil {
			t.Error(err)
		}
	}
}

// The name of a time zone may be in upper or lower case. A table such as leapseconds, and a path out of the folder of time zones, are not
// time zones.
func TestZoneFile(t *testing.T) {
	folder := driveWith(t, "Asia/Tokyo", "UTC", "leapseconds")
	for _, name := range []string{"Asia/Tokyo", "UTC"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("TZif2"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for zone, want := range map[string]string{
		"asia/tokyo": "Asia/Tokyo", "Asia/Tokyo": "Asia/Tokyo", "utc": "UTC", "Asia": "", "Mars/Olympus": "", "../x": "", "Asia/Tokyo/x": "", "leapseconds": "",
	} {
		got, ok := zoneFile(folder, zone)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %q, %v, want %q", zone, got, ok, want)
		}
	}
}

// Values from Raspberry Pi Imager are used if settings.txt does not set them.
func TestImagerFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		imager.UserFile:    "#cloud-config\nhostname: pi\ntimezone: Europe/Berlin\n",
		imager.NetworkFile: "network:\n  wifis:\n    wlan0:\n      access-points:\n        \"Home\":\n          password: \"longenough\"\n",
		card.SettingsFile:  "hostname = kitchen\nwifi_name = office\nwifi_password = longenough2\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, problems := readSettings(dir)
	if len(problems) > 0 || s.Hostname != "kitchen" || s.Timezone != "Europe/Berlin" || len(s.Wifi) != 2 || s.Wifi[0].Name != "office" || s.Wifi[1].Name != "Home" {
		t.Errorf("got %+v, %q", s, problems)
	}
}

// A line is not refused if its value is used without its quotation marks, or if a gateway outside of the network is used.
func TestUsedLines(t *testing.T) {
	for file, used := range map[string]int{
		"hostname = \"kitchen\"": 1, "address = 10.0.0.2/8\ngateway = 192.168.1.1": 1, "gateway = 192.168.1.1": 0, "rolle = client": 0, "timezone = Mars/Olympus": 0,
	} {
		root := rootWith(t)
		if err := put(root+bootFolder+"/settings.txt", func(path string) error { return os.WriteFile(path, []byte(file+"\n"), 0o600) }); err != nil {
			t.Fatal(err)
		}
		s, problems := readSettings(root + bootFolder)
		f, err := writeSettings(root, s, problems, "0123")
		if err != nil || len(f.Problems) == 0 || len(f.Used) != used || used > 0 && f.Used[0] != f.Problems[0] {
			t.Errorf("%q: got the problems %q, of them used: %q, %v", file, f.Problems, f.Used, err)
		}
	}
}

// The first mistake of settings.txt is in the facts for the wall. A time zone that does not exist is a mistake too.
func TestFirstMistake(t *testing.T) {
	root := rootWith(t)
	const file = "wifi_password = Kirschbaum\n\ntimezone = Mars/Olympus\nrolle = client\nhostname = \"kitchen\"\n"
	if err := put(root+bootFolder+"/settings.txt", func(path string) error { return os.WriteFile(path, []byte(file), 0o600) }); err != nil {
		t.Fatal(err)
	}
	s, problems := readSettings(root + bootFolder)
	f, err := writeSettings(root, s, problems, "0123")
	if err != nil || f.Mistake == nil {
		t.Fatalf("got %+v, %v", f, err)
	}
	if m := f.Mistake; m.Line != 3 || m.More != 1 || m.Right != "timezone = Europe/Berlin" || len(m.Rows) != 3 || m.Rows[1].Word != "Mars/Olympus" {
		t.Errorf("got %+v", m)
	}
	if text := read(t, root+"/"+about.FactsFile); strings.Contains(text, "Kirschbaum") || len(problems) != 2 {
		t.Errorf("got %s, %q", text, problems)
	}
}
