package mqtt

import (
	"bytes"
	"net"
	"sync"
	"testing"

	"github.com/eclipse/paho.golang/packets"
)

// TestPacketsDoNotMix: packets that many goroutines write at once arrive whole, each as it was written.
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
					return // the reader has given up
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
