//go:build linux

package parts

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

var whole = flag.Bool("whole", false, "wait until the screen is as dark as the room, which takes two minutes")

const lightAddress = 0x23

// A lamp emulates a bh1750, a light sensor. It accepts any command. It returns the light in two bytes, in the format of the sensor's data
// sheet.
type lamp struct {
	mu   sync.Mutex
	lux  float64
	gone bool
}

func (l *lamp) write(b []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.gone
}

func (l *lamp) read(int) ([]byte, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	raw := uint16(l.lux*1.2 + 0.5)
	return []byte{byte(raw >> 8), byte(raw)}, !l.gone
}

func (l *lamp) set(lux float64, gone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lux, l.gone = lux, gone
}

// If the room gets dark, the monitor gets dark in small steps. It never gets brighter between two steps. If the sensor is unplugged, the
// brightness does not change and the log reports the sensor once.
func TestLight(t *testing.T) {
	need(t)
	l, m := &lamp{lux: 600}, newMonitor()
	w := newWire(t, map[uint16]slave{lightAddress: l, monitorAddress: m})
	connector(t, w.name)
	must(t, os.WriteFile("/sys/bus/i2c/devices/"+w.name+"/new_device", fmt.Appendf(nil, "bh1750 %#x", lightAddress), 0))
	tells(t, "Light sensor bh1750: 600 lux now")

	p := run(t, conf("display: {backends: [ddc, fb], brightness: {sensor: auto, min: 10%, max: 100%, fade: 1s}}", ""), plainWall)
	eventually(t, "it is bright", func() bool { return m.value(brightness) == 100 })
	l.set(12, false)
	began, aim := time.Now(), 90
	if *whole {
		aim = 53 // 12 lux give the brightness 49, but a change of less than five percent is ignored
	}
	for last := 100; ; time.Sleep(again) {
		now := m.value(brightness)
		if now > last {
			t.Fatalf("it was %d and is %d, in a room that gets dark", last, now)
		}
		if last = now; now <= aim {
			break
		}
		if time.Since(began) > 10*patience {
			t.Fatalf("after %v it is %d", time.Since(began), now)
		}
	}
	t.Logf("measured: 600 to 12 lux: the brightness is %d after %v", m.value(brightness), time.Since(began).Round(time.Second))

	l.set(12, true)
	const word = "the light in the room is not known"
	eventually(t, word, func() bool { return strings.Contains(p.log.String(), word) })
	time.Sleep(quiet) // changes that were decided earlier reach the monitor during this time
	left := m.value(brightness)
	time.Sleep(2 * quiet)
	if now, n := m.value(brightness), p.log.Count(word); now != left || n != 1 {
		t.Errorf("without a sensor it went from %d to %d, and that was told %d times", left, now, n)
	}
	m.check(t)
}
