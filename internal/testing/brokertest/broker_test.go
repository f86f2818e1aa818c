package brokertest

import (
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"dashboard/internal/testing/programtest"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// connect returns a CONNECT packet of MQTT 3.1.1 with a user (section 3.1 of the standard).
func connect(id, user, password string) []byte {
	text := func(s string) []byte { return append([]byte{0, byte(len(s))}, s...) }
	flags := byte(0x02)
	payload := text(id)
	if user != "" {
		flags |= 0xc0
		payload = append(append(payload, text(user)...), text(password)...)
	}
	body := append([]byte{0, 4, 'M', 'Q', 'T', 'T', 4, flags, 0, 60}, payload...)
	return append([]byte{0x10, byte(len(body))}, body...)
}

// dial() connects a client and returns the code in the broker's answer.
func dial(t *testing.T, b *Broker, packet []byte) (c net.Conn, code byte) {
	t.Helper()
	c, err := net.Dial("tcp", b.Address)
	if err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 4)
	if _, err := c.Write(packet); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, answer); err != nil {
		t.Fatal(err)
	}
	return c, answer[3]
}

// TestUsers checks that a broker with users refuses clients that are not one of these users.
func TestUsers(t *testing.T) {
	b := Begin(t, AnyPort, map[string]string{"wall": "right"})
	for _, c := range []struct {
		user, password string
		want           bool
	}{{"wall", "right", true}, {"wall", "wrong", false}, {"other", "right", false}, {"other", "", false}} {
		conn, code := dial(t, b, connect("a", c.user, c.password))
		if conn.Close(); (code == 0) != c.want {
			t.Errorf("%s, %s: got code %d, want success %v", c.user, c.password, code, c.want)
		}
	}
}

// TestClose checks that a broker ends while clients disconnect, even if another client has not sent CONNECT. Without the fixes in
// listener.go and rules.go, one of several hundred brokers hung.
func TestClose(t *testing.T) {
	for range 100 {
		b := Begin(t, AnyPort, nil)
		silent, err := net.Dial("tcp", b.Address)
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		var leave sync.WaitGroup
		for i := range 20 {
			c, _ := dial(t, b, connect(fmt.Sprint("client", i), "", ""))
			leave.Go(func() { c.Close() })
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		leave.Wait()
	}
}
