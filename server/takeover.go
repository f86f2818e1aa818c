package server

import (
	"bytes"
	"net"
	"net/http"
	"time"
)

// takeOver takes over the connection of a request from net/http. It writes the header and returns a line. If it cannot take over the
// connection, it writes nothing and returns an error. With HTTP/1.0 there are no chunks, so the end of the connection ends the body.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request, v *subscriber) (*line, error) {
	conn, _, err := http.NewResponseController(w).Hijack() // the buffers of net/http are not used
	if err != nil {
		return nil, err
	}
	s.hub.attach(v, conn)
	chunked := r.ProtoAtLeast(1, 1)
	header := s.endlessHeader(w.Header(), chunked)
	s.hub.allow(conn, len(header))
	_, _ = conn.Write(header)              // ignore an error, because the first event then fails too
	_ = conn.SetWriteDeadline(time.Time{}) // the broadcaster sets its own deadlines
	return &line{subscriber: v, conn: conn, out: eager(conn), chunked: chunked, at: s.now()}, nil
}

// endlessHeader returns the header of a response without an end. If `chunked` is true, the body consists of chunks.
func (s *Server) endlessHeader(h http.Header, chunked bool) []byte {
	h.Set("Date", s.now().UTC().Format(http.TimeFormat))
	if chunked {
		h.Set("Transfer-Encoding", "chunked")
	}
	h.Set("Connection", "close") // the end of the stream closes the connection
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(&b) // writing to memory never fails
	b.WriteString("\r\n")
	return b.Bytes()
}

// An eagerWriter writes as many bytes as the connection accepts without blocking. This number may be 0.
type eagerWriter interface {
	try(p []byte) (int, error)
}

// memory is the eagerWriter of a connection in memory. It accepts all data.
type memory struct{ net.Conn }

func (m memory) try(p []byte) (int, error) { return m.Write(p) }
