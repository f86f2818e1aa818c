// Package kernel opens Linux devices as files, controls them with ioctl(2), and watches for devices that appear and disappear. On other
// systems, its functions return errors.
package kernel

import (
	"bytes"
	"time"
)

// SettleTime is the time in which further messages are collected after the first message. A new device causes several messages.
const SettleTime = 300 * time.Millisecond

// messageBytes bounds the bytes of a message. The kernel's own bound is 2048 (UEVENT_BUFFER_SIZE in include/linux/kobject.h).
const messageBytes = 8 << 10

// A Message is a report of the kernel about a device that has appeared, disappeared or changed (lib/kobject_uevent.c). It consists of a
// line and of words of the form KEY=VALUE. The line and each word end with a zero byte. A Message is valid until the next message. An
// empty Message means that messages were lost.
type Message []byte

// Value returns the value of a key in the message, or nil if the message does not contain the key.
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

// Genuine reports whether the message comes from the kernel and not from udev. Messages of the kernel begin like "change@/devices/…".
// Messages of udev begin differently.
func (m Message) Genuine() bool {
	first, _, _ := bytes.Cut(m, []byte{0})
	return bytes.Contains(first, []byte("@/"))
}

// Of reports whether the message is about a device of one of the given subsystems. It also returns true if messages were lost.
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
