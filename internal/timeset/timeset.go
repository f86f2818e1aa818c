// Package timeset reports whether the clock of this machine has been set. The clock of a board without a battery starts in the past.
package timeset

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	// `timesyncd` is a folder that exists while systemd-timesyncd runs. The file `synchronized` in this folder appears with the first answer
	// of a time server (systemd-timesyncd.service(8)).
	timesyncd    = "run/systemd/timesync"
	synchronized = timesyncd + "/synchronized"
	// `appliance` is a file that exists on every appliance. An appliance always runs timesyncd, but the dashboard may start earlier than
	// timesyncd.
	appliance = "etc/dashboard-image"
	// `hardware` is a file with the time of a clock with a battery, in seconds since 1970 (the kernel's Documentation/admin-guide/rtc.rst).
	hardware = "sys/class/rtc/rtc0/since_epoch"
	// `apart` is the tolerated difference between the machine's clock and the clock with a battery.
	apart = time.Hour
)

// `earliest` is a time in the past. If a clock with a battery shows an earlier time, its battery is empty.
var earliest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Known reports whether the machine's clock is set. `now` is its time. Known returns false if the machine waits for the first answer of a
// time server and no clock with a battery confirms this time. If there is no timesyncd, the clock counts as set, except on an appliance.
// `root` is the root of the file system.
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

// ByHardware reports whether a clock with a battery shows about the same time as `now`, as UTC or in the zone of `now`. On a machine that
// also starts Windows, it shows local time.
func ByHardware(root fs.FS, now time.Time) bool {
	data, err := fs.ReadFile(root, hardware)
	if err != nil {
		return false
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	at := time.Unix(seconds, 0)
	_, offset := now.Zone()
	ahead := at.Sub(now)
	return err == nil && at.After(earliest) && (ahead.Abs() < apart || (ahead-time.Duration(offset)*time.Second).Abs() < apart)
}

// Machine returns the root of this machine's file system.
func Machine() fs.FS { return os.DirFS("/") }
