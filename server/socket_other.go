//go:build !unix

package server

import (
	"net"
	"time"
)

// roomTime is the time limit for a write. If a write takes longer, the socket counts as full and the line is ended.
const roomTime = 50 * time.Millisecond

// eager() returns an eagerWriter for a connection.
func eager(conn net.Conn) eagerWriter { return brief{conn} }

// `brief` is the eagerWriter of a connection that cannot report how much data its socket accepts. After a failed write, the number of sent
// bytes is unknown. So a failed write is an error, and the subscriber has to connect again.
type brief struct{ net.Conn }

func (b brief) try(p []byte) (int, error) {
	if err := b.SetWriteDeadline(time.Now().Add(roomTime)); err != nil {
		return 0, err
	}
	return b.Write(p)
}
