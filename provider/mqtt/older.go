package mqtt

import (
	"encoding/binary"
	"errors"
)

// The type older translates between MQTT 5, the only version that the library supports, and a broker that uses MQTT 3.1.1. The versions
// differ in the properties of packets, which a wall does not need, and in the codes of answers (section 3 of both standards). An older is
// between the library and a bounded connection, so that limits, locks, TLS and reconnections are the same for both versions.
type older struct {
	*bounded
	out   []byte // bytes of a packet that the library has not written completely
	in    []byte // received bytes of a packet that is not complete
	ready []byte // translated bytes that the library has not read yet
	buf   [4096]byte
}

// The types of packets, in the upper four bits of the first byte (section 2.2.1 of MQTT 3.1.1, section 2.1.2 of MQTT 5.0).
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
	level311     = 4    // protocol level in a CONNECT of MQTT 3.1.1
	cleanSession = 0x02 // flag in CONNECT: the broker stores nothing while the wall is disconnected; this is the default of MQTT 5
	willFlag     = 0x04
	qosBits      = 0x06 // bits of the QoS in the first byte of PUBLISH; in the options of a subscription they are 0x03
	badVersion   = 0x84
)

// codes311 maps the codes in a CONNACK of MQTT 3.1.1 (section 3.2.2.3) to the codes of MQTT 5.
var codes311 = [...]byte{0, badVersion, 0x85, 0x88, 0x86, 0x87}

var errShort = errors.New("a packet is shorter than it says")

// Write implements net.Conn. The library holds the lock of bounded while it writes a packet.
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

// packetOf returns the first packet in b and its length. The length is 0 if the packet is not complete.
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

// packetWith returns a packet with the given first byte and body.
func packetWith(first byte, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{first}, uint64(len(body))), body...)
}

// downward() translates a packet of MQTT 5 to MQTT 3.1.1. It drops DISCONNECT, because with a DISCONNECT a broker of MQTT 3.1.1 would not
// publish the will.
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

// connect translates the body of CONNECT (sections 3.1.2 and 3.1.3 of MQTT 3.1.1 and 5.0).
func (r *rewrite) connect() {
	r.text() // name of the protocol
	r.keep(2)
	if r.bad {
		return
	}
	at := len(r.out) - 2
	r.out[at], r.out[at+1] = level311, r.out[at+1]|cleanSession
	flags := r.out[at+1]
	r.keep(2) // keep-alive interval
	r.properties()
	r.text() // client ID
	if flags&willFlag != 0 {
		r.properties()
		r.text()
		r.text()
	}
	r.keep(len(r.in)) // user name and password
}

// upward() translates a packet of MQTT 3.1.1 to MQTT 5.
func upward(first byte, body []byte) ([]byte, error) {
	r := rewrite{in: body}
	switch first >> 4 {
	case typeConnack:
		if len(body) != 2 {
			break // another length means that the broker supports MQTT 5
		}
		code := byte(0x80) // code for an unspecified error
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
	case typeUnsuback: // a wall unsubscribes from only one filter at a time
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

// A rewrite translates the body of a packet by copying it in parts.
type rewrite struct {
	in, out []byte
	bad     bool // whether the input ended too early
}

// keep() copies n bytes.
func (r *rewrite) keep(n int) {
	if r.bad = r.bad || n > len(r.in); !r.bad {
		r.out, r.in = append(r.out, r.in[:n]...), r.in[n:]
	}
}

// text() copies a text and the length before it.
func (r *rewrite) text() {
	if r.bad = r.bad || len(r.in) < 2; !r.bad {
		r.keep(2 + int(binary.BigEndian.Uint16(r.in)))
	}
}

// properties() skips the properties of MQTT 5.
func (r *rewrite) properties() {
	size, w := binary.Uvarint(r.in[:min(len(r.in), 4)])
	if r.bad = r.bad || w <= 0 || size > uint64(len(r.in)-w); !r.bad {
		r.in = r.in[w+int(size):]
	}
}

// none() writes an empty list of properties.
func (r *rewrite) none() { r.out = append(r.out, 0) }
