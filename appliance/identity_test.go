package appliance

import (
	"os"
	"path/filepath"
	"testing"
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
