package provider

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// Sessions are connections that several providers share: one to a broker, one to a home's hub. The first who asks for one
// opens it, the last who gives it back closes it. The zero value is ready for use.
type Sessions struct {
	mu   sync.Mutex // guards open, and every session's users
	open map[string]*session
}

// A session is one connection, being opened, open, or being closed.
type session struct {
	users int
	ready chan struct{} // closed when conn and err are there
	gone  chan struct{} // closed when it has been closed again
	conn  io.Closer
	err   error
	end   context.CancelFunc
}

// Acquire returns the connection of a key and what gives it back, which must be called once. Where nobody has it, open makes
// it: its context lasts as long as the connection. All who ask meanwhile wait for that, until their own ctx ends, and share
// the error of a failure, after which the next who asks opens it anew. A connection that is being closed is waited for, so that
// there are never two of one key.
//
// The same key must always be of the same type T; anything else is an error.
func Acquire[T io.Closer](ctx context.Context, s *Sessions, key string, open func(context.Context) (T, error)) (conn T, release func(), err error) {
	var none T
	e, err := s.join(ctx, key, func(ctx context.Context) (io.Closer, error) { return open(ctx) })
	if err != nil {
		return none, nil, err
	}
	release = sync.OnceFunc(func() { s.leave(key, e) })
	select {
	case <-e.ready:
	case <-ctx.Done():
		release()
		return none, nil, ctx.Err()
	}
	if e.err != nil {
		release()
		return none, nil, e.err
	}
	conn, ok := e.conn.(T)
	if !ok {
		release()
		return none, nil, fmt.Errorf("the connection %q is a %T", key, e.conn)
	}
	return conn, release, nil
}

// join counts one more user of a key's session, which is begun if there is none.
func (s *Sessions) join(ctx context.Context, key string, open func(context.Context) (io.Closer, error)) (*session, error) {
	for {
		s.mu.Lock()
		e, ok := s.open[key]
		if ok && e.users > 0 {
			e.users++
			s.mu.Unlock()
			return e, nil
		}
		if !ok {
			e = s.beginLocked(key, open)
			s.mu.Unlock()
			return e, nil
		}
		s.mu.Unlock()
		select {
		case <-e.gone:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// beginLocked opens a session with one user.
func (s *Sessions) beginLocked(key string, open func(context.Context) (io.Closer, error)) *session {
	ctx, end := context.WithCancel(context.Background())
	e := &session{users: 1, ready: make(chan struct{}), gone: make(chan struct{}), end: end}
	if s.open == nil {
		s.open = map[string]*session{}
	}
	s.open[key] = e
	go func() {
		defer close(e.ready)
		e.conn, e.err = openContained(ctx, open)
	}()
	return e
}

// openContained turns a panic of open into its error.
func openContained(ctx context.Context, open func(context.Context) (io.Closer, error)) (c io.Closer, err error) {
	defer func() {
		if v := recover(); v != nil {
			c, err = nil, &PanicError{Value: v}
		}
	}()
	return open(ctx)
}

// leave counts one user less, and closes the session after the last.
func (s *Sessions) leave(key string, e *session) {
	s.mu.Lock()
	e.users--
	last := e.users == 0
	s.mu.Unlock()
	if !last {
		return
	}
	e.end()
	<-e.ready
	if e.err == nil {
		_ = e.conn.Close() // nobody is left to be told
	}
	s.mu.Lock()
	delete(s.open, key)
	s.mu.Unlock()
	close(e.gone)
}

// Len is how many connections there are, for status pages.
func (s *Sessions) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}
