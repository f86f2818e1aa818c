//go:build linux

package parts

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Codes and addresses of monitors (MCCS 2.2a, DDC/CI 1.1).
const (
	monitorAddress = 0x37
	brightness     = 0x10
	powerMode      = 0xd6
)

// A monitor answers DDC/CI correctly, except for the configured faults.
type monitor struct {
	mu       sync.Mutex
	values   map[byte]int
	asked    byte
	asks     map[byte]int // number of requests of the dashboard for each code
	whenOff  int          // number of requests before the last switch-off
	faults   []string     // faults for the next answers
	problems []string     // mistakes of the dashboard, which is the host of the bus
}

func newMonitor() *monitor {
	return &monitor{values: map[byte]int{brightness: 50, powerMode: 1}, asks: map[byte]int{}}
}

func xor(v byte, b []byte) byte {
	for _, c := range b {
		v ^= c
	}
	return v
}

func (m *monitor) write(b []byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case len(b) < 4 || b[0] != 0x51 || int(b[1]&0x7f) != len(b)-3 || xor(0x6e, b[:len(b)-1]) != b[len(b)-1]:
		m.problems = append(m.problems, fmt.Sprintf("garbled: % x", b))
	case b[2] == 1:
		m.asked = b[3]
		m.asks[b[3]]++
	case b[2] == 3 && len(b) == 7:
		v := int(b[4])<<8 | int(b[5])
		m.values[b[3]] = v
		if b[3] == powerMode && v == 4 {
			m.whenOff = m.asks[powerMode] + m.asks[brightness]
		}
		if b[3] == powerMode && v == 5 {
			m.problems = append(m.problems, "switched off so that only a hand helps")
		}
	}
	return true
}

func (m *monitor) read(n int) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.values[m.asked]
	r := []byte{0x6e, 0x88, 2, 0, m.asked, 0, 0, 100, byte(v >> 8), byte(v)}
	r = append(r, xor(0x50, r))
	if len(m.faults) > 0 {
		fault := m.faults[0]
		m.faults = m.faults[1:]
		switch fault {
		case "null":
			return []byte{0x6e, 0x80, 0xbe}, true
		case "sum":
			r[10]++
		case "silent":
			return nil, false
		}
	}
	return r[:min(n, len(r))], true
}

func (m *monitor) value(code byte) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.values[code]
}

func (m *monitor) questions(code byte) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asks[code]
}

// check() fails the test if the dashboard has made a mistake.
func (m *monitor) check(t *testing.T) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.problems) > 0 {
		t.Errorf("the monitor says: %s", strings.Join(m.problems, "; "))
	}
}

// The dashboard dims a monitor, switches it off and on, and sends no request while it is off. A request with a faulty answer is sent
// again, at most four times in total. When the dashboard ends, the monitor has its original state again. If the monitor is unplugged, the
// next backend switches the screen.
func TestMonitor(t *testing.T) {
	need(t)
	m := newMonitor()
	w := newWire(t, map[uint16]slave{monitorAddress: m})
	connector(t, w.name)
	tells(t, "Monitor on HDMI-A-1, ddc by /dev/"+w.name+": brightness yes, power yes")

	keys := "display: {backends: [ddc, fb], brightness: 80%}"
	p := run(t, conf(keys, ""), plainWall)
	eventually(t, "it is dimmed", func() bool { return m.value(brightness) == 80 })
	p.power(false, "ddc")
	eventually(t, "it is off", func() bool { return m.value(powerMode) == 4 })
	time.Sleep(quiet) // any request during this time would wake some monitors
	m.mu.Lock()
	if n := m.asks[powerMode] + m.asks[brightness] - m.whenOff; n != 0 {
		t.Errorf("it was asked %d times while it was off", n)
	}
	m.mu.Unlock()
	p.power(true, "ddc")
	eventually(t, "it is on", func() bool { return m.value(powerMode) == 1 })
	off := func() {
		p.power(false, "ddc")
		eventually(t, "it is off again", func() bool { return m.value(powerMode) == 4 })
	}
	off()
	p.leaves(func() bool { return m.value(powerMode) == 1 && m.value(brightness) == 50 }, func() *program {
		t.Logf("left with power %d and brightness %d, found with 1 and 50", m.value(powerMode), m.value(brightness))
		m.mu.Lock()
		m.values[powerMode], m.values[brightness] = 1, 50
		m.mu.Unlock()
		p = run(t, conf(keys, ""), plainWall)
		eventually(t, "it is dimmed again", func() bool { return m.value(brightness) == 80 })
		off()
		return p
	})

	t.Log("faults")
	m.mu.Lock()
	m.faults, m.asks = []string{"null", "sum", "silent"}, map[byte]int{}
	m.mu.Unlock()
	p = run(t, conf(keys, ""), plainWall)
	eventually(t, "it is dimmed in spite of faults", func() bool { return m.value(brightness) == 80 })
	if n := m.questions(brightness); n != 4 {
		t.Errorf("asked %d times, want 4", n)
	}
	m.check(t)

	w.unplug()
	eventually(t, "the bus is gone", func() bool { _, err := os.Stat("/dev/" + w.name); return errors.Is(err, os.ErrNotExist) })
	p.power(false, "fb")
	p.power(true, "fb")
}
