package provider

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// Sessions holds connections that several providers share, such as a connection to a broker. The first user opens a connection, and
// the last one closes it. The zero value is ready for use.
type Sessions struct {
	mu   sync.Mutex // guards open, and users of every session
	open map[string]*session
}

// A session is one connection that is being opened, open, or being closed.
type session struct {
	users int
	ready chan struct{} // closed when conn and err are set
	gone  chan struct{} // closed when the session is closed
	conn  io.Closer
	err   error
	end   context.CancelFunc
}

// Acquire returns the connection of a key, and a function that releases it, which must be called once. If there is no connection,
// open makes one. The context of open lasts as long as the connection. Other callers wait, at most until their ctx ends, and share
// an error. After an error the next caller opens it again. If a connection is being closed, Acquire waits for the end, so that a
// key never has two connections.
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

// join adds a user to the session of a key. If there is no session, it begins one.
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

// openContained converts a panic of open to an error.
func openContained(ctx context.Context, open func(context.Context) (io.Closer, error)) (c io.Closer, err error) {
	defer func() {
		if v := recover(); v != nil {
			c, err = nil, &PanicError{Value: v}
		}
	}()
	return open(ctx)
}

// leave removes a user. After the last user it closes the session.
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
		_ = e.conn.Close() // no user is left to receive the error
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
