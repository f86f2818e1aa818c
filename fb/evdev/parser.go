package evdev

import "encoding/binary"

// maxSeconds is the most that is believed of an event's time: 31,000 years.
const maxSeconds = 1e12

// A Parser turns the bytes of one device into packets. It keeps what the kernel does not say again: a value equal to the last
// one is not told. Its memory is fixed.
type Parser struct {
	info Info
	word int // bytes of the kernel's long

	slots   [MaxFingers]slot
	current int  // slot that values are for; beyond the last one they are dropped
	dropped bool // until the next report nothing counts
	lost    bool // the state has to be read again
	keys    [maxKeysPerPacket]uint16
	pressed int
	packet  Packet
}

// slot is one finger's values.
type slot struct {
	down bool
	x, y int32
}

// NewParser returns a parser of what a device gives, on a machine whose long has so many bytes, 4 or 8.
func NewParser(i Info, long int) *Parser { return &Parser{info: i, word: long} }

// eventBytes is the size of struct input_event: two longs of time, then type, code and value.
func (p *Parser) eventBytes() int { return 2*p.word + 8 }

// Parse reads whole events and passes each packet to each. The rest of a cut event is dropped, because the kernel sends
// none.
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

// time is the time of an event, µs.
func (p *Parser) time(b []byte) int64 {
	if p.word == 4 {
		return int64(binary.LittleEndian.Uint32(b))*1e6 + int64(binary.LittleEndian.Uint32(b[4:]))
	}
	s, us := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	return min(max(s, 0), maxSeconds)*1e6 + min(max(us, 0), 1e6)
}

// drop forgets everything: the kernel had no room for some events.
func (p *Parser) drop() {
	p.dropped, p.lost, p.pressed = true, true, 0
	p.slots = [MaxFingers]slot{}
}

// Lost reports, once, whether events were lost. The caller then reads the device's state and passes it to Restore.
func (p *Parser) Lost() bool {
	lost := p.lost && !p.dropped
	if lost {
		p.lost = false
	}
	return lost
}

// Restore takes over which slot values are for. Fingers that were down while events were lost are not seen until they are put
// down again.
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

// report ends a packet.
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
