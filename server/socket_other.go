//go:build !unix

package server

import (
	"net"
	"time"
)

// roomTime is the maximum duration of a write that has room. A slower line is treated as full and ends.
const roomTime = 50 * time.Millisecond

// eager returns an eagerWriter for a connection.
func eager(conn net.Conn) eagerWriter { return brief{conn} }

// brief is the eagerWriter of a connection that does not report its room. After a failed write it is unknown how much was sent, so
// the write is an error and the subscriber reconnects.
type brief struct{ net.Conn }

func (b brief) try(p []byte) (int, error) {
	if err := b.SetWriteDeadline(time.Now().Add(roomTime)); err != nil {
		return 0, err
	}
	return b.Write(p)
}
