// Package evdev reads touch and keys from the kernel's input devices.
//
// A Parser turns bytes of a device into packets with the position of each finger. A Device is an open input device. A Watcher opens
// devices as they appear and reads them.
package evdev

// These numbers come from include/uapi/linux/input.h and input-event-codes.h. They have the kernel's names, some of them without the
// prefix.
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

	keyPressed = 1 // value of a pressed key (0 means released, 2 means repeated)
)

// Keys with a function on a wall.
const (
	KeyLeft  = 105
	KeyRight = 106
	KeyUp    = 103
	KeyDown  = 108
	KeySpace = 57
	KeyEnter = 28
	KeyEsc   = 1
	Key1     = 2 // and so on up to Key9
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
	// MaxFingers is the number of fingers that a Parser follows. The Parser ignores further fingers.
	MaxFingers = 10
	// maxKeysPerPacket bounds the keys in a packet.
	maxKeysPerPacket = 8
	// maxEvents bounds the events of one read. Further events stay in the kernel until the next read.
	maxEvents = 64
)

// An Axis is the range of values of an axis.
type Axis struct{ Min, Max int32 }

// share converts a value of the axis to a number from 0 to just below 1.
func (a Axis) share(v int32) float64 {
	n := float64(a.Max) - float64(a.Min) + 1
	if n < 1 {
		return 0
	}
	return min(max((float64(v)-float64(a.Min))/n, 0), 1-1/n)
}

// Info describes what a device can do.
type Info struct {
	Name  string // name from the driver, such as "ft5x06"
	Touch bool   // true if the device reports fingers, or a pointer with an absolute position
	Multi bool   // true if the device reports several fingers, by multitouch protocol B (Documentation/input/multi-touch-protocol.rst)
	Keys  bool   // true if the device has at least one key with a function
	Full  bool   // true if the device is a full keyboard, which may switch consoles
	X, Y  Axis
}

// Useful reports whether a wall can use the device.
func (i Info) Useful() bool { return i.Touch || i.Keys }

// A Finger is the state of one finger.
type Finger struct {
	Down bool
	X, Y float64 // from 0 at the left and the top to just below 1, in the device's orientation
}

// A Packet is the state of a device at one moment. It is valid until the next packet.
type Packet struct {
	At      int64 // time in µs since a fixed but unknown moment
	Fingers [MaxFingers]Finger
	Down    int      // number of fingers on the screen
	Keys    []uint16 // keys that were just pressed
}
