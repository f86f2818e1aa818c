package switches

import (
	"errors"
	"testing"

	"dashboard/control/power"
	"dashboard/fb"
)

// TestNoScreen: a window without a screen stores the state for a later screen. The missing screen is not reported as switched or dimmed.
func TestNoScreen(t *testing.T) {
	k, err := fb.NewKeeperOf(fb.Options{}, func() (fb.Device, error) { return nil, errors.New("no device") })
	if err != nil {
		t.Fatal(err)
	}
	w := New(k, Hardware{}, false, true)
	for _, on := range []bool{true, false, true} {
		if err := w.Power(on); !errors.Is(err, power.ErrNoScreen) {
			t.Errorf("on %v: got %v, want %v", on, err, power.ErrNoScreen)
		}
	}
	if err := w.Dim(0.4); !errors.Is(err, power.ErrAbsent) {
		t.Errorf("got %v, want %v", err, power.ErrAbsent)
	}
}
