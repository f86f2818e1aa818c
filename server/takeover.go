package server

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
	"time"
)

// A line is a connection taken over from net/http, which would keep 25 kB of buffers and stack for each; a line with
// its goroutine takes less than 4. It goes on in the chunked coding of RFC 9112 section 7.1.
type line struct {
	conn net.Conn
	life context.Context // of the server
}

// takeOver makes a line of the connection of a request, if it can be chunked and had. The header is still to be sent.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request) (l *line, header []byte, ok bool) {
	if !r.ProtoAtLeast(1, 1) || r.ProtoMajor != 1 {
		return nil, nil, false
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, nil, false
	}
	h := w.Header()
	h.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	h.Set("Transfer-Encoding", "chunked")
	h.Set("Connection", "close")
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(&b) // to memory
	b.WriteString("\r\n")
	return &line{conn, s.crowd.life}, b.Bytes(), true
}

// appendChunk appends text as one chunk.
func appendChunk(dst, text []byte) []byte {
	dst = strconv.AppendInt(dst, int64(len(text)), 16)
	dst = append(dst, "\r\n"...)
	dst = append(dst, text...)
	return append(dst, "\r\n"...)
}

// send writes within the deadline, which is near once the server ends: crowd.close shortens those of the writes it
// finds, this those that begin after.
func (l *line) send(p []byte) error {
	_ = l.conn.SetWriteDeadline(time.Now().Add(patience(len(p))))
	if l.life.Err() != nil {
		_ = l.conn.SetWriteDeadline(time.Now().Add(farewellTime))
	}
	_, err := l.conn.Write(p)
	return err
}

func (l *line) tell(text []byte) error { return l.send(appendChunk(nil, text)) }

func (l *line) end() { _ = l.send([]byte("0\r\n\r\n")) } // and if it does not arrive, the connection ends all the same
