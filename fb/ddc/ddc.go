// Package ddc controls the brightness and the power of a monitor with DDC/CI (VESA DDC/CI 1.1 and MCCS 2.2a).
package ddc

import (
	"errors"
	"fmt"
	"time"
)

// Address is the address of a monitor on its I2C bus (DDC/CI 1.1, section 5.1).
const Address = 0x37

// Brightness and PowerMode are codes that can be read and set (MCCS 2.2a, section 8).
const (
	Brightness = 0x10
	PowerMode  = 0xd6
)

// Values of PowerMode. The value 5 (off) is not used, because only the monitor's own button can undo it.
const (
	powerOn  = 1
	powerOff = 4
)

const (
	// replyDelay is the time that a monitor needs to answer. setDelay is the time that it needs to set a value (DDC/CI 1.1, sections 4.3
	// and 4.4).
	replyDelay = 40 * time.Millisecond
	setDelay   = 50 * time.Millisecond
	// apart is the minimum time between two transactions. Monitors need this pause, because they also draw their picture.
	apart = 200 * time.Millisecond
	// tries bounds how often a code is requested while the answers are invalid. Each pause between two requests is twice as long as the
	// previous pause.
	tries = 4
	// writeApart is the minimum time between two writes of the brightness, because some monitors store it in memory that wears out.
	writeApart = time.Second
	// leastStep is the smallest change of brightness that is written, as a share of the range.
	leastStep = 0.02

	replyBytes = 11
)

var (
	// ErrUnsupported is returned if a monitor does not support a code.
	ErrUnsupported = errors.New("the monitor does not support it")
	errNotReady    = errors.New("the monitor is not ready")
	errGarbled     = errors.New("the monitor's answer is garbled")
)

// A Bus is the I2C bus of one monitor. Write sends bytes to Address, and Read reads from it.
type Bus interface {
	Write(b []byte) error
	Read(b []byte) error
	Close() error
}

// checksum returns the XOR of an address and all bytes of b.
func checksum(address byte, b []byte) byte {
	for _, v := range b {
		address ^= v
	}
	return address
}

// appendRequest appends a message of the host to dst: the host's address, the length, the body and the checksum.
func appendRequest(dst []byte, body ...byte) []byte {
	dst = append(append(dst, 0x51, 0x80|byte(len(body))), body...)
	return append(dst, checksum(Address<<1, dst))
}

// parseReply parses a monitor's answer to a request for a code. `now` is the present value, and `most` is the maximum value.
func parseReply(b []byte, code byte) (now, most int, err error) {
	if len(b) < 3 || b[0] != Address<<1 {
		return 0, 0, errGarbled
	}
	if b[1] == 0x80 {
		return 0, 0, errNotReady // the monitor sent a null message
	}
	if len(b) < replyBytes || b[1] != 0x88 || b[2] != 0x02 || checksum(0x50, b[:10]) != b[10] || b[4] != code {
		return 0, 0, errGarbled
	}
	if b[3] != 0 {
		return 0, 0, ErrUnsupported
	}
	return int(b[8])<<8 | int(b[9]), int(b[6])<<8 | int(b[7]), nil
}

// A gate is a mutex that consists of a channel. In tests with synctest, time also passes while a goroutine waits for a gate.
type gate chan struct{}

func (g gate) Lock()   { g <- struct{}{} }
func (g gate) Unlock() { <-g }

// A Monitor is a monitor on a bus. Its methods wait for the monitor's answers. They may be called from any goroutine.
type Monitor struct {
	bus Bus

	mu     gate      // held while the bus is used, which may take long. It guards the following fields
	last   time.Time // time of the latest transaction
	buf    []byte
	reply  [replyBytes]byte
	powers bool // true if the monitor supports PowerMode
	dims   bool // true if the monitor supports Brightness
	most   int  // maximum of Brightness
	found  int  // original brightness, or below 0 if unknown

	off     bool  // true if the monitor was switched off
	known   bool  // true if the field `off` is the present state. false: the state is unknown
	woken   int   // number of consecutive attempts to switch the monitor on without a confirmation by the monitor
	doubt   error // error of the last of these attempts
	set     int   // brightness that was written last, or below 0 if none was written
	wanted  int
	written time.Time
	later   *time.Timer // timer that writes the field `wanted`
	failed  error       // error of a delayed write
}

// New reads the codes Brightness and PowerMode of a monitor. If the monitor does not support any of them, New closes the bus and returns
// an error.
func New(bus Bus) (*Monitor, error) {
	m := &Monitor{bus: bus, mu: make(gate, 1), found: -1, set: -1}
	now, most, err := m.get(Brightness)
	if m.dims = err == nil && most > 0; m.dims {
		m.found, m.most = min(now, most), most
	}
	if err == nil || errors.Is(err, ErrUnsupported) { // any other error means that no monitor answers
		_, _, err = m.get(PowerMode)
		m.powers = err == nil
	}
	if !m.dims && !m.powers {
		return nil, errors.Join(fmt.Errorf("no DDC/CI: %w", err), bus.Close())
	}
	return m, nil
}

// Dims reports whether the brightness can be set.
func (m *Monitor) Dims() bool { return m.dims }

// Powers reports whether the monitor can be switched on and off.
func (m *Monitor) Powers() bool { return m.powers }

// pause waits until d has passed since the latest transaction.
func (m *Monitor) pause(d time.Duration) {
	time.Sleep(max(0, d-time.Since(m.last)))
}

// get reads a code. If an answer is invalid, it repeats the request.
func (m *Monitor) get(code byte) (now, most int, err error) {
	m.pause(apart)
	for try := range tries {
		if try > 0 {
			m.pause(replyDelay << (try - 1))
		}
		now, most, err = m.ask(code)
		if err == nil || errors.Is(err, ErrUnsupported) {
			return now, most, err
		}
	}
	return 0, 0, err
}

func (m *Monitor) ask(code byte) (now, most int, err error) {
	defer func() { m.last = time.Now() }()
	m.buf = appendRequest(m.buf[:0], 0x01, code)
	if err := m.bus.Write(m.buf); err != nil {
		return 0, 0, err
	}
	time.Sleep(replyDelay)
	if err := m.bus.Read(m.reply[:]); err != nil {
		return 0, 0, err
	}
	return parseReply(m.reply[:], code)
}

// put writes a code. If the monitor does not accept the bytes, put retries once. put cannot find out whether the monitor obeys.
func (m *Monitor) put(code byte, v int) (err error) {
	m.pause(apart)
	for try := range 2 {
		if try > 0 {
			m.pause(replyDelay)
		}
		m.buf = appendRequest(m.buf[:0], 0x03, code, byte(v>>8), byte(v))
		err = m.bus.Write(m.buf)
		time.Sleep(setDelay)
		m.last = time.Now()
		if err == nil {
			return nil
		}
	}
	return err
}

// Power switches the monitor on or off. It sends nothing if the monitor already has the requested state, because a message would wake
// some monitors that are off.
func (m *Monitor) Power(on bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case !m.powers:
		return ErrUnsupported
	case m.known && m.off == !on:
		return m.doubt
	case !on:
		m.woken, m.doubt = 0, nil
		if err := m.put(PowerMode, powerOff); err != nil {
			return err
		}
		m.off, m.known = true, true
		return nil
	}
	return m.wake()
}

// mostWakes bounds the attempts to switch a monitor on. An attempt has failed if the monitor still reports that it is off, or does not
// answer. After the last attempt, Power assumes that the monitor is on, because some monitors report wrong states. The second attempt is
// for slow monitors.
const mostWakes = 2

// wake switches the monitor on, and checks its state. The caller holds mu.
func (m *Monitor) wake() error {
	if !m.known { // the state is unknown, so the monitor may already be on
		if now, _, err := m.get(PowerMode); err == nil && now == powerOn {
			m.off, m.known, m.woken = false, true, 0
			return nil
		}
	}
	if err := m.put(PowerMode, powerOn); err != nil {
		return err
	}
	now, _, err := m.get(PowerMode)
	if err == nil && now != powerOn {
		err = fmt.Errorf("the monitor was switched on but reports power mode %d", now)
	}
	if m.woken++; err == nil {
		m.woken = 0
	}
	m.off, m.known = false, m.woken == 0 || m.woken >= mostWakes
	if m.woken >= mostWakes {
		m.doubt = err
	}
	return err
}

// Dim sets the brightness, from 0 to 1. A level below 0 restores the original brightness. If calls follow quickly, Dim writes at most one
// value in a second. The value of the last call is always written, unless it is nearly the same as the present brightness. If a delayed
// write fails, the next call of Dim returns the error.
func (m *Monitor) Dim(level float64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.dims {
		return ErrUnsupported
	}
	err := m.failed
	m.failed = nil
	if level < 0 && m.set < 0 {
		return err
	}
	m.wanted = m.found
	if level >= 0 {
		m.wanted = int(min(1, level)*float64(m.most) + 0.5)
	}
	if m.later != nil {
		return err
	}
	if wait := writeApart - time.Since(m.written); wait > 0 && !m.written.IsZero() {
		m.later = time.AfterFunc(wait, m.flush)
		return err
	}
	return m.write()
}

// flush writes a delayed brightness.
func (m *Monitor) flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.later = nil
	if m.bus != nil {
		m.failed = m.write()
	}
}

// write writes the brightness in the field `wanted`, unless it is nearly the same as the brightness that was written last. A change
// to the lowest or the highest brightness is always written.
func (m *Monitor) write() error {
	if m.wanted == m.set {
		return nil
	}
	if d := m.wanted - m.set; m.set >= 0 && float64(max(d, -d)) < leastStep*float64(m.most) && m.wanted != 0 && m.wanted != m.most {
		return nil
	}
	m.written = time.Now()
	if err := m.put(Brightness, m.wanted); err != nil {
		m.set = -1
		return err
	}
	m.set = m.wanted
	return nil
}

// Forget makes the state of the monitor count as unknown. The next call of Power then sends a message, even if the monitor seems to be in
// the right state. Call Forget if another monitor may be connected, or the monitor may have lost power.
func (m *Monitor) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known, m.woken, m.doubt, m.set = false, 0, nil, -1
}

// Close closes the bus. The monitor keeps its state.
func (m *Monitor) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.later != nil {
		m.later.Stop()
	}
	if m.bus == nil {
		return nil
	}
	err := m.bus.Close()
	m.bus = nil
	m.powers, m.dims = false, false
	return err
}

// Leave switches the monitor on if Power switched it off, restores the original brightness if Dim has changed it, and closes the bus.
func (m *Monitor) Leave() error {
	m.mu.Lock()
	off, set := m.off, m.set
	m.mu.Unlock()
	var err error
	if off {
		err = m.Power(true)
	}
	if set >= 0 {
		m.mu.Lock()
		if m.dims {
			m.wanted = m.found
			err = errors.Join(err, m.put(Brightness, m.found))
			m.set = -1
		}
		m.mu.Unlock()
	}
	return errors.Join(err, m.Close())
}
