package scene

import (
	"testing"

	"dashboard/control/power"
	"dashboard/widgets/kit"
)

// TestNear checks Seat.near. In a view without a sensor, Seat.near returns nil. Until a sensor has reported, a person counts as present.
func TestNear(t *testing.T) {
	at := NewSeat()
	if at.near(Display{}) != nil || at.near(Display{Settings: &power.Settings{}}) != nil {
		t.Error("a wall without a sensor has one")
	}
	for _, d := range []Display{
		{Presence: &kit.Condition{}},
		{Settings: &power.Settings{Presence: &power.Presence{Line: &power.Line{}}}},
	} {
		near := at.near(d)
		if near == nil || !near() {
			t.Fatal("a sensor that has not reported does not count as presence")
		}
		at.Away.Store(true)
		if near() {
			t.Error("nobody is near, and the sensor says so")
		}
		at.Away.Store(false)
	}
	if near := (Seat{}).near(Display{Presence: &kit.Condition{}}); !near() {
		t.Error("a view that does not run has nobody near")
	}
}

// TestDark checks Seat.dark. A room is dark if the light sensor that controls the brightness reports darkness. Until the sensor has
// reported, the room is not dark.
func TestDark(t *testing.T) {
	at := NewSeat()
	if at.dark(Display{}) != nil || at.dark(Display{Settings: &power.Settings{Brightness: &power.Brightness{}}}) != nil {
		t.Error("a wall without a light sensor has one")
	}
	dark := at.dark(Display{Settings: &power.Settings{Brightness: &power.Brightness{Sensor: true}}})
	if dark == nil || dark() {
		t.Fatal("a sensor that has not reported counts as darkness")
	}
	if at.Dim.Store(true); !dark() {
		t.Error("the room is dark, and the sensor says so")
	}
}
