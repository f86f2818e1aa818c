package window

import (
	"bytes"
	"log/slog"
	"testing"

	"dashboard/internal/state"
)

// TestModesAreKept checks that the mode of each connector is stored for the next start. If there is no state folder, nothing is stored.
func TestModesAreKept(t *testing.T) {
	dir := t.TempDir()
	for start := range 2 {
		store, err := state.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		k := Modes{store, slog.New(slog.DiscardHandler)}
		if data, ok := k.LoadMode("HDMI-A-1"); ok != (start == 1) || ok && !bytes.Equal(data, []byte("mode")) {
			t.Errorf("start %d: got %q, %v", start, data, ok)
		}
		k.SaveMode("HDMI-A-1", []byte("mode"))
		if _, ok := k.LoadMode("HDMI-A-2"); ok {
			t.Error("another connector has it too")
		}
	}
	none := Modes{nil, slog.New(slog.DiscardHandler)}
	none.SaveMode("HDMI-A-1", []byte("mode"))
	if _, ok := none.LoadMode("HDMI-A-1"); ok {
		t.Error("kept without a folder")
	}
}
