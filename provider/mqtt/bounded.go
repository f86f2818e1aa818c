package mqtt

import (
	"errors"
	"fmt"
	"net"
	"sync"
)

// bounded is a connection that ends before a packet of more than MaxPacket bytes is read, because the library allocates the size
// that a packet's head states, up to 256 MiB (MQTT 5.0, section 2.1.4). The library writes a packet in several pieces. It locks the
// connection, a sync.Locker, during that time. Without the lock, packets of two goroutines would mix, and the broker would end the
// connection.
type bounded struct {
	net.Conn
	sync.Mutex // held by the library for each packet

	is311 bool   // the broker uses 3.1.1
	old   func() // called before ErrOld ends the connection; nil for no call

	left   int  // remaining bytes of the current packet's body
	later  bool // the head of the first packet was read
	first  byte // first byte of the current packet: its type
	inHead bool
	size   int // size that was read so far
	shift  uint
}

var errPacket = errors.New("the length of a packet is malformed")

// ErrOld reports that a broker supports only the previous version (MQTT 3.1.1, section 3.2: its CONNACK has two bytes, while the
// CONNACK of MQTT 5 has at least three). The wall retries with that version.
var ErrOld = errors.New("the broker speaks MQTT 3.1.1 alone")

// connack is the type of the packet that answers CONNECT.
const connack = 0x20

// Read implements net.Conn.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if bad := b.follow(p[:n]); bad != nil {
		return 0, bad
	}
	return n, err
}

// follow tracks packet boundaries in the received bytes.
func (b *bounded) follow(p []byte) error {
	for len(p) > 0 {
		if b.left > 0 {
			n := min(b.left, len(p))
			b.left, p = b.left-n, p[n:]
			continue
		}
		if !b.inHead { // the type
			b.first, b.inHead, b.size, b.shift, p = p[0], true, 0, 0, p[1:]
			continue
		}
		b.size |= int(p[0]&0x7f) << b.shift
		b.shift += 7
		last := p[0]&0x80 == 0
		p = p[1:]
		switch {
		case last && b.size > MaxPacket:
			return fmt.Errorf("a packet of %d bytes: more than %d", b.size, MaxPacket)
		case last && !b.is311 && !b.later && b.first == connack && b.size == 2:
			if b.old != nil {
				b.old()
			}
			return ErrOld
		case last:
			b.left, b.inHead, b.later = b.size, false, true
		case b.shift >= 28:
			return errPacket
		}
	}
	return nil
}
