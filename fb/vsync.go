package fb

import (
	"errors"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// vsyncLimit bounds the wait for a vertical blank. It is three frames at 60 Hz. A longer wait would delay draws too much, and would
	// never end if the driver hangs.
	vsyncLimit = 50 * time.Millisecond
	// vsyncProbes and vsyncInstant detect drivers that return without waiting. Together, vsyncProbes waits must take at least
	// vsyncInstant. On a real screen of up to 240 Hz they take longer, because every wait except the first takes a whole frame. On
	// emulated graphics, 30 waits take 3 ms.
	vsyncProbes  = 4
	vsyncInstant = 6 * time.Millisecond
)

// A vsync waits for vertical blanks in a separate goroutine, so that a driver that never returns does not block the caller. A nil vsync
// does not wait.
type vsync struct {
	dev    Device
	ask    chan struct{} // requests to wait. Capacity 1. Closing the channel ends the goroutine
	answer chan struct{} // results of the requests. Capacity 1
	done   chan struct{} // closed when the goroutine has ended
	timer  *time.Timer
	state  atomic.Pointer[string] // "on", or the reason why waiting is off
}

var (
	vsyncProbing = "probing"
	vsyncOn      = "on"
	vsyncAtOnce  = "off: the driver does not wait"
	vsyncHung    = "off: the driver did not return in time"
	vsyncNone    = "not needed: the driver has no wait for the blank" // for example on a connector, whose Pan already waits for the blank
)

// newVSync starts a vsync for `dev`.
func newVSync(dev Device) *vsync {
	v := &vsync{
		dev:    dev,
		ask:    make(chan struct{}, 1),
		answer: make(chan struct{}, 1),
		done:   make(chan struct{}),
		timer:  time.NewTimer(vsyncLimit),
	}
	v.timer.Stop()
	v.state.Store(&vsyncProbing)
	go v.run()
	return v
}

// run tests the driver. If the driver really waits, run serves the calls of wait().
func (v *vsync) run() {
	defer close(v.done)
	if !v.probe() {
		return
	}
	v.state.CompareAndSwap(&vsyncProbing, &vsyncOn)
	for range v.ask {
		if err := v.dev.WaitVSync(); err != nil {
			v.off(offBy(err))
			return
		}
		select {
		case v.answer <- struct{}{}:
		default:
		}
	}
}

// probe reports whether the driver really waits for blanks.
func (v *vsync) probe() bool {
	start := time.Now()
	for range vsyncProbes {
		if err := v.dev.WaitVSync(); err != nil {
			v.off(offBy(err))
			return false
		}
	}
	if time.Since(start) < vsyncInstant {
		v.off(vsyncAtOnce)
		return false
	}
	return true
}

// offBy returns the new text of the field `state` after a wait has failed with err. If the driver does not support waiting, this text
// does not describe an error.
func offBy(err error) string {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOTTY) {
		return vsyncNone
	}
	return "off: " + err.Error()
}

func (v *vsync) off(why string) { v.state.Store(&why) }

// wait returns after the next vertical blank, or after vsyncLimit if this is earlier. In the second case, it turns waiting off. If
// waiting is off, it returns at once. Only one goroutine may call it at a time.
func (v *vsync) wait() {
	if v == nil || v.state.Load() != &vsyncOn {
		return
	}
	select {
	case <-v.answer: // drop the answer to an earlier request that timed out
	default:
	}
	select {
	case v.ask <- struct{}{}:
	default:
	}
	v.timer.Reset(vsyncLimit)
	defer v.timer.Stop()
	select {
	case <-v.answer:
	case <-v.done:
	case <-v.timer.C:
		v.state.Store(&vsyncHung)
	}
}

// String describes whether the display waits for blanks.
func (v *vsync) String() string {
	if v == nil {
		return "off"
	}
	return *v.state.Load()
}

// closeAfter ends the goroutine and closes `dev`. `dev` must not be closed during a call of the driver. So if such a call blocks the
// goroutine, `dev` is closed later, after the call has returned.
func (v *vsync) closeAfter(dev Device) error {
	close(v.ask)
	v.timer.Reset(vsyncLimit)
	defer v.timer.Stop()
	select {
	case <-v.done:
		return dev.Close()
	case <-v.timer.C:
	}
	go func() {
		<-v.done
		_ = dev.Close() // nothing receives this error
	}()
	return nil
}
