package trmnl

import "testing"

// TestReadsPNG: the firmware of the first board can show PNG since version 1.5.2. An invalid version counts as a new version.
func TestReadsPNG(t *testing.T) {
	for version, want := range map[string]bool{
		"1.5.2": true, "v1.5.2": true, "1.5.3": true, "1.6.0": true, "1.6": true, "2.0.1": true, "2": true, "": true, "new": true, "1.x.0": true,
		"1.5.1": false, "1.5": false, "1.4.9": false, "v0.9.9": false, "1": false,
	} {
		if got := readsPNG(version); got != want {
			t.Errorf("%q: got %v, want %v", version, got, want)
		}
	}
}
