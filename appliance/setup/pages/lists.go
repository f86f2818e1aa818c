package pages

import "slices"

// A filter of the gallery shows the walls for a place.
type filter struct {
	tag   string
	walls []string
}

func (f filter) shows(wall string) bool { return slices.Contains(f.walls, wall) }

// filters lists the filters of the gallery. A wall may be in both.
var filters = []filter{
	{"home", []string{"agenda", "energy", "family", "frame", "home", "kitchen", "month", "transit", "weather"}},
	{"work", []string{"agenda", "month", "news", "office", "transit", "weather"}},
}

// Names of icons in icons.svg.
const (
	iconHidden = "hidden"
	iconCable  = "cable"
	iconAlert  = "alert"
	iconFile   = "file"
	iconDone   = "done"
	iconCircle = "circle"
	iconNow    = "now"
	// A digit for the strength of the signal follows these names.
	iconOpen, iconLocked = "wifi", "lock"
)
