//go:build unix

package server

import (
	"net"
	"syscall"
)

// eager() returns an eagerWriter for a connection.
func eager(conn net.Conn) eagerWriter {
	if c, ok := conn.(syscall.Conn); ok {
		if raw, err := c.SyscallConn(); err == nil {
			s := &socket{raw: raw}
			s.write = s.once
			return s
		}
	}
	return memory{conn}
}

// A socket is the eagerWriter of a network connection. Only one goroutine at a time may use it.
type socket struct {
	raw   syscall.RawConn
	write func(fd uintptr) bool // the method s.once. It is stored, because converting a method to a function allocates
	p     []byte
	n     int
	err   error
}

func (s *socket) try(p []byte) (int, error) {
	s.p, s.n, s.err = p, 0, nil
	if err := s.raw.Write(s.write); err != nil {
		return 0, err
	}
	return s.n, s.err
}

// once() calls write(2) a single time. It always returns true, because otherwise RawConn would wait until the socket accepts more data.
func (s *socket) once(fd uintptr) bool {
	n, err := syscall.Write(int(fd), s.p)
	s.p = nil
	switch err {
	case nil:
		s.n = n
	case syscall.EAGAIN, syscall.EINTR: // nothing was written
	default:
		s.err = err
	}
	return true
}
