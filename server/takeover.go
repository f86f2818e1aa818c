package server

import (
	"bytes"
	"net"
	"net/http"
)

// A line is a connection taken over from net/http, which would keep 25 kB of buffers and stack for each; a line with
// its goroutine takes less than 4. It goes on in the chunked coding of RFC 9112 section 7.1.
type line struct {
	conn  net.Conn
	crowd *crowd
}

// takeOver makes a line of the connection of a request, if it can be chunked and had. The header is still to be sent.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request) (l line, header []byte, ok bool) {
	if r.ProtoMajor != 1 || r.ProtoMinor < 1 {
		return line{}, nil, false
	}
	conn, _, err := http.NewResponseController(w).Hijack() // its buffers are left to the collector
	if err != nil {
		return line{}, nil, false
	}
	h := w.Header()
	h.Set("Date", s.now().UTC().Format(http.TimeFormat))
	h.Set("Transfer-Encoding", "chunked")
	h.Set("Connection", "close") // when the stream has ended
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(&b) // to memory
	b.WriteString("\r\n")
	return line{conn, s.crowd}, b.Bytes(), true
}

// send writes p within the time it may take.
func (l line) send(p []byte) error {
	l.crowd.allow(l.conn, len(p))
	_, err := l.conn.Write(p)
	return err
}

func (l line) tell(n *news) error { return l.send(n.chunk) }

func (l line) end() { _ = l.send(lastChunk) } // if it does not arrive, the connection ends all the same
