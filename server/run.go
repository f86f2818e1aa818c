package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"dashboard/internal/pause"
)

// Run listens on an address (host:port) and serves until ctx ends. If the address is busy, Run tries again after pauses that grow, and
// logs this rarely. Run must be called only once.
func (s *Server) Run(ctx context.Context, address string) {
	l := s.listen(ctx, address)
	if l == nil {
		return
	}
	s.tellLoopback(l.Addr())
	if s.deps.Listening != nil {
		s.deps.Listening(l.Addr())
	}
	s.Serve(ctx, l)
}

// listen returns a listener. If ctx ends first, it returns nil.
func (s *Server) listen(ctx context.Context, address string) net.Listener {
	var told time.Time
	for wait := minRetry; ; wait = min(2*wait, maxRetry) {
		l, err := s.bind(ctx, "tcp", address)
		if err == nil {
			s.log.Info("server listening", "address", l.Addr().String())
			return l
		}
		if ctx.Err() != nil {
			return nil
		}
		if now := s.now(); told.IsZero() || now.Sub(told) >= nagEvery {
			s.tellDeaf(address, err)
			told = now
		}
		if pause.For(ctx, wait) != nil {
			return nil
		}
	}
}

// tellDeaf logs why the server does not listen, and which key to change.
func (s *Server) tellDeaf(address string, err error) {
	const deaf = "server not listening: "
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		s.log.Error(deaf+"another program uses this address; choose another port with server.port or --listen", "address", address)
	case errors.Is(err, syscall.EACCES):
		s.log.Error(deaf+"this user may not use the port; choose a server.port above 1023", "address", address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		s.log.Error(deaf+"no network interface has the address in server.host; 0.0.0.0 listens at all of them", "address", address)
	default:
		s.log.Error("server not listening; it is tried again", "address", address, "error", err)
	}
}

// tellLoopback logs a message if only this machine can reach the server, although there is a stream output or a widget that shows
// notifications.
func (s *Server) tellLoopback(at net.Addr) {
	tcp, ok := at.(*net.TCPAddr)
	wall := s.deps.Walls.Wall("")
	pushes := wall != nil && wall.Notices != nil && wall.Notices.Any()
	if ok && tcp.IP.IsLoopback() && (s.settings.Load().StreamOn || pushes) {
		s.log.Info("only this machine can reach the server; set server.host to 0.0.0.0 for others", "address", at.String())
	}
}

// Serve serves on the listener l until ctx ends or l fails. Then it ends all streams, closes l and waits a short time for open answers.
// When Serve returns, nothing runs any more.
func (s *Server) Serve(ctx context.Context, l net.Listener) {
	srv := s.httpServer()
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(&patient{l, ctx, s}) }()
	select {
	case <-ctx.Done():
	case err := <-ended:
		s.log.Error("server failed", "error", err)
	}
	s.Close()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if srv.Shutdown(grace) != nil {
		_ = srv.Close() // ends the answers that are still open
	}
}

// A patient is a listener that continues after errors of Accept. Only a closed listener ends it. accept(2) also returns errors of new
// connections and of missing memory. After most of these errors, net/http would stop listening.
type patient struct {
	net.Listener
	ctx context.Context
	s   *Server
}

// Accept implements net.Listener.
func (p *patient) Accept() (net.Conn, error) {
	for {
		c, err := p.Listener.Accept()
		if err == nil || errors.Is(err, net.ErrClosed) || p.ctx.Err() != nil {
			return c, err
		}
		p.s.warn("a connection cannot be accepted; it is tried again", "error", err)
		_ = pause.For(p.ctx, minRetry)
	}
}

// httpServer returns a server for HTTP/1.1 only. With HTTP/2, streams could not take over connections, and browsers use HTTP/2 only with
// encryption.
func (s *Server) httpServer() *http.Server {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.headerTime,
		WriteTimeout:      writeGrace, // for answers that net/http sends itself. The type paced limits all other answers
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnState:         s.connState,
		Protocols:         p,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // most of these errors are errors of callers
	}
}

// connState counts connections. If there are too many connections, it closes a new connection before anything is read from it. A connection
// that takeOver has taken over counts until the broadcaster has closed it.
func (s *Server) connState(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if s.conns.Add(1) > maxConnections {
			s.stats.turned.Inc()
			_ = c.Close()
		}
	case http.StateClosed:
		s.conns.Add(-1)
	}
}
