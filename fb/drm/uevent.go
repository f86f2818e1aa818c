package drm

import (
	"bytes"
	"strconv"
)

// An event is a message of the kernel about a screen or a card that appeared, disappeared or changed.
type event struct {
	card      string // "card0", also for a connector
	connector uint32 // 0: any
	property  uint32 // number of the property. 0 for plugs
}

// parseEvent parses a message of the kernel (lib/kobject_uevent.c): a line, and then words of the form KEY=VALUE, each terminated
// by a zero byte. ok is false if the message does not concern a screen.
func parseEvent(b []byte) (e event, ok bool) {
	for i, word := range bytes.Split(b, []byte{0}) {
		if i == 0 { // "change@/devices/…". Messages of udev itself begin differently
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

// object parses the number of a kernel object. It returns 0 if the text is not a number.
func object(b []byte) uint32 {
	n, err := strconv.ParseUint(string(b), 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}
