package server

import (
	"bytes"
	"net"
	"net/http"
	"time"
)

// takeOver takes over the connection of a request, writes the header and returns a line. After a failure the request is unchanged.
// For HTTP/1.0, which has no chunks, the end of the connection ends the body.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request, v *subscriber) (*line, error) {
	conn, _, err := http.NewResponseController(w).Hijack() // the buffers of net/http are not used
	if err != nil {
		return nil, err
	}
	s.hub.attach(v, conn)
	chunked := r.ProtoAtLeast(1, 1)
	header := s.endlessHeader(w.Header(), chunked)
	s.hub.allow(conn, len(header))
	_, _ = conn.Write(header)              // if it fails, the first event fails too
	_ = conn.SetWriteDeadline(time.Time{}) // the broadcaster sets its own deadlines
	return &line{subscriber: v, conn: conn, out: eager(conn), chunked: chunked, at: s.now()}, nil
}

// endlessHeader returns the header of an endless answer, chunked or plain.
func (s *Server) endlessHeader(h http.Header, chunked bool) []byte {
	h.Set("Date", s.now().UTC().Format(http.TimeFormat))
	if chunked {
		h.Set("Transfer-Encoding", "chunked")
	}
	h.Set("Connection", "close") // the connection closes after the end of the stream
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(&b) // writing to memory does not fail
	b.WriteString("\r\n")
	return b.Bytes()
}

// An eagerWriter writes as much as there is room for, which may be nothing, and does not block.
type eagerWriter interface {
	try(p []byte) (int, error)
}

// memory is the eagerWriter of a connection without a socket, which accepts all data.
type memory struct{ net.Conn }

func (m memory) try(p []byte) (int, error) { return m.Write(p) }
