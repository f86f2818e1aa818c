package wall

import (
	"os"
	"path/filepath"
	"testing"

	"dashboard/control/fleet"
	"dashboard/internal/state"
)

// TestKeysOfWallsAreKept checks that a token is stored for the next start, in a file that only its owner can read.
func TestKeysOfWallsAreKept(t *testing.T) {
	dir := t.TempDir()
	store, err := state.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	wall := []fleet.Address{{Name: "Hall", URL: "http://10.0.0.1:5000", Listed: true}}
	f := newFleet(store)
	f.Configure(wall)
	if err := f.Keep(f.Look()[0].ID, "secret"); err != nil {
		t.Fatal(err)
	}
	var modes []os.FileMode
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == fleetFile {
			info, _ := d.Info()
			modes = append(modes, info.Mode())
		}
		return err
	})
	if len(modes) != 1 || modes[0] != 0o600 {
		t.Errorf("got files with modes %v, want one with 0600", modes)
	}
	again := newFleet(store)
	again.Configure(wall)
	if w := again.Look()[0]; !w.Keyed {
		t.Errorf("after a restart: got %+v", w)
	}
}
