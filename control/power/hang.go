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
	// Patience is how long a backend may take: a monitor that answers nothing to four questions takes 5 s.
	Patience = 10 * time.Second
	// leaveTime bounds how long giving the screens back may take, beside all else that ends: a program has 1.5 s.
	leaveTime = 1400 * time.Millisecond
)

// A Guard calls what may hang, such as a file of the kernel's whose driver waits for its chip. One call of a name is under way at a time. The
// zero value is ready.
type Guard struct {
	// Late is called when a call has returned that nobody waits for any more; it may be nil.
	Late func()

	mu    sync.Mutex
	under map[string]chan struct{} // by name: closed when the call has returned
}

// Do calls f, and waits for it until ctx ends or for so long at most. ErrHangs says that it has not returned, or an earlier one of the name.
// f goes on then: what it writes belongs to it. Once ctx has ended nothing is called.
func (g *Guard) Do(ctx context.Context, name string, most time.Duration, f func() error) error {
	returned := g.begin(name)
	if returned == nil || ctx.Err() != nil {
		return g.not(name, returned)
	}
	done := make(chan error, 1)
	left := false // nobody waits any more; guarded by mu
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

// begin notes that a call is under way, and returns what is closed when it has returned; nil if there is one already.
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
