package programtest

import (
	"bufio"
	"fmt"
	"net"
	"testing"
)

// Script plays one end of a connection. It sends the first text at once, and the next text after each received line. It returns the other
// end, which is closed when the test ends.
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
