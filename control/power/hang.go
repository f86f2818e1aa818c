package power

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrHangs is the error of a call that did not return in time. Further calls with the same name return this error until the first call
// has returned.
var ErrHangs = errors.New("it does not answer")

const (
	// Patience is the maximum duration of one call of a backend. A monitor that ignores four requests takes 5 s.
	Patience = 10 * time.Second
	// leaveTime is the maximum time for restoring the screens when the program ends. The program must end within 1.5 s.
	leaveTime = 1400 * time.Millisecond
)

// A Guard calls functions that may hang. For example, reading a kernel file hangs while the driver waits for its chip. At most one call
// with the same name runs at a time. The zero value is ready to use.
type Guard struct {
	// Do may stop waiting for a call. Late is called when this call has returned. Late may be nil.
	Late func()

	mu    sync.Mutex
	under map[string]chan struct{} // channel of each running call by name; it is closed when the call has returned
}

// Do calls f and waits until f returns, until ctx ends, or until the maximum time has passed. If Do stops waiting, it returns ErrHangs
// while f is still running and may still use its data. If an earlier call with the same name is still running, or if ctx has already
// ended, Do returns ErrHangs and does not call f.
func (g *Guard) Do(ctx context.Context, name string, most time.Duration, f func() error) error {
	returned := g.begin(name)
	if returned == nil || ctx.Err() != nil {
		return g.not(name, returned)
	}
	done := make(chan error, 1)
	left := false // whether Do has stopped waiting; guarded by mu
	go func() {
		err := f()
		g.mu.Lock()
		delete(g.under, name)
		late := left && g.Late != nil
		g.mu.Unlock()
		done <- err
		close(returned)
		if late {
			g.Late()
		}
	}()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	case <-timer.C:
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	left = true
	if g.under[name] != returned { // the call has returned in the meantime
		return <-done
	}
	return ErrHangs
}

// Settle waits until no call with the name is running, or until ctx ends.
func (g *Guard) Settle(ctx context.Context, name string) {
	g.mu.Lock()
	returned := g.under[name]
	g.mu.Unlock()
	if returned == nil {
		return
	}
	select {
	case <-returned:
	case <-ctx.Done():
	}
}

// begin records a call and returns a channel that will be closed when the call returns. It returns nil if a call with the same name is
// already running.
func (g *Guard) begin(name string) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.under[name] != nil {
		return nil
	}
	if g.under == nil {
		g.under = map[string]chan struct{}{}
	}
	g.under[name] = make(chan struct{})
	return g.under[name]
}

// not() removes the record of a call that does not take place. It returns ErrHangs.
func (g *Guard) not(name string, returned chan struct{}) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if returned != nil {
		delete(g.under, name)
		close(returned)
	}
	return ErrHangs
}
