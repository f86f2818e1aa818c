package drm

import (
	"bytes"
	"strconv"
)

// An event is a message of the kernel about a screen or card that has appeared, disappeared or changed.
type event struct {
	card      string // "card0", also for a connector
	connector uint32 // id of the connector. 0 means that any connector of the card may have changed
	property  uint32 // id of the changed property. 0 means that a screen may have been connected or removed
}

// parseEvent parses a message of the kernel (lib/kobject_uevent.c): a line, and then words of the form KEY=VALUE. The line and each word
// end with a zero byte. `ok` is false if the message is not from the kernel or not about a screen.
func parseEvent(b []byte) (e event, ok bool) {
	for i, word := range bytes.Split(b, []byte{0}) {
		if i == 0 { // messages of the kernel begin like "change@/devices/…", and messages of udev begin differently
			if !bytes.Contains(word, []byte("@/")) {
				return event{}, false
			}
			continue
		}
		key, value, _ := bytes.Cut(word, []byte{'='})
		switch string(key) {
		case "SUBSYSTEM":
			ok = string(value) == "drm" || string(value) == "graphics"
		case "DEVNAME":
			e.card = string(bytes.TrimPrefix(value, []byte("dri/")))
		case "CONNECTOR":
			e.connector = object(value)
		case "PROPERTY":
			e.property = object(value)
		}
	}
	return e, ok
}

// object parses an object id. It returns 0 if b is not a number.
func object(b []byte) uint32 {
	n, err := strconv.ParseUint(string(b), 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}
