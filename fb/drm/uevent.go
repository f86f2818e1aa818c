package drm

import (
	"bytes"
	"strconv"
)

// An event is the kernel's report that a screen or a card came, went or changed.
type event struct {
	card      string // "card0", of a connector too
	connector uint32 // 0: any
	property  uint32 // the connector. 0: the property for plugs
}

// parseEvent reads a message of the kernel (lib/kobject_uevent.c): a line, then words of the form KEY=VALUE, each ended
// by a zero byte. False if it is about no screen.
func parseEvent(b []byte) (e event, ok bool) {
	for i, word := range bytes.Split(b, []byte{0}) {
		if i == 0 { // "change@/devices/…": udev's own begin otherwise
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

// object returns the number of a kernel's object, 0 if it is not a number.
func object(b []byte) uint32 {
	n, err := strconv.ParseUint(string(b), 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}
