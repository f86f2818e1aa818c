package cec

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// A bus simulates the kernel's CEC adapter with a television (drivers/media/cec/core/cec-adap.c).
type bus struct {
	mu      sync.Mutex
	at      uint16 // physical address of the adapter. invalidAddr: the television is off and has withdrawn this address
	claimed bool
	tv      byte // power state that the television reports
	deaf    bool // true if no device receives a message
	stays   bool // true if the television receives the standby message but stays on
	sleeps  int  // number of wake messages that the television ignores
	sent    []string
	in      chan []byte
	closed  chan struct{}
}

func newBus(at uint16) *bus {
	return &bus{at: at, in: make(chan []byte, 9), closed: make(chan struct{})}
}

func (b *bus) Close() error { close(b.closed); return nil }

func (b *bus) Ioctl(request uint32, arg unsafe.Pointer) error {
	if request == receive {
		m := (*message)(arg)
		select {
		case p := <-b.in:
			m.length = uint32(copy(m.bytes[:], p))
			return nil
		case <-b.closed:
			return errors.New("ENODEV")
		case <-time.After(time.Duration(m.timeout) * time.Millisecond):
			return errors.New("ETIMEDOUT")
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch request {
	case getCaps:
		c := (*caps)(arg)
		copy(c.driver[:], "vivid")
		c.bits = capTransmit | capLogAddrs
	case getPhysAddr:
		*(*uint16)(arg) = b.at
	case getLogAddrs:
		l := (*logAddrs)(arg)
		if b.claimed {
			l.num = 1
		}
		if b.claimed && b.at != invalidAddr {
			l.mask, l.addr[0] = 1<<4, 4
		}
	case setLogAddrs:
		l := (*logAddrs)(arg)
		if l.num != 1 || l.kind[0] != logAddrTypePlayback || text(l.osd[:]) != "wall" {
			return fmt.Errorf("EINVAL: %+v", l)
		}
		b.claimed = true
	case setMode:
		if *(*uint32)(arg) != modeInitiatorFollower {
			return errors.New("EINVAL")
		}
	case getConnector:
		k := (*connector)(arg)
		k.kind, k.card, k.id = connectorDRM, 1, 33
	case transmit:
		return b.transmit((*message)(arg))
	default:
		return errors.New("ENOTTY")
	}
	return nil
}

func (b *bus) transmit(m *message) error {
	own := m.bytes[0] >> 4
	if b.at == invalidAddr && (m.length != 2 || m.bytes[1] != opImageViewOn || m.reply != 0) {
		return errors.New("ENONET")
	}
	if b.at == invalidAddr && own != 15 && own != 4 || b.at != invalidAddr && own != 4 {
		return errors.New("EINVAL")
	}
	if b.deaf {
		m.txStatus, m.nacks = 0x24, 4
		if b.at == invalidAddr { // the kernel's test driver vivid does the same without a cable
			m.txStatus, m.nacks = 0x60, 0
			b.sent = append(b.sent, fmt.Sprintf("% x", m.bytes[:m.length]))
		}
		return nil
	}
	m.txStatus = txOK
	if m.bytes[1] == opGivePower {
		m.rxStatus, m.length = rxOK, 3
		m.bytes = [16]byte{0x04, opReportPower, b.tv}
		return nil
	}
	b.sent = append(b.sent, fmt.Sprintf("% x", m.bytes[:m.length]))
	switch m.bytes[1] {
	case opStandby:
		if !b.stays {
			b.tv = 1
		}
	case opImageViewOn:
		if b.sleeps--; b.sleeps < 0 {
			b.tv = 0
		}
	}
	return nil
}

func (b *bus) told() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := strings.Join(b.sent, ", ")
	b.sent = nil
	return s
}

func adapter(t *testing.T, b *bus, yield bool) *Adapter {
	t.Helper()
	a, err := New(b, "wall", yield)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

func (a *Adapter) power(t *testing.T, b *bus, on bool, want string) {
	t.Helper()
	if err := a.Power(on); err != nil {
		t.Errorf("%v: %v", on, err)
	}
	if got := b.told(); got != want {
		t.Errorf("%v: told %q, want %q", on, got, want)
	}
}

func TestTelevision(t *testing.T) {
	b := newBus(0x1000)
	a := adapter(t, b, true)
	if i := a.Info(); i != (Info{"vivid", 1, 33}) {
		t.Errorf("got %+v", i)
	}
	a.power(t, b, true, "") // the first call sends nothing, because the start of a program must not wake the television
	a.power(t, b, false, "40 36")
	a.power(t, b, false, "")
	if on, err := a.Ask(); on || err != nil {
		t.Errorf("got %v, %v", on, err)
	}
	a.power(t, b, true, "40 04, 4f 82 10 00")
	a.power(t, b, true, "")
}

// A television that is off and never had an address is woken by exactly one message. Power(true) then returns no error.
func TestTelevisionAway(t *testing.T) {
	b := newBus(invalidAddr)
	b.tv = 1
	a := adapter(t, b, true)
	if err := a.Power(false); !errors.Is(err, ErrNone) {
		t.Errorf("off: got %v", err)
	}
	a.power(t, b, true, "f0 04")
	a.power(t, b, true, "")
	b.mu.Lock()
	b.at = 0x2000
	b.mu.Unlock()
	a.power(t, b, false, "40 36") // the kernel has assigned an address, without a request of the program
}

// If the cable is disconnected, the television has no address, and messages to it fail. The program sends the wake message once. It sends
// the message again only after it has switched the television off.
func TestTelevisionUnplugged(t *testing.T) {
	b := newBus(invalidAddr)
	b.deaf = true
	a := adapter(t, b, true)
	if err := a.Power(false); !errors.Is(err, ErrNone) {
		t.Errorf("off: got %v", err)
	}
	for range 3 {
		if err := a.Power(true); !errors.Is(err, ErrNone) {
			t.Errorf("on: got %v", err)
		}
	}
	if got := b.told(); got != "f0 04" {
		t.Errorf("told %q, want a single message", got)
	}
	b.mu.Lock()
	b.at, b.deaf = 0x2000, false
	b.mu.Unlock()
	a.power(t, b, false, "40 36")
	a.power(t, b, true, "40 04, 4f 82 20 00")
}

// A monitor without CEC does not receive messages. Power then returns an error, so that the program switches the monitor in another way.
func TestNobody(t *testing.T) {
	b := newBus(0x1000)
	b.deaf = true
	a := adapter(t, b, true)
	if err := a.Power(false); !errors.Is(err, errNack) {
		t.Errorf("got %v", err)
	}
	if err := a.Power(true); !errors.Is(err, errNack) {
		t.Errorf("got %v", err)
	}
}

// If a television receives the standby message but stays on, Power returns an error after settleTime, so that the program tries another
// way. The message is not repeated. If the television is off by then, or shows another source, there is no error.
func TestTelevisionStaysOn(t *testing.T) {
	for name, c := range map[string]struct {
		stays, other bool
		want         error
	}{"it stays on": {true, false, errOn}, "it goes off": {false, false, nil}, "another source": {true, true, nil}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBus(0x1000)
			b.stays = c.stays
			a := adapter(t, b, true)
			a.power(t, b, false, "40 36")
			if c.other {
				b.say(t, a, true, 0x8f, opActiveSource, 0x20, 0x00)
			}
			time.Sleep(settleTime / 2)
			a.power(t, b, false, "")
			time.Sleep(settleTime)
			for range 3 {
				if err := a.Power(false); !errors.Is(err, c.want) || b.told() != "" {
					t.Errorf("%s: got %v, want %v", name, err, c.want)
				}
				time.Sleep(time.Minute)
			}
			if !c.other {
				a.power(t, b, true, "40 04, 4f 82 10 00")
			}
		})
	}
}

// After settleTime, the program asks a woken television whether it is on. If the television is off, it is woken once more. If it is still
// off after that, Power returns an error, and there is no third attempt. A television that a person has switched off in the meantime is
// not woken.
func TestTelevisionStaysOff(t *testing.T) {
	const wakes = "40 04, 4f 82 10 00"
	for name, c := range map[string]struct {
		sleeps int
		hand   bool // true if a person switches the television off with its remote control
		again  string
		want   error
	}{"it wakes": {0, false, "", nil}, "at the second time": {1, false, wakes, nil}, "never": {9, false, wakes, errOff}, "somebody does not want it": {0, true, "", nil}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBus(0x1000)
			a := adapter(t, b, true)
			a.power(t, b, false, "40 36")
			b.sleeps = c.sleeps
			a.power(t, b, true, wakes)
			if c.hand {
				b.in <- []byte{0x0f, opStandby}
				synctest.Wait()
				b.mu.Lock()
				b.tv = 1
				b.mu.Unlock()
			}
			a.power(t, b, true, "")
			told := ""
			for range 4 {
				time.Sleep(settleTime)
				err := a.Power(true)
				told += b.told()
				if err != nil && !errors.Is(err, c.want) {
					t.Errorf("%s: got %v, want %v", name, err, c.want)
				}
			}
			if err := a.Power(true); told != c.again || !errors.Is(err, c.want) {
				t.Errorf("%s: told %q, want %q; got %v, want %v", name, told, c.again, err, c.want)
			}
		})
	}
}

// When the program ends, it switches the television on, but only if it had switched the television off.
func TestLeave(t *testing.T) {
	b := newBus(0x1000)
	a := adapter(t, b, true)
	a.power(t, b, false, "40 36")
	if err := a.Leave(); err != nil || b.told() != "40 04, 4f 82 10 00" {
		t.Errorf("got %v", err)
	}
}

func (b *bus) say(t *testing.T, a *Adapter, other bool, p ...byte) {
	t.Helper()
	b.in <- p
	for end := time.Now().Add(3 * time.Minute); a.Other() != other || len(b.in) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the message is not heard")
		}
	}
}

// If the television shows another source, Power does not switch it on or off. If a person has switched it off, it stays off.
func TestYield(t *testing.T) {
	b := newBus(0x1000)
	a := adapter(t, b, true)
	a.power(t, b, true, "")
	b.say(t, a, true, 0x8f, opActiveSource, 0x20, 0x00)
	a.power(t, b, false, "")
	a.power(t, b, true, "")
	b.say(t, a, false, 0x0f, opSetStreamPath, 0x10, 0x00)
	a.power(t, b, false, "40 36")
	a.power(t, b, true, "40 04, 4f 82 10 00")
	b.in <- []byte{0x0f, opStandby}
	b.say(t, a, true, 0x8f, opActiveSource, 0x20, 0x00)
	b.say(t, a, false, 0x8f, opActiveSource, 0x10, 0x00)
	a.power(t, b, true, "") // the program had switched the television on, and then a person switched it off
}

// If the answer to LookAround is that the television shows another source, Power(false) does not switch the television off. Without an
// answer, it does.
func TestLookAround(t *testing.T) {
	for name, tt := range map[string]struct {
		watches bool
		want    string
	}{"another source": {true, ""}, "no answer": {false, "40 36"}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBus(0x1000)
			a := adapter(t, b, true)
			if tt.watches {
				b.in <- []byte{0x0f, opActiveSource, 0x00, 0x00}
			}
			a.LookAround()
			if got := b.told(); got != "4f 85" {
				t.Errorf("%s: asked %q", name, got)
			}
			a.power(t, b, false, tt.want)
		})
	}
	b := newBus(invalidAddr) // there is no device to ask
	adapter(t, b, true).LookAround()
	if got := b.told(); got != "" {
		t.Errorf("asked %q", got)
	}
}

func TestNoYield(t *testing.T) {
	b := newBus(0x1000)
	a := adapter(t, b, false)
	a.power(t, b, true, "")
	b.mu.Lock()
	b.tv = 1
	b.mu.Unlock()
	b.in <- []byte{0x0f, opStandby}
	b.say(t, a, true, 0x8f, opActiveSource, 0x20, 0x00)
	a.power(t, b, true, "40 04, 4f 82 10 00")
	a.power(t, b, false, "40 36")
}

// The number of an ioctl request contains the size of the request's structure. The structures must have these sizes.
func TestSizes(t *testing.T) {
	for name, c := range map[string]struct {
		request uint32
		size    uintptr
	}{
		"caps": {getCaps, unsafe.Sizeof(caps{})}, "addresses": {setLogAddrs, unsafe.Sizeof(logAddrs{})}, "get addresses": {getLogAddrs, unsafe.Sizeof(logAddrs{})},
		"message": {transmit, unsafe.Sizeof(message{})}, "receive": {receive, unsafe.Sizeof(message{})}, "connector": {getConnector, unsafe.Sizeof(connector{})},
	} {
		if want := uintptr(c.request >> 16 & 0x3fff); c.size != want {
			t.Errorf("%s: got %d bytes, want %d", name, c.size, want)
		}
	}
	var m message
	var l logAddrs
	if unsafe.Offsetof(m.bytes) != 32 || unsafe.Offsetof(m.reply) != 48 || unsafe.Offsetof(l.osd) != 16 || unsafe.Offsetof(l.primary) != 31 || unsafe.Offsetof(l.features) != 43 {
		t.Error("fields are elsewhere than the kernel's")
	}
}

func FuzzHear(f *testing.F) {
	f.Add([]byte{0x0f, opStandby}, uint32(2))
	f.Add([]byte{0x8f, opActiveSource, 0x20, 0x00}, uint32(4))
	f.Fuzz(func(t *testing.T, p []byte, n uint32) {
		a := &Adapter{node: newBus(0x1000), asked: true, done: true}
		m := message{length: n}
		copy(m.bytes[:], p)
		a.hear(&m)
	})
}
