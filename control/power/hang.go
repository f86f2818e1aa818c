package power

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrHangs is what a backend's call is answered with that has not returned in time, and each one after it until it has.
var ErrHangs = errors.New("it does not answer")

const (
	// Patience limits a call of a backend: a monitor that ignores four questions takes 5 s.
	Patience = 10 * time.Second
	// leaveTime limits the restoring of the screens at the end. A program has 1.5 s for that.
	leaveTime = 1400 * time.Millisecond
)

// A Guard calls what may hang, such as a file of the kernel's whose driver waits for its chip. One call of a name is under way at a time. The
// zero value is ready.
type Guard struct {
	// Late is called when an abandoned call has returned. It may be nil.
	Late func()

	mu    sync.Mutex
	under map[string]chan struct{} // by name: closed when the call has returned
}

// Do calls f and waits for it until ctx ends or the time is over. It returns ErrHangs if f, or an earlier call of the same name,
// has not returned. f continues then and owns its data. After the end of ctx, Do calls nothing.
func (g *Guard) Do(ctx context.Context, name string, most time.Duration, f func() error) error {
	returned := g.begin(name)
	if returned == nil || ctx.Err() != nil {
		return g.not(name, returned)
	}
	done := make(chan error, 1)
	left := false // abandoned; guarded by mu
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
	if g.under[name] != returned { // just now
		return <-done
	}
	return ErrHangs
}

// Settle waits until no call of a name is under way, or ctx ends.
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

// begin records a call and returns a channel that closes at its end, or nil if a call is under way already.
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

// not takes back a call that is not made.
func (g *Guard) not(name string, returned chan struct{}) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if returned != nil {
		delete(g.under, name)
		close(returned)
	}
	return ErrHangs
}
