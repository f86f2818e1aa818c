package homeassistanttest

import (
	"context"
	"net"
	"slices"
	"sync"
)

// Pipes is a listener whose connections are in memory. They work in a synctest bubble with fake time.
type Pipes struct {
	conns chan net.Conn
	gone  chan struct{}
	once  sync.Once
}

// NewPipes returns a listener. Dial connects to it.
func NewPipes() *Pipes { return &Pipes{conns: make(chan net.Conn), gone: make(chan struct{})} }

// Accept implements net.Listener.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.gone:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *Pipes) Close() error { p.once.Do(func() { close(p.gone) }); return nil }

// Addr implements net.Listener.
func (p *Pipes) Addr() net.Addr { return &net.TCPAddr{} }

// Dial connects to the listener. It ignores the address. Its parameters have the form of http.Transport.DialContext.
func (p *Pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- buffer(there):
		return buffer(here), nil
	case <-p.gone:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// buffered is a connection whose Write does not wait until the other end reads. Network connections have the same property. If both ends
// of a bare net.Pipe write at the same time, they block each other.
type buffered struct {
	net.Conn
	out  chan []byte
	gone chan struct{}
	once sync.Once
}

// mostWrites is the maximum number of writes that wait for the reader.
const mostWrites = 4096

func buffer(c net.Conn) *buffered {
	b := &buffered{Conn: c, out: make(chan []byte, mostWrites), gone: make(chan struct{})}
	go func() {
		for {
			select {
			case data := <-b.out:
				if _, err := c.Write(data); err != nil {
					return
				}
			case <-b.gone:
				return
			}
		}
	}()
	return b
}

// Write sends a copy of `data`.
func (b *buffered) Write(data []byte) (int, error) {
	select {
	case <-b.gone:
		return 0, net.ErrClosed
	case b.out <- slices.Clone(data):
		return len(data), nil
	}
}

// Close closes the connection and drops unread data.
func (b *buffered) Close() error {
	b.once.Do(func() { close(b.gone) })
	return b.Conn.Close()
}
