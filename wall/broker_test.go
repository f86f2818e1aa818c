package wall

import (
	"net"
	"strings"
	"testing"
)

// TestBrokerIsTold checks a broker that refuses the wall. The log and /healthz contain the reason, even if no provider of the wall uses
// the broker.
func TestBrokerIsTold(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 512))
			_, _ = c.Write([]byte{0x20, 2, 0, 1}) // refuses the protocol version
			c.Close()
		}
	}()
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": wallConf(port, "mqtt: {url: \"mqtt://"+l.Addr().String()+"\", id: test}\n"), "widgets.yaml": plainWall("red")})
	const want = "speaks neither MQTT 5 nor 3.1.1: another one is needed, such as Mosquitto"
	eventually(t, "the log tells why", func() bool { return strings.Contains(p.log.String(), want) })
	eventually(t, "/healthz tells why", func() bool { return strings.Contains(p.text("/healthz"), want) })
}
