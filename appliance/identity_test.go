package appliance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/appliance/settings"
)

// TestMachineID checks that a board has the same identity at every start. The identity comes from the serial number or, on a PC, from the
// UUID. Two boards that lack both numbers have different identities.
func TestMachineID(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	serial, uuid, missing, empty := file("serial", "100000"), file("uuid", "4c4c"), filepath.Join(dir, "missing"), file("empty", "")
	if a, b := machineID(serial, uuid), machineID(serial, missing); a != b || len(a) != 32 {
		t.Errorf("of one serial number: got %s and %s, want the same 32 digits", a, b)
	}
	if a, b := machineID(missing, uuid), machineID(missing, uuid); a != b || a == machineID(serial, uuid) {
		t.Errorf("of one UUID: got %s and %s, want the same, and not that of the serial number", a, b)
	}
	for _, files := range [][]string{{missing, missing}, {empty, missing}} {
		if a, b := machineID(files...), machineID(files...); a == b {
			t.Errorf("%v: two boards are both %s", files, a)
		}
	}
}

// A time zone with an old name has a country too, so the wall has the country's language.
func TestLanguageOfOldZone(t *testing.T) {
	root := rootWith(t)
	zones := filepath.Join(root, zoneFolder)
	for _, err := range []error{
		os.WriteFile(filepath.Join(zones, "zone.tab"), []byte("JP\t+353916+1394441\tAsia/Tokyo\nUA\t+5026+03031\tEurope/Kyiv\n"), 0o600),
		os.MkdirAll(filepath.Join(zones, "Europe"), 0o700), os.WriteFile(filepath.Join(zones, "Europe/Kyiv"), []byte("TZif2"), 0o600),
		os.Symlink("Kyiv", filepath.Join(zones, "Europe/Kiev")), os.Symlink("Europe/Kiev", filepath.Join(zones, "Kiev")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, zone := range []string{"Europe/Kyiv", "Europe/Kiev", "europe/kiev", "Kiev"} {
		s, _ := settings.Parse([]byte("timezone = " + zone))
		if _, err := writeSettings(root, s, nil, "0123"); err != nil {
			t.Fatal(err)
		}
		if got := read(t, root+"/etc/systemd/system/dashboard.service.d/locale.conf"); !strings.Contains(got, "LANG=uk_UA.UTF-8") {
			t.Errorf("%s: got %q", zone, got)
		}
	}
}
