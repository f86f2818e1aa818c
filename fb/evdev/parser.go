package evdev

import "encoding/binary"

// maxSeconds is the greatest accepted time of an event, in seconds: 31,000 years.
const maxSeconds = 1e12

// A Parser turns the bytes of one device into packets. It remembers the last values, because the kernel sends only values that change. It
// allocates no memory.
type Parser struct {
	info Info
	word int // bytes of the kernel's long

	slots   [MaxFingers]slot
	current int  // slot to which the next values belong. Values for a slot beyond the last slot are ignored
	dropped bool // true: ignore values until the next report
	lost    bool // true if events were lost and Lost has not reported this yet
	keys    [maxKeysPerPacket]uint16
	pressed int
	packet  Packet
}

// slot holds the values of one finger.
type slot struct {
	down bool
	x, y int32
}

// NewParser returns a parser for a device. `long` is the size of the kernel's long in bytes, 4 or 8.
func NewParser(i Info, long int) *Parser { return &Parser{info: i, word: long} }

// eventBytes returns the size of struct input_event: a time of two longs, then type, code and value.
func (p *Parser) eventBytes() int { return 2*p.word + 8 }

// Parse reads the events in b and passes every packet to the function `each`. It ignores an incomplete event at the end of b, which the
// kernel never writes.
func (p *Parser) Parse(b []byte, each func(*Packet)) {
	n := p.eventBytes()
	for ; len(b) >= n; b = b[n:] {
		e := b[2*p.word:]
		kind, code, value := binary.LittleEndian.Uint16(e), binary.LittleEndian.Uint16(e[2:]), int32(binary.LittleEndian.Uint32(e[4:]))
		switch {
		case kind == typeSync && code == syncDropped:
			p.drop()
		case kind == typeSync && code == syncReport:
			p.report(p.time(b), each)
		case p.dropped:
		case kind == typeAbs:
			p.abs(code, value)
		case kind == typeKey:
			p.key(code, value)
		}
	}
}

// time returns the time of an event, in µs.
func (p *Parser) time(b []byte) int64 {
	if p.word == 4 {
		return int64(binary.LittleEndian.Uint32(b))*1e6 + int64(binary.LittleEndian.Uint32(b[4:]))
	}
	s, us := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	return min(max(s, 0), maxSeconds)*1e6 + min(max(us, 0), 1e6)
}

// drop forgets the state, because the kernel has dropped events.
func (p *Parser) drop() {
	p.dropped, p.lost, p.pressed = true, true, 0
	p.slots = [MaxFingers]slot{}
}

// Lost reports whether events were lost since the last call. If so, the caller must read the current slot from the device and call
// Restore.
func (p *Parser) Lost() bool {
	lost := p.lost && !p.dropped
	if lost {
		p.lost = false
	}
	return lost
}

// Restore sets the current slot. Fingers that were already down are ignored until they touch the screen again.
func (p *Parser) Restore(current int) { p.current = current }

func (p *Parser) abs(code uint16, value int32) {
	if !p.info.Touch {
		return
	}
	if p.info.Multi {
		p.multi(code, value)
		return
	}
	switch code {
	case absX:
		p.slots[0].x = value
	case absY:
		p.slots[0].y = value
	}
}

func (p *Parser) multi(code uint16, value int32) {
	if code == absSlot {
		p.current = int(value)
		return
	}
	if p.current < 0 || p.current >= MaxFingers {
		return
	}
	s := &p.slots[p.current]
	switch code {
	case absTrackingID:
		s.down = value >= 0
	case absMTX:
		s.x = value
	case absMTY:
		s.y = value
	}
}

func (p *Parser) key(code uint16, value int32) {
	switch {
	case code == btnTouch || code == btnLeft:
		if p.info.Touch && !p.info.Multi {
			p.slots[0].down = value != 0
		}
	case p.info.Keys && value == keyPressed && p.pressed < maxKeysPerPacket:
		p.keys[p.pressed] = code
		p.pressed++
	}
}

// report ends a packet and passes it to the function `each`.
func (p *Parser) report(at int64, each func(*Packet)) {
	p.dropped = false
	p.packet.At, p.packet.Down = at, 0
	for i := range p.slots {
		s := &p.slots[i]
		f := Finger{Down: s.down, X: p.info.X.share(s.x), Y: p.info.Y.share(s.y)}
		p.packet.Fingers[i] = f
		if f.Down {
			p.packet.Down++
		}
	}
	p.packet.Keys = p.keys[:p.pressed]
	p.pressed = 0
	each(&p.packet)
}
