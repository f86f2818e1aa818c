package power

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrHangs is the error for a backend's call that has not returned in time, and for further calls until it returns.
var ErrHangs = errors.New("it does not answer")

const (
	// Patience is the maximum duration of a backend's call. A monitor that ignores four requests takes 5 s.
	Patience = 10 * time.Second
	// leaveTime is the maximum time for restoring the screens at the end. A program must end within 1.5 s.
	leaveTime = 1400 * time.Millisecond
)

// A Guard calls functions that may hang, such as reading a kernel file whose driver waits for its chip. For each name, only one
// call runs at a time. The zero value is ready to use.
type Guard struct {
	// Late is called when an abandoned call has returned. It may be nil.
	Late func()

	mu    sync.Mutex
	under map[string]chan struct{} // channel by name, closed when the call has returned
}

// Do calls f and waits for it until ctx ends or the time is over. It returns ErrHangs if f or an earlier call with the same name
// has not returned. In that case f continues and owns its data. After the end of ctx, Do does not call f.
func (g *Guard) Do(ctx context.Context, name string, most time.Duration, f func() error) error {
	returned := g.begin(name)
	if returned == nil || ctx.Err() != nil {
		return g.not(name, returned)
	}
	done := make(chan error, 1)
	left := false // true if abandoned, guarded by mu
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
	if g.under[name] != returned { // the call has just returned
		return <-done
	}
	return ErrHangs
}

// Settle waits until no call with a name is running, or ctx ends.
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

// begin records a call and returns a channel that closes at its end. It returns nil if a call is already running.
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

// not removes the record of a call that is not made.
func (g *Guard) not(name string, returned chan struct{}) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if returned != nil {
		delete(g.under, name)
		close(returned)
	}
	return ErrHangs
}
