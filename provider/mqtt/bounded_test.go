package mqtt

import (
	"bytes"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/packets"
)

// TestPacketsDoNotMix: packets that many goroutines write at the same time arrive complete and unchanged.
func TestPacketsDoNotMix(t *testing.T) {
	const writers, each = 8, 100
	here, there := net.Pipe()
	defer there.Close()
	b := &bounded{Conn: here}
	var wg sync.WaitGroup
	for i := range writers {
		payload := bytes.Repeat([]byte{byte('a' + i)}, 1000*i)
		wg.Go(func() {
			for range each {
				p := packets.NewControlPacket(packets.PUBLISH)
				p.Content = &packets.Publish{Topic: "t", Payload: payload, Properties: &packets.Properties{}}
				if _, err := p.WriteTo(b); err != nil {
					return // the reader has ended
				}
			}
		})
	}
	for n := range writers * each {
		p, err := packets.ReadPacket(there)
		if err != nil {
			t.Errorf("packet %d: %v", n, err)
			break
		}
		publish, ok := p.Content.(*packets.Publish)
		if !ok || publish.Topic != "t" {
			t.Errorf("packet %d is not one that was written: %v", n, p)
			break
		}
		if got := publish.Payload; len(got) > 0 && !bytes.Equal(got, bytes.Repeat(got[:1], 1000*int(got[0]-'a'))) {
			t.Errorf("packet %d is of several", n)
			break
		}
	}
	there.Close()
	wg.Wait()
}

// TestPutOut: if a broker accepts a wall and disconnects it at once, the pauses before the next attempts grow.
func TestPutOut(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := make(chan time.Time, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			at <- time.Now()
			_, _ = conn.Read(make([]byte, 1024))
			_, _ = conn.Write([]byte{0x20, 0x03, 0x00, 0x00, 0x00})
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	run(t, &Params{Topic: "a"}, &Broker{URL: "mqtt://" + l.Addr().String(), ClientID: "wall"})
	first := <-at
	second := <-at
	if third := <-at; second.Sub(first) < retryFirst/2 || third.Sub(second) < retryFirst {
		t.Errorf("asked again after %v and %v", second.Sub(first), third.Sub(second))
	}
}

// TestShortConnections: connections that are lost early count as failures, until a connection lasts long enough.
func TestShortConnections(t *testing.T) {
	c := &Connection{}
	if d := c.wait(0); d != 0 {
		t.Errorf("the first try waits %v", d)
	}
	for range 20 {
		c.since = time.Now()
		c.wait(0)
	}
	if d := c.wait(1); d < retryMost/2 || d > retryMost {
		t.Errorf("after twenty the pause is %v", d)
	}
	c.since = time.Now().Add(-steady)
	if d := c.wait(0); d != 0 {
		t.Errorf("after one that held the pause is %v", d)
	}
}
