package programtest

import (
	"bufio"
	"fmt"
	"net"
	"testing"
)

// Script answers each line on a connection with the next of its texts. The first text is sent at once. Script returns the other end
// of the connection, which closes with the test.
func Script(t testing.TB, says ...string) net.Conn {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	go func() {
		lines := bufio.NewScanner(there)
		for i, text := range says {
			if i > 0 && !lines.Scan() {
				return
			}
			fmt.Fprintln(there, text)
		}
	}()
	return here
}
