// Package relaytest runs a relay for tests.
package relaytest

import (
	"net"
	"path/filepath"
	"testing"

	"dashboard/appliance/relay"
)

// Serve returns the client's end of a relay. For each connection, it calls the function `serve` with the server's end. It stops when the
// test ends. On an appliance, the client is the keeper: the program that writes to the card and has no network access.
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
