package mqtt

import (
	"encoding/binary"
	"errors"
)

// older makes a broker of MQTT 3.1.1 look like a broker of MQTT 5, because the library supports only that version. The versions
// differ in the properties of each packet, which a wall does not need, and in the codes of the answers (both standards, section 3).
// older is between the library and bounded, so that bounds, locks, TLS and reconnections work in the same way.
type older struct {
	*bounded
	out   []byte // bytes of a packet that is being written in pieces
	in    []byte // received bytes of an incomplete packet
	ready []byte // translated bytes that were not read yet
	buf   [4096]byte
}

// Types of packets, in the first half of the first byte (section 2.2.1 of both).
const (
	typeConnect     = 0x1
	typeConnack     = 0x2
	typePublish     = 0x3
	typePuback      = 0x4
	typePubcomp     = 0x7
	typeSubscribe   = 0x8
	typeSuback      = 0x9
	typeUnsubscribe = 0xa
	typeUnsuback    = 0xb
	typeDisconnect  = 0xe
)

const (
	level311     = 4    // protocol level in CONNECT
	cleanSession = 0x02 // flag in CONNECT: nothing is stored for a wall that is away, as in MQTT 5 without an expiry
	willFlag     = 0x04
	qosBits      = 0x06 // bits in the first byte of PUBLISH; in the options of a subscription they are 0x03
	badVersion   = 0x84
)

// codes311 maps the answers to CONNECT (3.1.1, section 3.2.2.3) to the codes of MQTT 5.
var codes311 = [...]byte{0, badVersion, 0x85, 0x88, 0x86, 0x87}

var errShort = errors.New("a packet is shorter than it says")

// Write implements net.Conn. The library holds the lock for each packet.
func (o *older) Write(p []byte) (int, error) {
	o.out = append(o.out, p...)
	for {
		first, body, n := packetOf(o.out)
		if n == 0 {
			return len(p), nil
		}
		said, err := downward(first, body)
		o.out = append(o.out[:0], o.out[n:]...)
		if err != nil {
			return 0, err
		}
		if len(said) == 0 {
			continue
		}
		if _, err := o.Conn.Write(said); err != nil {
			return 0, err
		}
	}
}

// Read implements net.Conn.
func (o *older) Read(p []byte) (int, error) {
	for len(o.ready) == 0 {
		n, err := o.bounded.Read(o.buf[:])
		o.in = append(o.in, o.buf[:n]...)
		for {
			first, body, n := packetOf(o.in)
			if n == 0 {
				break
			}
			said, bad := upward(first, body)
			if bad != nil {
				return 0, bad
			}
			o.ready = append(o.ready, said...)
			o.in = append(o.in[:0], o.in[n:]...)
		}
		if err != nil && len(o.ready) == 0 {
			return 0, err
		}
	}
	n := copy(p, o.ready)
	o.ready = append(o.ready[:0], o.ready[n:]...)
	return n, nil
}

// packetOf returns the first packet in some bytes, and its length, or 0 if the packet is incomplete.
func packetOf(b []byte) (first byte, body []byte, n int) {
	if len(b) < 2 {
		return 0, nil, 0
	}
	size, w := binary.Uvarint(b[1:min(len(b), 5)])
	if w <= 0 || uint64(len(b)-1-w) < size {
		return 0, nil, 0
	}
	n = 1 + w + int(size)
	return b[0], b[1+w : n], n
}

// packetWith returns a packet with the given body.
func packetWith(first byte, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{first}, uint64(len(body))), body...)
}

// downward converts a packet of MQTT 5 to 3.1.1. It drops DISCONNECT, because a broker of 3.1.1 publishes the will of a wall only
// if there is no DISCONNECT.
func downward(first byte, body []byte) ([]byte, error) {
	r := rewrite{in: body}
	switch first >> 4 {
	case typeConnect:
		r.connect()
	case typePublish:
		r.text()
		if first&qosBits != 0 {
			r.keep(2)
		}
		r.properties()
		r.keep(len(r.in))
	case typeSubscribe:
		r.keep(2)
		r.properties()
		for len(r.in) > 0 && !r.bad {
			r.text()
			if r.keep(1); !r.bad {
				r.out[len(r.out)-1] &= 0x03
			}
		}
	case typeUnsubscribe:
		r.keep(2)
		r.properties()
		r.keep(len(r.in))
	case typePuback, typePuback + 1, typePuback + 2, typePubcomp:
		r.keep(2)
	case typeDisconnect:
		return nil, nil
	default:
		r.keep(len(r.in))
	}
	if r.bad {
		return nil, errShort
	}
	return packetWith(first, r.out), nil
}

// connect rewrites the body of CONNECT (sections 3.1.2 and 3.1.3 of both).
func (r *rewrite) connect() {
	r.text() // MQTT
	r.keep(2)
	if r.bad {
		return
	}
	at := len(r.out) - 2
	r.out[at], r.out[at+1] = level311, r.out[at+1]|cleanSession
	flags := r.out[at+1]
	r.keep(2) // keep alive
	r.properties()
	r.text() // who connects
	if flags&willFlag != 0 {
		r.properties()
		r.text()
		r.text()
	}
	r.keep(len(r.in)) // name and password
}

// upward converts a packet of 3.1.1 to MQTT 5.
func upward(first byte, body []byte) ([]byte, error) {
	r := rewrite{in: body}
	switch first >> 4 {
	case typeConnack:
		if len(body) != 2 {
			break // the broker supports MQTT 5 after all
		}
		code := byte(0x80) // unspecified
		if int(body[1]) < len(codes311) {
			code = codes311[body[1]]
		}
		return packetWith(first, []byte{body[0], code, 0}), nil
	case typePublish:
		r.text()
		if first&qosBits != 0 {
			r.keep(2)
		}
		r.none()
	case typeSuback:
		r.keep(2)
		r.none()
	case typeUnsuback: // a wall unsubscribes from one filter at a time
		r.keep(2)
		r.none()
		r.out = append(r.out, 0)
	}
	r.keep(len(r.in))
	if r.bad {
		return nil, errShort
	}
	return packetWith(first, r.out), nil
}

// rewrite copies a packet's body with changes.
type rewrite struct {
	in, out []byte
	bad     bool // true if in is shorter than its length field states
}

// keep copies n bytes.
func (r *rewrite) keep(n int) {
	if r.bad = r.bad || n > len(r.in); !r.bad {
		r.out, r.in = append(r.out, r.in[:n]...), r.in[n:]
	}
}

// text copies bytes that have their length in front.
func (r *rewrite) text() {
	if r.bad = r.bad || len(r.in) < 2; !r.bad {
		r.keep(2 + int(binary.BigEndian.Uint16(r.in)))
	}
}

// properties skips the properties.
func (r *rewrite) properties() {
	size, w := binary.Uvarint(r.in[:min(len(r.in), 4)])
	if r.bad = r.bad || w <= 0 || size > uint64(len(r.in)-w); !r.bad {
		r.in = r.in[w+int(size):]
	}
}

// none writes an empty list of properties.
func (r *rewrite) none() { r.out = append(r.out, 0) }
