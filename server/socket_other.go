//go:build !unix

package server

import (
	"net"
	"time"
)

// roomTime is how long a socket may take what it has room for: a line that takes longer is full, and ends.
const roomTime = 50 * time.Millisecond

// eager makes an eagerWriter of a connection.
func eager(conn net.Conn) eagerWriter { return brief{conn} }

// brief is the eagerWriter of a connection that cannot say how much room it has. Whether a write that was broken off has
// sent anything is not known, so it is an error: the subscriber connects anew.
type brief struct{ net.Conn }

func (b brief) try(p []byte) (int, error) {
	if err := b.SetWriteDeadline(time.Now().Add(roomTime)); err != nil {
		return 0, err
	}
	return b.Write(p)
}
