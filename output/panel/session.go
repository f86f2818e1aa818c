package panel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
)

// Wires are the lines from a board to one panel.
type Wires struct {
	Bus       conn.Conn     // SPI bus in mode 0, or nil for a panel on I2C
	DC, Reset gpio.PinOut   // DC is low for commands and high for data. Reset is active when it is low
	Busy      gpio.PinIn    // the panel's busy line
	Power     gpio.PinOut   // switches the panel's power, or nil
	Selects   []gpio.PinOut // each line selects a controller when it is low. Empty if the bus selects the only controller
	I2C       i2c.Bus       // bus of a panel on I2C
	Close     func() error  // releases the lines, or nil
}

const (
	busyLimit = 40 * time.Second      // bound for the duration of a refresh. The slowest refresh takes 32 s in the cold
	busyPoll  = 10 * time.Millisecond // time between two checks of the busy line
	busySoon  = time.Second           // time within which a requested refresh must make the busy line active
	blockSize = 4096                  // maximum number of bytes in one transfer. It is the default of spidev (module parameter bufsiz)
)

var (
	errStuck  = errors.New("the panel stays busy")
	errSilent = errors.New("the panel did not become busy: are its wires in place?")
)

// A driver drives the chip of a model.
type driver interface {
	// update wakes the panel, shows a picture and makes the panel sleep again.
	update(s *session, r request)
}

// A session is one exchange of commands with a panel. After the first error it ignores all further calls.
type session struct {
	ctx  context.Context
	w    *Wires
	idle gpio.Level // level of the busy line while the panel is idle
	err  error
	one  [1]byte
}

// fail stores an error, unless there was one before.
func (s *session) fail(err error) {
	if s.err == nil && err != nil {
		s.err = err
	}
}

// command() sends a command, and then its data.
func (s *session) command(c byte, data ...byte) {
	s.one[0] = c
	s.send(gpio.Low, s.one[:])
	s.data(data)
}

// data() sends data for the latest command.
func (s *session) data(p []byte) {
	for len(p) > 0 {
		n := min(len(p), blockSize)
		s.send(gpio.High, p[:n])
		p = p[n:]
	}
}

func (s *session) send(kind gpio.Level, p []byte) {
	if s.err != nil {
		return
	}
	if err := s.w.DC.Out(kind); err != nil {
		s.fail(fmt.Errorf("line DC: %w", err))
		return
	}
	if err := s.w.Bus.Tx(p, nil); err != nil {
		s.fail(fmt.Errorf("bus: %w", err))
	}
}

// pause() waits for the duration d.
func (s *session) pause(d time.Duration) {
	if s.err != nil {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.ctx.Done():
		s.fail(s.ctx.Err())
	}
}

// reset wakes the chip with the reset line.
func (s *session) reset() {
	for _, step := range [...]struct {
		level gpio.Level
		stays time.Duration
	}{{gpio.High, 20 * time.Millisecond}, {gpio.Low, 2 * time.Millisecond}, {gpio.High, 20 * time.Millisecond}} {
		if s.err == nil {
			s.fail(s.w.Reset.Out(step.level))
		}
		s.pause(step.stays)
	}
}

// ready() waits until the panel is idle.
func (s *session) ready() {
	for end := time.Now().Add(busyLimit); s.err == nil && s.w.Busy.Read() != s.idle; s.pause(busyPoll) {
		if time.Now().After(end) {
			s.fail(fmt.Errorf("%w for %v", errStuck, busyLimit))
		}
	}
}

// refreshed() waits until the requested refresh has begun, and then until it has ended.
func (s *session) refreshed() {
	for end := time.Now().Add(busySoon); s.err == nil && s.w.Busy.Read() == s.idle; s.pause(busyPoll) {
		if time.Now().After(end) {
			s.fail(errSilent)
		}
	}
	s.ready()
}

// selects() sets the select lines. Controller i is selected if bit i of the argument `bits` is set.
func (s *session) selects(bits int) {
	for i, l := range s.w.Selects {
		if s.err == nil {
			s.fail(l.Out(bits>>i&1 == 0))
		}
	}
}

// power() switches the panel's power on or off, if there is a line for it.
func (s *session) power(on bool) {
	if s.w.Power != nil {
		s.fail(s.w.Power.Out(gpio.Level(on)))
	}
}
