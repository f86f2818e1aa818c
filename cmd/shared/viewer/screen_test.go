package viewer

import (
	"image"
	"log/slog"
	"testing"

	"dashboard/config"
	"dashboard/internal/state"
	"dashboard/output/window"
)

// The mode of a screen is stored for the next start. The stored mode belongs to the screen's connector. Storing a mode must not change
// the settings, because a reload would then find a difference between the old and the new settings.
func TestModesAreKept(t *testing.T) {
	dir := t.TempDir()
	o, err := window.Options(&config.WindowOutput{Driver: config.DriverDRM, Connector: "HDMI-A-1"}, image.Pt(64, 48))
	if err != nil {
		t.Fatal(err)
	}
	s := &settings{window: o}
	for start := range 2 {
		store, err := state.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		keeper := s.options(store, slog.New(slog.DiscardHandler)).Connector.Cards.Modes()
		if data, ok := keeper.LoadMode("HDMI-A-1"); ok != (start == 1) || ok && string(data) != "a mode" {
			t.Errorf("start %d: got %q, %v", start, data, ok)
		}
		keeper.SaveMode("HDMI-A-1", []byte("a mode"))
	}
	if s.window.Connector.Cards != nil || s.window.Connector.Log != nil {
		t.Error("the settings are others than those that were read")
	}
}
