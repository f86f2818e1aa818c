package mdns

import (
	"errors"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// topBit is the highest bit of a class. In a question it requests a unicast response. In a record it means that this record replaces all
// other records with the same name and kind. RFC 6762, sections 5.4 and 10.2.
const topBit = 1 << 15

// A question of kind typeAny requests all records of a name. A record of kind typeNSEC lists the kinds of the records that its name has
// (RFC 4034 section 4).
const (
	typeAny  = dnsmessage.TypeALL
	typeNSEC = dnsmessage.Type(47)
)

// A record is one resource record. Names in the field `data` are complete and in lower case. Two records are equal if their names, kinds
// and data are equal.
type record struct {
	name   string // complete name, with the final dot
	kind   dnsmessage.Type
	unique bool   // true if no other host has records with this name and kind
	ttl    uint32 // lifetime in seconds
	body   dnsmessage.ResourceBody
	data   string
}

// key() returns a text that identifies a record. Uppercase and lowercase letters in the name give the same key.
func (r *record) key() string { return fold(r.name) + "\x00" + string(rune(r.kind)) + "\x00" + r.data }

func newRecord(name string, unique bool, ttl uint32, body dnsmessage.ResourceBody) record {
	kind, data := valueOf(body)
	return record{name: name, kind: kind, unique: unique, ttl: ttl, body: body, data: data}
}

// valueOf returns the kind of a record's value. It also returns the bytes of the value in an uncompressed message.
func valueOf(body dnsmessage.ResourceBody) (dnsmessage.Type, string) {
	switch b := body.(type) {
	case *dnsmessage.AResource:
		return dnsmessage.TypeA, string(b.A[:])
	case *dnsmessage.AAAAResource:
		return dnsmessage.TypeAAAA, string(b.AAAA[:])
	case *dnsmessage.PTRResource:
		return dnsmessage.TypePTR, wireName(fold(b.PTR.String()))
	case *dnsmessage.SRVResource:
		return dnsmessage.TypeSRV, pair(b.Priority) + pair(b.Weight) + pair(b.Port) + wireName(fold(b.Target.String()))
	case *dnsmessage.TXTResource:
		var all strings.Builder
		for _, t := range b.TXT {
			all.WriteByte(byte(len(t)))
			all.WriteString(t)
		}
		return dnsmessage.TypeTXT, all.String()
	case *dnsmessage.UnknownResource:
		return b.Type, string(b.Data)
	}
	return 0, ""
}

func pair(n uint16) string { return string([]byte{byte(n >> 8), byte(n)}) }

// wireName returns a full name in wire format.
func wireName(name string) string {
	var b strings.Builder
	for label := range strings.SplitSeq(strings.TrimSuffix(name, "."), ".") {
		if label != "" {
			b.WriteByte(byte(len(label)))
			b.WriteString(label)
		}
	}
	b.WriteByte(0)
	return b.String()
}

// A question requests the records of a name.
type question struct {
	name    string // name in the spelling of the question
	kind    dnsmessage.Type
	unicast bool // true if the answer may be sent to the asker alone
}

// asks() reports whether the question requests a record.
func (q *question) asks(r *record) bool {
	return (q.kind == typeAny || q.kind == r.kind) && fold(q.name) == fold(r.name)
}

// A message is one packet.
type message struct {
	id        uint16
	response  bool
	truncated bool // true if more known answers follow in another packet
	questions []question
	answers   []record // answers, with the additional records of a response
	proposed  []record // records that a probe is about to claim
}

var errMessage = errors.New("mdns: unusable message")

// parse parses a packet. Records that cannot be parsed are skipped.
func parse(data []byte) (*message, error) {
	var p dnsmessage.Parser
	h, err := p.Start(data)
	if err != nil || len(data) > maxPacket || h.OpCode != 0 || h.RCode != 0 {
		return nil, errMessage
	}
	m := &message{id: h.ID, response: h.Response, truncated: h.Truncated}
	for {
		q, err := p.Question()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			break
		}
		if err != nil || len(m.questions) == maxQuestions {
			return nil, errMessage
		}
		if class := q.Class &^ topBit; class == dnsmessage.ClassINET || class == dnsmessage.ClassANY {
			m.questions = append(m.questions, question{q.Name.String(), q.Type, q.Class&topBit != 0})
		}
	}
	left := maxRecords
	m.answers, left = section(nil, left, p.Answer, p.SkipAnswer)
	m.proposed, left = section(nil, left, p.Authority, p.SkipAuthority)
	if m.response {
		m.answers, _ = section(m.answers, left, p.Additional, p.SkipAdditional)
	}
	return m, nil
}

// section() reads the records of one part of a message and appends them to `all`. `left` is the maximum number of records. The second
// result is the number of records that the next part may have.
func section(all []record, left int, next func() (dnsmessage.Resource, error), skip func() error) ([]record, int) {
	for ; left > 0; left-- {
		r, err := next()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return all, left
		}
		if err != nil { // some labels cannot be read, for example because they contain a dot
			if skip() != nil {
				return all, 0
			}
			continue
		}
		if r.Header.Class&^topBit == dnsmessage.ClassINET {
			all = append(all, newRecord(r.Header.Name.String(), r.Header.Class&topBit != 0, r.Header.TTL, r.Body))
		}
	}
	return all, 0
}

// pack encodes a message. If the packet is larger than usualPacket, additional records are left out. The other records are never left
// out, so the packet may stay larger. If the message cannot be encoded, pack returns nil.
func (m *message) pack(additional []record) []byte {
	for {
		data, err := m.packWith(additional)
		switch {
		case err == nil && len(data) <= usualPacket:
			return data
		case len(additional) > 0:
			additional = additional[:len(additional)-1]
		case err == nil:
			return data
		default:
			return nil
		}
	}
}

// usualPacket is the size of a packet that every network transmits in one piece: the MTU of Ethernet minus the headers of IPv6 and UDP.
const usualPacket = 1500 - 40 - 8

func (m *message) packWith(additional []record) ([]byte, error) {
	b := dnsmessage.NewBuilder(make([]byte, 0, usualPacket), dnsmessage.Header{ID: m.id, Response: m.response, Authoritative: m.response})
	b.EnableCompression()
	if err := b.StartQuestions(); err != nil {
		return nil, err
	}
	for _, q := range m.questions {
		name, err := dnsmessage.NewName(q.name)
		if err != nil {
			return nil, err
		}
		class := dnsmessage.ClassINET
		if q.unicast {
			class |= topBit
		}
		if err := b.Question(dnsmessage.Question{Name: name, Type: q.kind, Class: class}); err != nil {
			return nil, err
		}
	}
	for _, part := range []struct {
		start   func() error
		records []record
	}{{b.StartAnswers, m.answers}, {b.StartAuthorities, m.proposed}, {b.StartAdditionals, additional}} {
		if err := part.start(); err != nil {
			return nil, err
		}
		for i := range part.records {
			if err := add(&b, &part.records[i]); err != nil {
				return nil, err
			}
		}
	}
	return b.Finish()
}

// add writes a record into the part of the message that was started last.
func add(b *dnsmessage.Builder, r *record) error {
	name, err := dnsmessage.NewName(r.name)
	if err != nil {
		return err
	}
	h := dnsmessage.ResourceHeader{Name: name, Class: dnsmessage.ClassINET, TTL: r.ttl}
	if r.unique {
		h.Class |= topBit
	}
	switch body := r.body.(type) {
	case *dnsmessage.AResource:
		return b.AResource(h, *body)
	case *dnsmessage.AAAAResource:
		return b.AAAAResource(h, *body)
	case *dnsmessage.PTRResource:
		return b.PTRResource(h, *body)
	case *dnsmessage.SRVResource:
		return b.SRVResource(h, *body)
	case *dnsmessage.TXTResource:
		return b.TXTResource(h, *body)
	case *dnsmessage.UnknownResource:
		return b.UnknownResource(h, *body)
	}
	return errMessage
}
