package brokertest

import (
	"log/slog"
	"net"
	"sync"

	"github.com/mochi-mqtt/server/v2/listeners"
)

// A listener accepts connections, and closes all of them at the end. The library's own listener cannot be used: when it closes, it calls
// GetByListener, which locks an RWMutex twice for reading. If a client disconnects between the two locks, the broker is blocked forever.
type listener struct {
	address string
	clients func() // disconnects all clients of the broker
	net     net.Listener

	mu    sync.Mutex
	ended bool
	open  []net.Conn
}

func (*listener) ID() string        { return "test" }
func (*listener) Protocol() string  { return "tcp" }
func (l *listener) Address() string { return l.net.Addr().String() }

// Init opens the port.
func (l *listener) Init(*slog.Logger) (err error) {
	l.net, err = net.Listen("tcp", l.address)
	return err
}

// Serve accepts connections until Close.
func (l *listener) Serve(establish listeners.EstablishFn) {
	for {
		c, err := l.net.Accept()
		if err != nil || !l.keep(c) {
			return
		}
		go func() { _ = establish(l.ID(), c) }()
	}
}

// keep() stores a connection and returns true. After Close it closes the connection and returns false.
func (l *listener) keep(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		_ = c.Close()
		return false
	}
	l.open = append(l.open, c)
	return true
}

// Close closes the port and all connections, also of clients that have not sent CONNECT yet.
func (l *listener) Close(listeners.CloseFn) {
	_ = l.net.Close()
	l.clients()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	for _, c := range l.open {
		_ = c.Close()
	}
}
