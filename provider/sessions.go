package provider

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// Sessions holds connections that several providers share, such as a connection to a broker. The first user opens a connection, and the
// last user closes it. The zero value is ready to use.
type Sessions struct {
	mu   sync.Mutex // guards the field `open`, and the users of every session
	open map[string]*session
}

// A session is a connection that is open, or that is being opened or closed.
type session struct {
	users int
	ready chan struct{} // closed when conn and err are set
	gone  chan struct{} // closed when the connection is closed
	conn  io.Closer
	err   error
	end   context.CancelFunc
}

// Acquire returns the connection with the given key, and a function that the caller must call once to release it. If there is no
// connection, Acquire calls the function `open`. The context of `open` lasts as long as the connection. Other callers wait until `open` has
// returned or until their ctx ends. If `open` fails, all waiting callers get its error, and the next caller calls `open` again. If the
// connection is being closed, Acquire waits until it is closed, so that there are never two connections with the same key.
//
// A key must always have the same type T. Another type is an error.
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

// join adds a user to the session with a key. If the key has no session, join starts a session.
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

// beginLocked starts a session with one user. mu must be held.
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

// openContained calls `open` and converts a panic to an error.
func openContained(ctx context.Context, open func(context.Context) (io.Closer, error)) (c io.Closer, err error) {
	defer func() {
		if v := recover(); v != nil {
			c, err = nil, &PanicError{Value: v}
		}
	}()
	return open(ctx)
}

// leave removes a user from a session. After the last user, it closes the connection.
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
		_ = e.conn.Close() // no user is left who could receive the error
	}
	s.mu.Lock()
	delete(s.open, key)
	s.mu.Unlock()
	close(e.gone)
}

// Len returns the number of connections, for status pages.
func (s *Sessions) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}
