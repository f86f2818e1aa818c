package mdns

import (
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// host() returns the complete host name.
func (r *responder) host() string {
	return numbered(HostLabel(r.o.Host), "-%d", r.hostNumber) + "." + domain
}

// name() returns the display name of the services.
func (r *responder) name() string { return numbered(instanceLabel(r.o.Name), " (%d)", r.nameNumber) }

// full() returns the complete name of a service.
func (r *responder) full(s *Service) string { return r.name() + "." + s.Type + "." + domain }

func trimDot(name string) string { return strings.TrimSuffix(name, ".") }

// zone() returns all records that a link announces.
func (r *responder) zone(l *link) []record {
	var all []record
	for i := range r.o.Services {
		s := &r.o.Services[i]
		kind, full := s.Type+"."+domain, r.full(s)
		all = append(all,
			newRecord(kind, false, otherTTL, &dnsmessage.PTRResource{PTR: dnsName(full)}),
			newRecord(allTypes, false, otherTTL, &dnsmessage.PTRResource{PTR: dnsName(kind)}),
			newRecord(full, true, hostTTL, &dnsmessage.SRVResource{Port: uint16(r.o.Port), Target: dnsName(r.host())}),
			newRecord(full, true, otherTTL, &dnsmessage.TXTResource{TXT: texts(s.Text)}))
	}
	if l.claims {
		all = append(all, r.addresses(l)...)
	}
	return all
}

// dnsName converts a name of this host. The name is never too long, because its labels were cut.
func dnsName(name string) dnsmessage.Name {
	n, err := dnsmessage.NewName(name)
	if err != nil {
		return dnsmessage.Name{}
	}
	return n
}

// texts() returns the texts that fit in maxText. A service without texts has one empty text (RFC 6763 section 6.1).
func texts(all []string) []string {
	var list []string
	left := maxText
	for _, t := range all {
		if t = cut(t, 255); len(t)+1 <= left && t != "" {
			list, left = append(list, t), left-len(t)-1
		}
	}
	if list == nil {
		return []string{""}
	}
	return list
}

// addresses() returns the address records of this host on a link.
func (r *responder) addresses(l *link) []record {
	var all []record
	for _, p := range l.Prefixes {
		a := p.Addr()
		if r.o.Allows != nil && !r.o.Allows(a) || len(all) == maxAddresses {
			continue
		}
		if a.Is4() {
			all = append(all, newRecord(r.host(), true, hostTTL, &dnsmessage.AResource{A: a.As4()}))
		} else {
			all = append(all, newRecord(r.host(), true, hostTTL, &dnsmessage.AAAAResource{AAAA: a.As16()}))
		}
	}
	return all
}

// owns() reports whether the link announces a unique record with a name. Only this responder may use such a name.
func (l *link) owns(name string) bool {
	return slices.ContainsFunc(l.records, func(r record) bool { return r.unique && fold(r.name) == fold(name) })
}

// find returns our record with a key, or nil.
func (l *link) find(key string) *record {
	for i := range l.records {
		if l.records[i].key() == key {
			return &l.records[i]
		}
	}
	return nil
}

// nsec() returns the NSEC record of a name. This record lists the types of the name's records (RFC 6762 section 6.1, RFC 4034 section 4.1).
func (l *link) nsec(name string) record {
	var bits [32]byte
	length := 0
	for i := range l.records {
		if r := &l.records[i]; fold(r.name) == fold(name) {
			bits[r.kind/8] |= 0x80 >> (r.kind % 8)
			length = max(length, int(r.kind/8)+1)
		}
	}
	data := []byte(wireName(name))
	data = append(data, 0, byte(length))
	return newRecord(name, true, hostTTL, &dnsmessage.UnknownResource{Type: typeNSEC, Data: append(data, bits[:length]...)})
}

// extras() returns the records that a receiver of the records `told` will probably request next (RFC 6763 section 12).
func (r *responder) extras(l *link, told []record) []record {
	var all []record
	add := func(name string) {
		for _, rec := range l.records {
			same := func(o record) bool { return o.key() == rec.key() }
			if rec.unique && fold(rec.name) == fold(name) && !slices.ContainsFunc(told, same) && !slices.ContainsFunc(all, same) {
				all = append(all, rec)
			}
		}
	}
	for _, rec := range told {
		switch b := rec.body.(type) {
		case *dnsmessage.PTRResource:
			if l.owns(b.PTR.String()) {
				add(b.PTR.String())
				add(r.host())
			}
		case *dnsmessage.SRVResource:
			add(r.host())
		}
	}
	return all
}

// reachable() reports whether Options.Allows permits any address of an interface.
func (r *responder) reachable(i *Interface) bool {
	return slices.ContainsFunc(i.Prefixes, func(p netip.Prefix) bool { return r.o.Allows == nil || r.o.Allows(p.Addr()) })
}
