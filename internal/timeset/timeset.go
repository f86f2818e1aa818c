// Package timeset reports whether the clock of this machine has been set: a board without a battery starts in the past.
package timeset

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	// timesyncd is the folder of systemd-timesyncd while it runs, and the file in it that the first answer of a time server
	// makes (systemd-timesyncd.service(8)).
	timesyncd    = "run/systemd/timesync"
	synchronized = timesyncd + "/synchronized"
	// appliance is a file of the card's system, which always has timesyncd: there the dashboard may be the first to start.
	appliance = "etc/dashboard-image"
	// hardware is the clock with a battery, seconds since 1970 (the kernel's Documentation/admin-guide/rtc.rst).
	hardware = "sys/class/rtc/rtc0/since_epoch"
	// apart is the tolerated difference from the machine's clock.
	apart = time.Hour
)

// earliest is a moment that is past on every machine: a clock with an earlier time has lost its battery.
var earliest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Known reports whether now, by the machine's clock, is trustworthy. It is not on a machine that waits for its first
// answer from a time server and has no battery-backed clock. Unknown states count as set. root is the root of the file
// system.
func Known(root fs.FS, now time.Time) bool {
	if !has(root, timesyncd) && !has(root, appliance) {
		return true
	}
	return has(root, synchronized) || ByHardware(root, now)
}

func has(root fs.FS, name string) bool {
	_, err := fs.Stat(root, name)
	return err == nil
}

// ByHardware reports whether a battery-backed clock shows the same.
func ByHardware(root fs.FS, now time.Time) bool {
	data, err := fs.ReadFile(root, hardware)
	if err != nil {
		return false
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	at := time.Unix(seconds, 0)
	return err == nil && at.After(earliest) && at.Sub(now).Abs() < apart
}

// Machine is the root of this machine's file system.
func Machine() fs.FS { return os.DirFS("/") }
