package panel

import (
	"errors"
	"fmt"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"
	_ "periph.io/x/host/v3/gpioioctl" // GPIO lines through the kernel's character devices
	_ "periph.io/x/host/v3/sysfs"     // SPI and I2C through spidev and i2c-dev
)

// OpenBoard opens the pins of this machine that are connected to a panel of model m. It does not access other pins.
func OpenBoard(m *Model) (*Wires, error) {
	if _, err := driverreg.Init(); err != nil {
		return nil, fmt.Errorf("the board's pins: %w", err)
	}
	if m.Instant {
		return openI2C()
	}
	return openSPI(m)
}

func openI2C() (*Wires, error) {
	bus, err := i2creg.Open("")
	if err != nil {
		return nil, errors.New("no I2C bus: on a Raspberry Pi set dtparam=i2c_arm=on in config.txt, add the user to the group i2c, and restart")
	}
	return &Wires{I2C: bus, Close: bus.Close}, nil
}

// spiPort is the SPI bus with its first select line. Panels of all vendors use it.
const spiPort = "/dev/spidev0.0"

func openSPI(m *Model) (*Wires, error) {
	port, err := spireg.Open(spiPort)
	if err != nil {
		return nil, fmt.Errorf("no %s: on a Raspberry Pi set dtparam=spi=on in config.txt, add the user to the group spi, and restart", spiPort)
	}
	bus, err := port.Connect(physic.Frequency(m.speed)*physic.Hertz, spi.Mode0, 8)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", spiPort, err), port.Close())
	}
	w, err := lines(m.pins)
	if err != nil {
		return nil, errors.Join(err, port.Close())
	}
	w.Bus = bus
	closeLines := w.Close
	w.Close = func() error { return errors.Join(port.Close(), closeLines()) }
	return w, nil
}

// lines() opens the GPIO lines of the panel.
func lines(p pins) (*Wires, error) {
	w := &Wires{}
	var taken []gpio.PinIO
	w.Close = func() error {
		for _, l := range taken {
			if c, ok := l.(interface{ Close() }); ok {
				c.Close()
			}
		}
		return nil
	}
	take := func(name string, n int) (gpio.PinIO, error) {
		l := gpioreg.ByName(fmt.Sprintf("GPIO%d", n))
		if l == nil {
			return nil, fmt.Errorf("line %s: the board has no GPIO%d that this program may use", name, n)
		}
		taken = append(taken, l)
		return l, nil
	}
	dc, err := take("DC", p.dc)
	reset, err2 := take("RESET", p.reset)
	busy, err3 := take("BUSY", p.busy)
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	w.DC, w.Reset, w.Busy = dc, reset, busy
	if err := w.choose(p, take); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if err := busy.In(gpio.PullNoChange, gpio.NoEdge); err != nil {
		return nil, errors.Join(fmt.Errorf("line BUSY: %w", err), w.Close())
	}
	return w, nil
}

// choose opens the line that switches the power, and the lines that select one of several
// controllers. It sets the select lines so that no controller is selected.
func (w *Wires) choose(p pins, take func(name string, n int) (gpio.PinIO, error)) error {
	for i, n := range p.selects {
		l, err := take(fmt.Sprintf("CS%d", i), n)
		if err == nil {
			err = l.Out(gpio.High)
		}
		if err != nil {
			return err
		}
		w.Selects = append(w.Selects, l)
	}
	if p.power != 0 {
		if l, err := take("PWR", p.power); err == nil { // older boards do not have this line, so ignore an error
			w.Power = l
		}
	}
	return nil
}
