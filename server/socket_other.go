//go:build !unix

package server

import (
	"net"
	"time"
)

// roomTime is the time limit for a write. A line whose write takes longer counts as full and is ended.
const roomTime = 50 * time.Millisecond

// eager returns an eagerWriter for a connection.
func eager(conn net.Conn) eagerWriter { return brief{conn} }

// brief is the eagerWriter of a connection that cannot report how much room it has. After a failed write it is unknown how many bytes were
// sent. The write is therefore an error, and the subscriber has to connect again.
type brief struct{ net.Conn }

func (b brief) try(p []byte) (int, error) {
	if err := b.SetWriteDeadline(time.Now().Add(roomTime)); err != nil {
		return 0, err
	}
	return b.Write(p)
}
