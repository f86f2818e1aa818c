// Package evdev reads fingers and keys from the kernel's input devices.
//
// A Parser turns the bytes of a device into packets, each of which holds the place of every finger. A Device is an open
// input device. A Watcher keeps all devices open as they come and go.
package evdev

// Numbers of include/uapi/linux/input.h and input-event-codes.h. The names are the kernel's without their prefixes where a
// group names them.
const (
	typeSync = 0x00
	typeKey  = 0x01
	typeAbs  = 0x03

	syncReport  = 0
	syncDropped = 3

	absX          = 0x00
	absY          = 0x01
	absSlot       = 0x2f
	absMTX        = 0x35
	absMTY        = 0x36
	absTrackingID = 0x39

	btnLeft  = 0x110
	btnTouch = 0x14a

	propPointer = 0 // a touchpad, which moves a pointer
	propDirect  = 1 // a touchscreen

	keyPressed = 1 // the value of a key that goes down; 0 is up, 2 repeats
)

// The keys of use to a wall.
const (
	KeyLeft  = 105
	KeyRight = 106
	KeyUp    = 103
	KeyDown  = 108
	KeySpace = 57
	KeyEnter = 28
	KeyEsc   = 1
	Key1     = 2 // to Key9
	Key9     = 10
	KeyPower = 116

	keyLeftCtrl = 29
	keyF1       = 59
	keyBack     = 158
	keyOK       = 352
	keySelect   = 353
	keyPageUp   = 104
	keyPageDown = 109
	maxKey      = 0x2ff
)

const (
	// MaxFingers bounds the fingers of a device. More are ignored.
	MaxFingers = 10
	// maxKeysPerPacket bounds the keys that one packet tells.
	maxKeysPerPacket = 8
	// maxEvents is how many events are read at once; the kernel keeps more for later.
	maxEvents = 64
)

// An Axis is the numbers between which one lies.
type Axis struct{ Min, Max int32 }

// share is where a number lies on the axis, from 0 to less than 1.
func (a Axis) share(v int32) float64 {
	n := float64(a.Max) - float64(a.Min) + 1
	if n < 1 {
		return 0
	}
	return min(max((float64(v)-float64(a.Min))/n, 0), 1-1/n)
}

// Info is what a device is.
type Info struct {
	Name  string // as the driver says, such as "ft5x06"
	Touch bool   // fingers, or a pointer with absolute positions
	Multi bool   // several, by the multitouch protocol B (Documentation/input/multi-touch-protocol.rst)
	Keys  bool   // any of the used keys
	Full  bool   // a keyboard, with which a person may switch consoles
	X, Y  Axis
}

// Useful reports whether a wall has any use for the device.
func (i Info) Useful() bool { return i.Touch || i.Keys }

// A Finger is one on a screen.
type Finger struct {
	Down bool
	X, Y float64 // from 0 to less than 1, to the right and down, as the device has it
}

// A Packet is the report of a device about one moment. It is valid until the next one.
type Packet struct {
	At      int64 // µs since some moment
	Fingers [MaxFingers]Finger
	Down    int      // how many fingers are down
	Keys    []uint16 // those that went down
}
