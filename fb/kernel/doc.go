// Package kernel opens devices of Linux as files, controls them with ioctl(2), and watches for devices that appear and disappear.
// On other systems there are no devices.
package kernel

import (
	"bytes"
	"time"
)

// SettleTime is the time for which further messages are collected after the first one, because one plug causes several messages.
const SettleTime = 300 * time.Millisecond

// messageBytes is the longest message of the kernel (UEVENT_BUFFER_SIZE of include/linux/kobject.h is 2048).
const messageBytes = 8 << 10

// A Message is the kernel's report about a device that appeared, disappeared or changed (lib/kobject_uevent.c): a line, and then
// words of the form KEY=VALUE, each terminated by a zero byte. It is valid until the next message. An empty message reports that
// messages were lost.
type Message []byte

// Value returns the value of a key in the message, or nil.
func (m Message) Value(key string) []byte {
	rest := []byte(m)
	for len(rest) > 0 {
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte{0})
		if name, value, ok := bytes.Cut(word, []byte{'='}); ok && string(name) == key {
			return value
		}
	}
	return nil
}

// Genuine reports whether the message has the form of the kernel's messages, "change@/devices/…", and not the form of udev's.
func (m Message) Genuine() bool {
	first, _, _ := bytes.Cut(m, []byte{0})
	return bytes.Contains(first, []byte("@/"))
}

// Of reports whether the message is about a device of one of the subsystems, or about lost messages.
func (m Message) Of(subsystems ...string) bool {
	if len(m) == 0 {
		return true
	}
	of := m.Value("SUBSYSTEM")
	for _, s := range subsystems {
		if m.Genuine() && string(of) == s {
			return true
		}
	}
	return false
}
