package mqtt

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
)

// An oldBroker is Debian's Mosquitto behind a proxy that accepts only MQTT 3.1.1. If a CONNECT has another version, the proxy answers as
// Mosquitto 1.5 does. The proxy passes all other data on.
type oldBroker struct {
	net.Listener
	to string
	wg sync.WaitGroup

	mu      sync.Mutex
	refused int
	conns   []net.Conn
}

func newOldBroker(t *testing.T, to string) *oldBroker {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &oldBroker{Listener: l, to: to}
	o.wg.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			o.wg.Go(func() { o.serve(in) })
		}
	})
	t.Cleanup(func() { l.Close(); o.cut(); o.wg.Wait() })
	return o
}

// serve reads the protocol level from CONNECT (section 3.1.2 of MQTT 3.1.1 and 5.0).
func (o *oldBroker) serve(in net.Conn) {
	defer in.Close()
	head := make([]byte, 2)
	if _, err := io.ReadFull(in, head); err != nil {
		return
	}
	for head[len(head)-1]&0x80 != 0 {
		one := make([]byte, 1)
		if _, err := io.ReadFull(in, one); err != nil {
			return
		}
		head = append(head, one...)
	}
	name := make([]byte, 7)
	if _, err := io.ReadFull(in, name); err != nil {
		return
	}
	if name[6] != level311 {
		o.mu.Lock()
		o.refused++
		o.mu.Unlock()
		_, _ = in.Write([]byte{0x20, 2, 0, 1})
		return
	}
	out, err := net.Dial("tcp", o.to)
	if err != nil {
		return
	}
	defer out.Close()
	o.mu.Lock()
	o.conns = append(o.conns, in, out)
	o.mu.Unlock()
	_, _ = out.Write(append(head, name...))
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = io.Copy(in, out); in.Close(); out.Close() })
	_, _ = io.Copy(out, in)
	out.Close()
	in.Close()
	wg.Wait()
}

// cut ends all connections without a DISCONNECT.
func (o *oldBroker) cut() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range o.conns {
		c.Close()
	}
	o.conns = nil
}

// soon() returns the next value from a channel. If no value arrives in time, the test fails.
func soon[T any](t *testing.T, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(programtest.Patience):
		t.Fatal("nothing comes")
	}
	return v
}

// TestOlderBroker: with a broker that supports only MQTT 3.1.1, a wall subscribes, publishes, unsubscribes and reconnects. The wall's
// will is published when its connection is lost and when the wall closes the connection. The wall reports a wrong password.
func TestOlderBroker(t *testing.T) {
	t.Parallel()
	at, serve := programtest.Mosquitto(t, "right")
	defer serve()()
	old := newOldBroker(t, at)
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	connect := func(id, will string, b string) (*Connection, func()) {
		t.Helper()
		c, release, err := Connect(t.Context(), m.Sessions(), Broker{URL: "mqtt://" + b, Username: "wall", Password: "right", ClientID: id, Will: will})
		if err != nil {
			t.Fatal(err)
		}
		return c, release
	}
	seen := make(chan string, 100)
	watcher, release := connect("watcher", "", at)
	defer release()
	heard := func(want string) {
		t.Helper()
		programtest.Eventually(t, want, func() bool {
			for {
				select {
				case got := <-seen:
					if got == want {
						return true
					}
				default:
					return false
				}
			}
		})
	}
	ready := make(chan error, 100)
	defer watcher.Subscribe("wall/#", func(m Message) { seen <- m.Topic + " " + string(m.Payload) }, func(err error) { ready <- err })()
	if err := soon(t, ready); err != nil {
		t.Fatal(err)
	}
	wall, leave := connect("wall", "wall/status", old.Addr().String())
	states, got := make(chan error, 100), make(chan Message, 100)
	end := wall.Subscribe("house/+", func(m Message) { got <- m }, func(err error) { states <- err })
	if err := soon(t, states); err != nil {
		t.Fatalf("the first it tells is %v", err)
	}
	defer wall.OnUp(func() { _ = wall.Publish(t.Context(), "wall/status", []byte("online"), true) })()
	heard("wall/status online")
	old.mu.Lock()
	refused := old.refused // more than 1 if a first attempt took too long
	old.mu.Unlock()
	long := strings.Repeat("x", 100_000) // needs several reads
	for _, text := range []string{"1", "", long, "last"} {
		if err := watcher.Publish(t.Context(), "house/a", []byte(text), false); err != nil {
			t.Fatal(err)
		}
		if m := soon(t, got); m.Topic != "house/a" || string(m.Payload) != text || m.Retained {
			t.Fatalf("got %s of %d bytes, want %d", m.Topic, len(m.Payload), len(text))
		}
	}
	if err := wall.Publish(t.Context(), "wall/long", []byte(long), false); err != nil {
		t.Fatal(err)
	}
	heard("wall/long " + long)
	old.cut()
	heard("wall/status offline")
	heard("wall/status online")
	end() // ends one subscription; the connection stays open
	if err := wall.Publish(t.Context(), "wall/last", []byte("1"), false); err != nil {
		t.Fatal(err)
	}
	heard("wall/last 1")
	leave()
	heard("wall/status offline")
	old.mu.Lock()
	if refused == 0 || old.refused != refused {
		t.Errorf("it was asked in the words of MQTT 5 %d times before it was online, and %d times in all", refused, old.refused)
	}
	old.mu.Unlock()
	cell := run(t, &Params{Topic: "a"}, &Broker{URL: "mqtt://" + old.Addr().String(), Password: "wrong", ClientID: "w"})
	await(t, cell, "refused", func(s *provider.Sample) bool {
		return s.Err != nil && strings.Contains(s.Err.Error(), "bad user name or password") || s.Err != nil && strings.Contains(s.Err.Error(), "not authorized")
	})
}

// TestOlderPackets translates each kind of packet as the standards describe. A packet arrives in one piece or in several pieces.
func TestOlderPackets(t *testing.T) {
	type rewriting func(byte, []byte) ([]byte, error)
	for name, c := range map[string]struct {
		f        rewriting
		in, want []byte
	}{
		"connect": {downward, []byte{0x10, 20, 0, 4, 'M', 'Q', 'T', 'T', 5, 0, 0, 30, 5, 0x27, 0, 16, 0, 0, 0, 2, 'w', '1'},
			[]byte{0x10, 14, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 30, 0, 2, 'w', '1'}},
		"subscribe with a property": {downward, []byte{0x82, 9, 0, 1, 2, 0x0b, 7, 0, 1, 'a', 0x2d},
			[]byte{0x82, 6, 0, 1, 0, 1, 'a', 1}},
		"unsubscribe with a property": {downward, []byte{0xa2, 13, 0, 1, 7, 0x26, 0, 1, 'k', 0, 1, 'v', 0, 1, 'a'},
			[]byte{0xa2, 5, 0, 1, 0, 1, 'a'}},
		"subscribe":   {downward, []byte{0x82, 7, 0, 1, 0, 0, 1, 'a', 0x2d}, []byte{0x82, 6, 0, 1, 0, 1, 'a', 1}},
		"unsubscribe": {downward, []byte{0xa2, 6, 0, 1, 0, 0, 1, 'a'}, []byte{0xa2, 5, 0, 1, 0, 1, 'a'}},
		"publish":     {downward, []byte{0x33, 7, 0, 1, 'a', 0, 9, 0, 'x'}, []byte{0x33, 6, 0, 1, 'a', 0, 9, 'x'}},
		"puback":      {downward, []byte{0x40, 4, 0, 9, 0x10, 0}, []byte{0x40, 2, 0, 9}},
		"ping":        {downward, []byte{0xc0, 0}, []byte{0xc0, 0}},
		"farewell":    {downward, []byte{0xe0, 1, 4}, nil},
		"short":       {downward, []byte{0x82, 4, 0, 1, 0, 0}, []byte("error")},
		"connack":     {upward, []byte{0x20, 2, 0, 5}, []byte{0x20, 3, 0, 0x87, 0}},
		"strange":     {upward, []byte{0x20, 2, 1, 99}, []byte{0x20, 3, 1, 0x80, 0}},
		"told":        {upward, []byte{0x31, 4, 0, 1, 'a', 'x'}, []byte{0x31, 5, 0, 1, 'a', 0, 'x'}},
		"suback":      {upward, []byte{0x90, 3, 0, 1, 0x80}, []byte{0x90, 4, 0, 1, 0, 0x80}},
		"unsuback":    {upward, []byte{0xb0, 2, 0, 1}, []byte{0xb0, 4, 0, 1, 0, 0}},
		"half":        {upward, []byte{0x32, 3, 0, 1, 'a'}, []byte("error")},
	} {
		first, body, n := packetOf(c.in)
		if n != len(c.in) {
			t.Fatalf("%s: the test's packet is %d bytes, not %d", name, n, len(c.in))
		}
		got, err := c.f(first, body)
		if err != nil {
			got = []byte("error")
		}
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: got % x, want % x", name, got, c.want)
		}
	}
}

// The type spoken is a net.Conn whose method Read returns the given bytes.
type spoken struct {
	net.Conn
	from *bytes.Reader
}

// Read implements net.Conn.
func (s spoken) Read(p []byte) (int, error) { return s.from.Read(p) }

// FuzzOlder reads any packets from a broker of MQTT 3.1.1, in pieces of any size. The result is complete packets or an error, and at most
// one packet is stored.
func FuzzOlder(f *testing.F) {
	f.Add([]byte{0x20, 2, 0, 0, 0x31, 4, 0, 1, 'a', 'x', 0x90, 3, 0, 1, 1, 0xb0, 2, 0, 1, 0xd0, 0}, uint8(1))
	f.Add([]byte{0x32, 0x80, 0x01}, uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, piece uint8) {
		o := &older{bounded: &bounded{Conn: spoken{from: bytes.NewReader(data)}, is311: true}}
		var all []byte
		buf := make([]byte, int(piece)+1)
		for {
			n, err := o.Read(buf)
			all = append(all, buf[:n]...)
			if err != nil {
				break
			}
		}
		if len(all) > 3*len(data)+8 {
			t.Errorf("%d bytes of %d", len(all), len(data))
		}
		for len(all) > 0 {
			_, _, n := packetOf(all)
			if n == 0 {
				t.Fatalf("% x is no whole packet", all)
			}
			all = all[n:]
		}
		first, body, _ := packetOf(data)
		_, _ = downward(first, body)
	})
}
