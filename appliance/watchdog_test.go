//go:build linux

package appliance

import (
	"bytes"
	"testing"
	"time"
)

// If a start hangs, the watchdog is fed until watchdogLimit and not longer. It is never disarmed.
func TestFeed(t *testing.T) {
	var device bytes.Buffer
	var spent time.Duration
	feed(&device, watchdogLimit, func(d time.Duration) { spent += d })
	if want := int(watchdogLimit / watchdogPause); device.Len() != want || bytes.ContainsRune(device.Bytes(), 'V') {
		t.Errorf("got %q, want %d bytes, none of them V", device.Bytes(), want)
	}
	if spent != watchdogLimit || watchdogPause*3 > watchdogTime*time.Second {
		t.Errorf("fed for %v every %v, want %v, three times in %d s", spent, watchdogPause, watchdogLimit, watchdogTime)
	}
}
