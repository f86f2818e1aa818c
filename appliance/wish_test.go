//go:build linux

package appliance

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/settings"
)

// gallery contains one wall with the files that the test needs.
var gallery = fstest.MapFS{
	"family/wall.png":     {Data: []byte("PNG")},
	"family/widgets.yaml": {Data: []byte("widget: {type: clock}\n")},
	"family/conf.yaml":    {Data: []byte("locale: en-GB   # words\nlocation: {latitude: 51.48, longitude: 0.0}   # yours\noutputs: [{type: window}]\n")},
	"family/photos/a.jpg": {Data: []byte("JPEG")},
}

// The keeper corrects one line of settings.txt and keeps the old file. It does not write a line that has changed.
func TestFixedLine(t *testing.T) {
	dir := drive(t, "wifi_name = Home\r\nwifi_passwort = Kirschbaum\r\n")
	fix := about.Wish{Line: 2, Was: "wifi_passwort = ••••••••", Text: "wifi_password = ••••••••"}
	if err := grant(dir, gallery, fix); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, card.SettingsFile)
	if got := read(t, path); got != "wifi_name = Home\r\nwifi_password = Kirschbaum\r\n" {
		t.Errorf("got %q", got)
	}
	if got := read(t, path+".old"); !strings.Contains(got, "wifi_passwort = Kirschbaum") {
		t.Errorf("got %q", got)
	}
	if err := grant(dir, gallery, fix); err == nil {
		t.Error("a line was written that the wall does not show")
	}
	if err := grant(dir, gallery, about.Wish{Network: "Home", Password: settings.Inside}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".old"); err == nil {
		t.Error("the old file still has the password")
	}
}

// The keeper corrects one line of the wall's conf.yaml or client.yaml and keeps the old file. It corrects no other file, and the board does
// not restart.
func TestFixedWallLine(t *testing.T) {
	dir := drive(t, "")
	folder := filepath.Join(dir, card.ConfigFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"conf.yaml": "a: 1\ntokne: abc\n", "secrets.yaml": "a: 1\nb: 2\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fix := about.Wish{File: "conf.yaml", Line: 2, Was: "tokne: ••••••••", Text: "token: ••••••••"}
	if err := grant(dir, gallery, fix); err != nil || fix.Restarts() {
		t.Fatalf("got %v and a restart: %v", err, fix.Restarts())
	}
	path := filepath.Join(folder, "conf.yaml")
	if got, old := read(t, path), read(t, path+".old"); got != "a: 1\ntoken: abc\n" || old != "a: 1\ntokne: abc\n" {
		t.Errorf("got %q and %q", got, old)
	}
	for _, wrong := range []about.Wish{
		fix, {File: "secrets.yaml", Line: 2, Was: "b: 2", Text: "b: 3"}, {File: "../settings.txt", Line: 1, Text: "role = client"},
	} {
		if err := grant(dir, gallery, wrong); err == nil {
			t.Errorf("%+v was written", wrong)
		}
	}
}

// A correction of the network, the name, the zone or the language does not restart the board.
func TestRestarts(t *testing.T) {
	for text, want := range map[string]bool{
		"wifi_password = ••••••••": false, "WIFI_NAME=Home": false, "wifi_country = DE": false, "hostname = hall": false, "": false,
		"address = 10.0.0.2/24": false, "gateway = 10.0.0.1": false, "dns = 10.0.0.1": false, "NTP = a.lan": false, "proxy = http://p:1": false,
		"role = client": false, "use = none": true, "update = off": true,
	} {
		if got := (about.Wish{Line: 2, Text: text}).Restarts(); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// The board restarts later than it grants the correction, because the phone first loads the page that waits for the board. If the board
// stops earlier, nothing restarts it. Other wishes are applied at once.
func TestCarryOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var all []string
		run := func(command ...string) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, strings.Join(command, " "))
		}
		commands := func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(all)
		}
		ctx, stop := context.WithCancel(t.Context())
		go carryOut(ctx, about.Wish{Line: 2, Text: "update = off"}, run)
		synctest.Wait()
		if ran := commands(); len(ran) > 0 {
			t.Errorf("before the phone has its page: %v", ran)
		}
		time.Sleep(restartAfter) // takes no real time
		synctest.Wait()
		if ran := commands(); len(ran) != 1 || !strings.Contains(ran[0], "reboot") {
			t.Errorf("got %v, want a restart", ran)
		}
		stop()
		carryOut(ctx, about.Wish{Line: 2, Text: "update = off"}, run)
		carryOut(ctx, about.Wish{Line: 2, Text: "hostname = hall"}, run)
		if ran := commands(); len(ran) != 2 || !strings.Contains(ran[1], applyUnit) {
			t.Errorf("got %v, want only %s after the restart", ran, applyUnit)
		}
	})
}

// A corrected role takes effect without a restart: the files of the old role leave, and the units stop one another in order.
func TestChangedRole(t *testing.T) {
	root, s := rootWith(t), settings.Default()
	s.ConfigURL = wallAddress
	for _, role := range []string{settings.Client, settings.Dashboard, settings.Client} {
		s.Role = role
		f, err := writeSettings(root, s, nil, "0123")
		if err != nil || f.Role != role {
			t.Fatalf("got %+v, %v", f, err)
		}
		for other, unit := range units {
			if _, err := os.Readlink(root + wants + unit); (err == nil) != (other == role) {
				t.Errorf("%s: the link of %s: %v", role, unit, err)
			}
		}
		if _, err := os.Stat(root + wallRoleFile); (err == nil) != (role == settings.Client) {
			t.Errorf("%s: the kind of the fetched wall: %v", role, err)
		}
	}
	if text := read(t, "../systemd/"+units[settings.Client]); !strings.Contains(text, "\nAfter="+units[settings.Dashboard]+"\n") ||
		!strings.Contains(text, " "+units[settings.Dashboard]+"\n") {
		t.Error("the client's unit has no Conflicts= or After= for the dashboard")
	}
}

// If a correction changes a file that a service reads only at its start, this service restarts. No other service restarts.
func TestChangedReaders(t *testing.T) {
	for text, want := range map[string]string{
		"":                "",
		"hostname = hall": "",
		"address = 10.0.0.2/24\ngateway = 10.0.0.1": "systemd-networkd.service",
		"dns = 10.0.0.1":                        "systemd-resolved.service",
		"ntp = a.lan":                           "systemd-timesyncd.service",
		"address = 10.0.0.2/24\ndns = 10.0.0.1": "systemd-networkd.service systemd-resolved.service",
	} {
		root := rootWith(t)
		texts := func(file string) (all []string) {
			s, _ := settings.Parse([]byte(file))
			if _, err := writeSettings(root, s, nil, "0123"); err != nil {
				t.Fatal(err)
			}
			for _, r := range readers {
				all = append(all, textsOf(root+r.file)...)
			}
			return all
		}
		if got := strings.Join(changedReaders(texts("timezone = UTC"), texts(text)), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// If a setting is removed from settings.txt, its file in the root file system is removed too.
func TestRemovedSetting(t *testing.T) {
	root := rootWith(t)
	s, _ := settings.Parse([]byte("address = 10.0.0.2/24\ndns = 10.0.0.1\n"))
	if _, err := writeSettings(root, s, nil, "0123"); err != nil {
		t.Fatal(err)
	}
	before := textsOf(root+addressFile, root+networksFile)
	if _, err := writeSettings(root, settings.Default(), nil, "0123"); err != nil {
		t.Fatal(err)
	}
	after := textsOf(root+addressFile, root+networksFile)
	if before[0] == "" || after[0] != "" || before[1] != after[1] {
		t.Errorf("got %q and then %q", before, after)
	}
}

var wish = about.Wish{
	ID: "1", Locale: "de-DE", Country: "DE", Name: "kitchen", Zone: "Europe/Berlin", Place: "48.52, 9.06", Wall: "family",
	Network: "Sonnenallee 12", Password: settings.Inside,
}

func drive(t *testing.T, text string) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, card.SettingsFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A wish changes lines of settings.txt and files of the wall. Replaced files stay under another name.
func TestGrant(t *testing.T) {
	dir := drive(t, "# mine\n#hostname = dashboard\nproxy = http://p:1\n")
	folder := filepath.Join(dir, card.ConfigFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "conf.yaml"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := grant(dir, gallery, wish); err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(dir, card.SettingsFile))
	s, problems := settings.Parse([]byte(text))
	if len(problems) > 0 || s.Hostname != "kitchen" || s.Timezone != "Europe/Berlin" || s.Locale != "de-DE" || s.WifiCountry != "DE" ||
		s.Proxy != "http://p:1" || len(s.Wifi) != 1 || s.Wifi[0] != (settings.Network{Name: "Sonnenallee 12", Inside: true}) || !strings.Contains(text, "# mine") {
		t.Errorf("got %+v, %q of %q", s, problems, text)
	}
	conf := read(t, filepath.Join(folder, "conf.yaml"))
	for _, want := range []string{"location: {latitude: 48.52, longitude: 9.06}\n", "host: 0.0.0.0", "type: window"} {
		if !strings.Contains(conf, want) {
			t.Errorf("conf.yaml lacks %q: %q", want, conf)
		}
	}
	if strings.Contains(conf, "locale") {
		t.Errorf("conf.yaml has another language than settings.txt: %q", conf)
	}
	if got := read(t, filepath.Join(folder, "conf.yaml.old")); got != "mine" {
		t.Errorf("got %q, want the old file", got)
	}
	if got := read(t, filepath.Join(folder, "photos", "a.jpg")); got != "JPEG" {
		t.Errorf("got the photo %q", got)
	}
	if _, err := os.Stat(filepath.Join(folder, "wall.png")); err == nil {
		t.Error("the gallery's picture is on the card")
	}
}

// A wish with only a place changes one line of the present wall.
func TestGrantPlace(t *testing.T) {
	dir := drive(t, "")
	folder := filepath.Join(dir, card.ConfigFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "conf.yaml"), []byte("location: Berlin\nlocale: de\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := grant(dir, gallery, about.Wish{ID: "1", Place: "-33.9, 18.4"}); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, filepath.Join(folder, "conf.yaml")), "location: {latitude: -33.9, longitude: 18.4}\nlocale: de\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A hostile program in place of the set-up program cannot add lines, leave the folder, or change other files.
func TestGrantRefuses(t *testing.T) {
	for name, change := range map[string]func(*about.Wish){
		"a line in the name":    func(w *about.Wish) { w.Name = "x\nssh_key = ssh-ed25519 AAAA" },
		"a line in the network": func(w *about.Wish) { w.Network = "x\rrole = client" },
		"a line in the zone":    func(w *about.Wish) { w.Zone = "UTC\nproxy = http://evil" },
		"a wrong name":          func(w *about.Wish) { w.Name = "über" },
		"a wrong country":       func(w *about.Wish) { w.Country = "Germany" },
		"another folder":        func(w *about.Wish) { w.Wall = "../family" },
		"a folder in a wall":    func(w *about.Wish) { w.Wall = "family/photos" },
		"no such wall":          func(w *about.Wish) { w.Wall = "none" },
		"a short password":      func(w *about.Wish) { w.Password = "short" },
	} {
		dir := drive(t, "hostname = before\n")
		w := wish
		change(&w)
		if err := grant(dir, gallery, w); err == nil {
			t.Errorf("%s: got no error", name)
		}
		if got := read(t, filepath.Join(dir, card.SettingsFile)); got != "hostname = before\n" {
			t.Errorf("%s: got the settings %q", name, got)
		}
	}
}

// If the power fails while the settings are written, the card has the old file or the new file, under one of two names. The first process
// can read both names.
func TestGrantCut(t *testing.T) {
	dir := drive(t, "hostname = before\n")
	if err := grant(dir, gallery, wish); err != nil {
		t.Fatal(err)
	}
	whole := read(t, filepath.Join(dir, card.SettingsFile))
	fresh, old := filepath.Join(dir, card.NewSettingsFile), filepath.Join(dir, card.SettingsFile)
	if err := os.WriteFile(fresh, []byte(whole[:20]), 0o600); err != nil { // the power fails while the new file is written
		t.Fatal(err)
	}
	if s, _ := readSettings(dir); s.Hostname != "kitchen" {
		t.Errorf("half of a new file: got %s", s.Hostname)
	}
	if err := os.Rename(old, fresh); err != nil { // the power fails during the rename
		t.Fatal(err)
	}
	if s, _ := readSettings(dir); s.Hostname != "kitchen" {
		t.Errorf("only the new file: got %s", s.Hostname)
	}
}

// The exit status of the program is 0 after a known command, 1 after an error, and 2 if no set contains the command.
func TestStatusOfCommands(t *testing.T) {
	commands := func(args []string) (known bool, err error) {
		if args[0] == "wrong" {
			return true, os.ErrInvalid
		}
		return args[0] == "known", nil
	}
	for name, want := range map[string]int{"known": 0, "wrong": 1, "unknown": 2} {
		if got := Main([]string{name}, commands); got != want {
			t.Errorf("%s: got status %d, want %d", name, got, want)
		}
	}
}
