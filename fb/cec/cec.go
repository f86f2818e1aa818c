// Package cec switches a television on and off with HDMI CEC. It uses the CEC adapters of the kernel.
package cec

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	// answerTime bounds the wait for the television's answer.
	answerTime = time.Second
	// listenTime bounds one wait for a message.
	listenTime = time.Second
	// settleTime is how long a television may take to switch. Some televisions report for ten seconds after a standby message that they
	// are still on.
	settleTime = 20 * time.Second
	// wakes is the maximum number of wake messages for a television that still reports that it is off.
	wakes = 2
)

var (
	// ErrNone is returned if no device answers, because there is no television or it does not support CEC.
	ErrNone = errors.New("no television answers on CEC")
	errNack = errors.New("the television did not take the message")
	errOn   = errors.New("the television took the message and says that it is on")
	errOff  = errors.New("the television was woken, twice, and says that it is off")
)

// A Node is the open device of an adapter.
type Node interface {
	Ioctl(request uint32, arg unsafe.Pointer) error
	Close() error
}

// Info describes an adapter.
type Info struct {
	Driver    string
	Card      int // number of the graphics card to which the adapter belongs, or below 0 if unknown
	Connector uint32
}

// An Adapter is a CEC adapter of the kernel, with the television connected to it. Its methods may be called from any goroutine.
type Adapter struct {
	node  Node
	info  Info
	yield bool // true: do not switch a television that shows another source

	mu      sync.Mutex // guards the following fields
	begun   bool       // true after the first call of Power
	asked   bool       // requested state, true for on
	done    bool       // true if the television was switched to the requested state. With yield, a person may change its state afterwards
	missed  error      // error of the latest switch: no television has answered, or the television stayed on or off. nil if there was no error
	sent    time.Time  // time of the latest message to switch, or zero if its effect need not be checked
	woken   int        // number of wake messages since the requested state was set
	other   bool       // true if the television shows another source
	stopped bool

	gone  atomic.Bool // true if the kernel has removed the adapter
	end   context.CancelFunc
	ended chan struct{}
	shown chan struct{} // capacity 1. Receives a value when a message reports which device the television shows
}

// New registers an adapter as a playback device, whose name appears on the television, and starts to receive messages. The caller must
// call Close.
func New(n Node, name string, yield bool) (*Adapter, error) {
	a := &Adapter{node: n, yield: yield, ended: make(chan struct{}), shown: make(chan struct{}, 1)}
	var c caps
	if err := n.Ioctl(getCaps, unsafe.Pointer(&c)); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	if c.bits&capTransmit == 0 {
		return nil, errors.Join(fmt.Errorf("%s cannot send messages", text(c.driver[:])), n.Close())
	}
	a.info = Info{Driver: text(c.driver[:]), Card: -1}
	var k connector
	if n.Ioctl(getConnector, unsafe.Pointer(&k)) == nil && k.kind == connectorDRM {
		a.info.Card, a.info.Connector = int(k.card), k.id
	}
	if err := a.claim(c.bits, name); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	var ctx context.Context
	ctx, a.end = context.WithCancel(context.Background())
	go a.listen(ctx)
	return a, nil
}

func text(b []byte) string {
	for i, v := range b {
		if v == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// claim requests an address on the bus. Without a television, the kernel cannot assign an address yet. The kernel remembers the request
// until a television appears.
func (a *Adapter) claim(bits uint32, name string) error {
	mode := uint32(modeInitiatorFollower)
	if err := a.node.Ioctl(setMode, unsafe.Pointer(&mode)); err != nil {
		return fmt.Errorf("another program has the adapter: %w", err)
	}
	if bits&capLogAddrs == 0 {
		return nil // the hardware assigns the address
	}
	var has logAddrs
	if err := a.node.Ioctl(getLogAddrs, unsafe.Pointer(&has)); err == nil && has.num > 0 {
		return nil // an earlier run or another program has already claimed an address
	}
	want := logAddrs{version: version14, num: 1, vendor: vendorNone, flags: allowUnregistered}
	copy(want.osd[:osdNameSize-1], name)
	want.primary[0], want.kind[0], want.all[0] = deviceTypePlayback, logAddrTypePlayback, allDevicePlayback
	return a.node.Ioctl(setLogAddrs, unsafe.Pointer(&want))
}

// Info returns a description of the adapter.
func (a *Adapter) Info() Info { return a.info }

// addresses() returns two addresses of the adapter. `own` is the logical address on the bus, or 15 if there is none. `at` is the physical
// address, or invalidAddr if the adapter is not connected.
func (a *Adapter) addresses() (own byte, at uint16) {
	at = invalidAddr
	_ = a.node.Ioctl(getPhysAddr, unsafe.Pointer(&at)) // an error means that the adapter is not connected
	var l logAddrs
	if at != invalidAddr && a.node.Ioctl(getLogAddrs, unsafe.Pointer(&l)) == nil && l.mask != 0 && l.addr[0] < unregisted {
		return l.addr[0], at
	}
	return unregisted, at
}

// send sends a message to an address. If `reply` is not 0, send waits for a message with this opcode and returns it.
func (a *Adapter) send(own, to byte, reply byte, body ...byte) (message, error) {
	m := message{length: uint32(1 + len(body)), reply: reply}
	if reply != 0 {
		m.timeout = uint32(answerTime.Milliseconds())
	}
	m.bytes[0] = own<<4 | to
	copy(m.bytes[1:], body)
	if err := a.node.Ioctl(transmit, unsafe.Pointer(&m)); err != nil {
		return m, err
	}
	if m.txStatus&txOK == 0 {
		return m, errNack
	}
	if reply != 0 && (m.rxStatus&rxOK == 0 || m.rxStatus&rxAbort != 0) {
		return m, ErrNone
	}
	return m, nil
}

// Ask returns the power state of the television. If there is no television, or it does not answer, Ask returns an error.
func (a *Adapter) Ask() (on bool, err error) {
	own, at := a.addresses()
	if at == invalidAddr {
		return false, ErrNone
	}
	m, err := a.send(own, tv, opReportPower, opGivePower)
	if err != nil {
		return false, err
	}
	return m.bytes[2] == powerIsOn || m.bytes[2] == powerToOn, nil
}

// Power switches the television on (true) or off (false). A repeated call with the same argument normally sends nothing.
//
// If the first call is Power(true), it sends nothing, so that a start of the program does not wake the television. If the field yield is
// set, Power does not switch a television that shows another source. It also does not wake a television that a person has switched off.
//
// If the adapter has no physical address, there is no television, or the television hides the address while it is off. In this case,
// Power(true) sends only a wake message, and returns ErrNone if no device received this message. Power(false) returns ErrNone.
//
// A repeated call with the same argument checks once whether the television has switched. If the television should be on but is off, it
// is woken once more. If the television still has not switched, all further calls with this argument return an error.
func (a *Adapter) Power(on bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done && a.asked == on {
		a.lookBack()
		return a.missed
	}
	first := !a.begun
	a.asked, a.done, a.missed, a.begun, a.sent, a.woken = on, false, nil, true, time.Time{}, 0
	var err error
	switch {
	case on && first, a.other && a.yield: // send nothing: the second case is a person who watches another source
	case on:
		err = a.wake()
	default:
		err = a.standby()
	}
	a.done = err == nil
	if on && errors.Is(err, ErrNone) {
		a.done, a.missed = true, err
	}
	return err
}

// standby sends the message that switches the television off. The caller holds mu.
func (a *Adapter) standby() error {
	own, at := a.addresses()
	if at == invalidAddr {
		return ErrNone
	}
	_, err := a.send(own, tv, 0, opStandby)
	if err == nil {
		a.sent = time.Now()
	}
	return err
}

// lookBack checks whether the television has switched. It does this only once for each message, as soon as settleTime has passed since
// the message. If the television does not answer, lookBack assumes that it has switched. If the field yield is set, lookBack assumes the
// same for a television that shows another source. The caller holds mu.
func (a *Adapter) lookBack() {
	if a.sent.IsZero() || time.Since(a.sent) < settleTime {
		return
	}
	a.sent = time.Time{}
	if a.other && a.yield {
		return
	}
	on, err := a.Ask()
	switch {
	case err != nil || on == a.asked:
	case on:
		a.missed = errOn
	case a.woken < wakes:
		_ = a.wake() // a later call of lookBack checks the result
	default:
		a.missed = errOff
	}
}

// wake switches the television on and makes it show this machine. The first message goes to logical address 0, which every television
// has. So it also reaches a television that is off and has not assigned addresses yet. The caller holds mu.
func (a *Adapter) wake() error {
	own, at := a.addresses()
	_, err := a.send(own, tv, 0, opImageViewOn)
	if err != nil && at == invalidAddr {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	if err != nil || at == invalidAddr {
		return err
	}
	_, err = a.send(own, everybody, 0, opActiveSource, byte(at>>8), byte(at))
	a.sent, a.woken = time.Now(), a.woken+1
	return err
}

// listen receives the messages on the bus until ctx is done.
func (a *Adapter) listen(ctx context.Context) {
	defer close(a.ended)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for ctx.Err() == nil {
		m := message{timeout: uint32(listenTime.Milliseconds())}
		if err := a.node.Ioctl(receive, unsafe.Pointer(&m)); err == nil {
			a.hear(&m)
			continue
		} else if errors.Is(err, syscall.ENODEV) {
			a.gone.Store(true)
			return
		}
		pause.Reset(listenTime / 10) // no message arrived
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
	}
}

// hear updates the adapter's state from a message.
func (a *Adapter) hear(m *message) {
	if m.length < 2 || m.length > uint32(len(m.bytes)) {
		return
	}
	from, op := m.bytes[0]>>4, m.bytes[1]
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case op == opStandby && from == tv:
		a.done = a.done && (a.yield || !a.asked)
		if a.asked {
			a.sent = time.Time{} // a person switched the television off
		}
	case (op == opActiveSource || op == opSetStreamPath) && m.length >= 4:
		_, at := a.addresses()
		a.other = uint16(m.bytes[2])<<8|uint16(m.bytes[3]) != at
		select {
		case a.shown <- struct{}{}:
		default:
		}
	}
}

// LookAround asks all devices which device the television shows, and waits for the answer. After that, if the field yield is set, Power
// does not switch a television that shows another source. If the television shows this machine or no device, nothing answers, and
// LookAround waits for answerTime.
func (a *Adapter) LookAround() {
	own, at := a.addresses()
	if at == invalidAddr {
		return
	}
	if _, err := a.send(own, everybody, 0, opRequestActiveSource); err != nil {
		return
	}
	late := time.NewTimer(answerTime)
	defer late.Stop()
	select {
	case <-a.shown:
	case <-late.C:
	}
}

// Gone reports whether the kernel has removed the adapter, for example because a USB adapter was unplugged. When the adapter comes back,
// it has to be opened again.
func (a *Adapter) Gone() bool { return a.gone.Load() }

// Other reports whether the television shows another source.
func (a *Adapter) Other() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.other
}

// Leave switches the television on if Power switched it off, and closes the adapter.
func (a *Adapter) Leave() error {
	a.mu.Lock()
	dark := a.done && !a.asked
	a.mu.Unlock()
	var err error
	if dark {
		err = a.Power(true)
	}
	return errors.Join(err, a.Close())
}

// Close closes the adapter. The television keeps its state.
func (a *Adapter) Close() error {
	a.mu.Lock()
	if a.stopped {
		a.mu.Unlock()
		return nil
	}
	a.stopped = true
	a.mu.Unlock()
	a.end()
	<-a.ended
	return a.node.Close()
}
