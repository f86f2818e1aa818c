package qemu

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
)

// script answers each line that comes over a connection with the next of its texts; the first is said at
// once. It returns the other end.
func script(t *testing.T, says ...string) net.Conn {
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

func TestMonitor(t *testing.T) {
	m, err := NewMonitor(script(t, `{"QMP": {"version": {}}}`, `{"return": {}}`,
		`{"event": "RESUME"}`+"\n"+`{"return": {}}`, `{"error": {"class": "GenericError", "desc": "no such device"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Do("screendump", nil); err != nil {
		t.Errorf("after an event: got %v", err)
	}
	if err := m.Do("set_link", nil); err == nil || !strings.Contains(err.Error(), "no such device") {
		t.Errorf("got %v, want the error's description", err)
	}
}
