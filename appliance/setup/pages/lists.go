package pages

// Names of icons in icons.svg.
const (
	iconWifi   = "wifi"
	iconHidden = "hidden"
	iconCable  = "cable"
	iconAlert  = "alert"
	iconFile   = "file"
	iconDone   = "done"
	iconCircle = "circle"
)
