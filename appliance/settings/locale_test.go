package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"dashboard/appliance/settings"
)

// The present name of a time zone replaces its old name. A zone in the list keeps its name even if it is a link.
func TestPresentZone(t *testing.T) {
	dir := t.TempDir()
	table := "IN\t+2232+08822\tAsia/Kolkata\nUS\t+340308-1181434\tAmerica/Los_Angeles\nDE\t+4742+00841\tEurope/Busingen\n"
	for name, to := range map[string]string{
		"Asia/Calcutta": "Kolkata", "US/Pacific": "../America/Los_Angeles", "US/Pacific-New": "Pacific", "Zulu": "Etc/UTC", "Europe/Busingen": "Zurich", "A": "A",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(to, path)); err != nil {
			t.Fatal(err)
		}
	}
	for zone, want := range map[string]string{
		"Asia/Calcutta": "Asia/Kolkata", "US/Pacific": "America/Los_Angeles", "US/Pacific-New": "America/Los_Angeles", "Asia/Kolkata": "Asia/Kolkata",
		"Europe/Busingen": "Europe/Busingen", "Zulu": "UTC", "Etc/UTC": "UTC", "Etc/GMT+5": "Etc/GMT+5", "A": "A", "": "",
	} {
		if got := settings.PresentZone(dir, zone, table); got != want {
			t.Errorf("%s: got %q, want %q", zone, got, want)
		}
	}
}
