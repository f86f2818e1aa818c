//go:build !unix

package server

import (
	"net"
	"time"
)

// roomTime limits a write that has room. A slower line is full and ends.
const roomTime = 50 * time.Millisecond

// eager makes an eagerWriter of a connection.
func eager(conn net.Conn) eagerWriter { return brief{conn} }

// brief is the eagerWriter of a connection without information about its room. After a failed write the sent part is unknown, so
// that it is an error and the subscriber reconnects.
type brief struct{ net.Conn }

func (b brief) try(p []byte) (int, error) {
	if err := b.SetWriteDeadline(time.Now().Add(roomTime)); err != nil {
		return 0, err
	}
	return b.Write(p)
}
