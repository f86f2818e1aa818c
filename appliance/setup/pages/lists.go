package pages

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
