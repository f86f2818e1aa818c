// Package relaytest runs a relay for tests.
package relaytest

import (
	"net"
	"path/filepath"
	"testing"

	"dashboard/appliance/relay"
)

// Serve returns the client's end of a relay. On an appliance, the keeper, which has no network access, uses this end. For each
// connection, Serve calls the function `serve` with the other end. It stops when the test ends.
func Serve(t testing.TB, serve func(net.Conn)) relay.Source {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			conn.Close()
		}
	}()
	return relay.Source{Socket: socket}
}
