package mqtt

import (
	"errors"
	"fmt"
	"net"
	"sync"
)

// The type bounded is a connection that fails before a packet of more than MaxPacket bytes is read. Without this limit, the library would
// allocate the size that the packet states, up to 256 MiB (MQTT 5.0, section 2.1.4). The type is also a sync.Locker. The library writes a
// packet in several pieces and holds the lock until the packet is complete. Without the lock, packets of two goroutines would mix, and the
// broker would close the connection.
type bounded struct {
	net.Conn
	sync.Mutex // held while the library writes a packet

	is311 bool   // whether the connection uses MQTT 3.1.1
	old   func() // called before ErrOld is returned; may be nil

	left   int  // bytes of the current packet's body that are not read yet
	later  bool // whether the header of the first packet was read
	first  byte // first byte of the current packet; it contains the packet's type
	inHead bool
	size   int // part of the packet's length that was read so far
	shift  uint
}

var errPacket = errors.New("the length of a packet is malformed")

// ErrOld is returned if a broker supports only MQTT 3.1.1. In MQTT 3.1.1, the body of a CONNACK has two bytes (section 3.2). In MQTT 5,
// it has at least three bytes. After this error, the wall connects again with MQTT 3.1.1.
var ErrOld = errors.New("the broker speaks MQTT 3.1.1 alone")

// connack is the type of the packet with which a broker answers CONNECT.
const connack = 0x20

// Read implements net.Conn.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if bad := b.follow(p[:n]); bad != nil {
		return 0, bad
	}
	return n, err
}

// follow finds the boundaries of packets in the received bytes and checks the lengths of the packets.
func (b *bounded) follow(p []byte) error {
	for len(p) > 0 {
		if b.left > 0 {
			n := min(b.left, len(p))
			b.left, p = b.left-n, p[n:]
			continue
		}
		if !b.inHead { // the first byte of a packet is its type
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
