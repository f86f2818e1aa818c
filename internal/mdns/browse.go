package mdns

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"dashboard/internal/stable"
)

// A Found is a service on the network.
type Found struct {
	Name string // name of the service, as people see it
	Host string // name of the host, such as kitchen.local
	// Addresses are the addresses of the host, preferred ones first. A link-local IPv6 address includes its zone. There is at least one
	// address.
	Addresses []netip.Addr
	Port      int
	Text      map[string]string // texts of the service
}

// URL returns the address of an HTTP service. It contains the preferred IP address, because some machines cannot resolve .local names.
func (f *Found) URL() string {
	host := f.Addresses[0].String()
	if f.Addresses[0].Is6() {
		host = "[" + strings.Replace(host, "%", "%25", 1) + "]" // IPv6 zone in a URL (RFC 6874)
	}
	u := "http://" + host
	if f.Port != 80 {
		u += ":" + strconv.Itoa(f.Port)
	}
	if p := f.Text["path"]; strings.HasPrefix(p, "/") && p != "/" {
		u += p
	}
	return u
}

// Find searches the local network for services of a type, such as _dashboard._tcp. It collects answers for the duration `within`, or
// until ctx ends. It returns the services sorted by name.
func Find(ctx context.Context, service string, within time.Duration) ([]Found, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var all []Found
	err := Browse(ctx, service, func(now []Found) { all = now })
	return all, err
}

// Browse searches the local network for services of a type until ctx ends. After each change it calls the function `changed` with all
// services, sorted by name. It returns an error if no search is possible.
func Browse(ctx context.Context, service string, changed func([]Found)) error {
	s, err := open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	b := newBrowser(service)
	tick := time.NewTimer(0)
	defer tick.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	links := b.look(s, nil)
	var told []Found
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
			if before := len(links); len(b.look(s, links)) > before {
				b.pause = 0 // send a question on a new network at once
				tick.Reset(0)
			}
		case p := <-s.in:
			if b.read(p, links[p.link].Name, time.Now()) {
				tick.Reset(0)
			}
		case now := <-tick.C:
			b.asked = now
			question := b.question(now)
			for _, l := range links {
				s.send(&l, netip.AddrPort{}, question)
			}
			tick.Reset(b.wait())
		}
		if found := b.found(time.Now()); !slices.EqualFunc(found, told, sameFound) {
			told = found
			changed(found)
		}
	}
}

func sameFound(a, b Found) bool {
	return a.Name == b.Name && a.Host == b.Host && a.Port == b.Port && slices.Equal(a.Addresses, b.Addresses) && maps.Equal(a.Text, b.Text)
}

// kept is a received record, together with the end of its lifetime.
type kept struct {
	record
	zone  string // name of the interface on which the record arrived
	until time.Time
}

// A set identifies all records with the same name and kind.
type set struct {
	name string // name in lower case
	kind dnsmessage.Type
}

// A browser is a search with the records received so far.
type browser struct {
	service string // full name of the service
	kept    map[set][]kept
	count   int // number of records in kept
	asked   time.Time
	pause   time.Duration
}

func newBrowser(service string) *browser {
	return &browser{service: service + "." + domain, kept: map[set][]kept{}}
}

// look() joins the multicast groups on new interfaces, and leaves the groups on interfaces that were removed or changed. It returns the
// current interfaces by index.
func (b *browser) look(s *sockets, links map[int]Interface) map[int]Interface {
	if links == nil {
		links = map[int]Interface{}
	}
	now, err := Interfaces()
	if err != nil {
		return links
	}
	for i, l := range links {
		if !slices.ContainsFunc(now, func(n Interface) bool { return n.equal(&l) }) {
			s.leave(l)
			delete(links, i)
		}
	}
	for _, l := range now {
		if _, ok := links[l.Index]; !ok {
			links[l.Index] = l
			s.join(l)
		}
	}
	return links
}

// Pauses between questions, RFC 6762 section 5.2. The second question follows after a second, and each pause is twice as long as the
// previous pause.
const firstPause, longestPause = time.Second, time.Minute

// wait returns the time until the next question.
func (b *browser) wait() time.Duration {
	b.pause = min(max(firstPause, 2*b.pause), longestPause)
	return b.pause
}

// question() returns a message with questions for the services, and for the missing records of services that were found. The message also
// lists the known records (section 7.1).
func (b *browser) question(now time.Time) []byte {
	m := &message{questions: []question{{name: b.service, kind: dnsmessage.TypePTR}}}
	for _, p := range b.all(b.service, dnsmessage.TypePTR) {
		name := p.body.(*dnsmessage.PTRResource).PTR.String()
		if left := p.until.Sub(now); left > time.Duration(p.ttl)*time.Second/2 && len(m.answers) < maxFound/4 {
			m.answers = append(m.answers, p.record)
		}
		if len(b.all(name, dnsmessage.TypeSRV)) == 0 && len(m.questions) < maxQuestions/4 {
			m.questions = append(m.questions, question{name: name, kind: typeAny})
		}
		for _, s := range b.all(name, dnsmessage.TypeSRV) {
			host := s.body.(*dnsmessage.SRVResource).Target.String()
			if len(b.all(host, dnsmessage.TypeA))+len(b.all(host, dnsmessage.TypeAAAA)) == 0 && len(m.questions) < maxQuestions/4 {
				m.questions = append(m.questions, question{name: host, kind: dnsmessage.TypeA}, question{name: host, kind: dnsmessage.TypeAAAA})
			}
		}
	}
	return m.pack(nil)
}

// read stores the records of a response about services and hosts. It returns true if a question should be sent now. This is the case if
// the SRV record of a found service is missing and the last question is not too recent.
func (b *browser) read(p packet, zone string, now time.Time) bool {
	m, err := parse(p.data)
	if err != nil || !m.response || p.from.Port() != port {
		return false
	}
	b.forget(now)
	for _, r := range m.answers {
		switch r.kind {
		case dnsmessage.TypePTR, dnsmessage.TypeSRV, dnsmessage.TypeTXT, dnsmessage.TypeA, dnsmessage.TypeAAAA:
			b.keep(r, zone, now)
		}
	}
	return now.Sub(b.asked) >= firstPause/2 && slices.ContainsFunc(b.all(b.service, dnsmessage.TypePTR), func(p kept) bool {
		return len(b.all(p.body.(*dnsmessage.PTRResource).PTR.String(), dnsmessage.TypeSRV)) == 0
	})
}

// forget removes expired records.
func (b *browser) forget(now time.Time) {
	for at, list := range b.kept {
		b.put(at, slices.DeleteFunc(list, func(k kept) bool { return !now.Before(k.until) }), len(list))
	}
}

// put stores all records of a set. `before` is the number of records that the set had before.
func (b *browser) put(at set, list []kept, before int) {
	b.count += len(list) - before
	if len(list) == 0 {
		delete(b.kept, at)
		return
	}
	b.kept[at] = list
}

// keep() stores a record for its lifetime. A unique record removes all other records of its name and kind that arrived more than a second
// ago (section 10.2). A record with a lifetime of zero is a goodbye: it removes the stored record with the same data.
func (b *browser) keep(r record, zone string, now time.Time) {
	if r.kind == dnsmessage.TypePTR && fold(r.name) != fold(b.service) {
		return
	}
	at := set{fold(r.name), r.kind}
	list := b.kept[at]
	before := len(list)
	r.ttl = min(r.ttl, otherTTL)
	next := kept{r, zone, now.Add(time.Duration(r.ttl) * time.Second)}
	list = slices.DeleteFunc(list, func(k kept) bool {
		since := now.Sub(k.until.Add(-time.Duration(k.ttl) * time.Second))
		return k.data == r.data || r.unique && since > time.Second
	})
	if r.ttl > 0 && b.count+len(list)-before < maxKept {
		list = append(list, next)
		stable.Sort(list, func(a, b kept) int { return cmp.Compare(a.data, b.data) })
	}
	b.put(at, list, before)
}

// all() returns the records with a name and a kind.
func (b *browser) all(name string, kind dnsmessage.Type) []kept { return b.kept[set{fold(name), kind}] }

// found() returns the services whose port and addresses are known, sorted by name.
func (b *browser) found(now time.Time) []Found {
	var list []Found
	for _, p := range b.all(b.service, dnsmessage.TypePTR) {
		full := p.body.(*dnsmessage.PTRResource).PTR.String()
		at := b.all(full, dnsmessage.TypeSRV)
		if len(at) == 0 || !now.Before(p.until) || len(list) == maxFound {
			continue
		}
		srv := at[0].body.(*dnsmessage.SRVResource)
		f := Found{Host: strings.TrimSuffix(srv.Target.String(), "."), Port: int(srv.Port), Addresses: b.addresses(srv.Target.String())}
		if len(full) > len(b.service) {
			f.Name = instanceLabel(full[:len(full)-len(b.service)-1])
		}
		f.Text = map[string]string{}
		for _, t := range b.all(full, dnsmessage.TypeTXT) {
			addTexts(f.Text, t.body.(*dnsmessage.TXTResource).TXT)
		}
		if len(f.Addresses) > 0 && f.Port > 0 {
			list = append(list, f)
		}
	}
	stable.Sort(list, func(a, b Found) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// addTexts adds texts of the form key=value to a map (RFC 6763 section 6.4). If a key occurs twice, it uses the first value.
func addTexts(into map[string]string, texts []string) {
	for _, t := range texts {
		key, value, _ := strings.Cut(t, "=")
		key = fold(key)
		if _, there := into[key]; !there && key != "" {
			into[key] = value
		}
	}
}

// addresses() returns the addresses of a host: IPv4 first, then global IPv6, then link-local IPv6.
func (b *browser) addresses(host string) []netip.Addr {
	var list []netip.Addr
	for _, k := range b.all(host, dnsmessage.TypeA) {
		list = append(list, netip.AddrFrom4(k.body.(*dnsmessage.AResource).A))
	}
	var local []netip.Addr
	for _, k := range b.all(host, dnsmessage.TypeAAAA) {
		a := netip.AddrFrom16(k.body.(*dnsmessage.AAAAResource).AAAA)
		switch {
		case a.Is4In6() || a.IsMulticast() || a.IsUnspecified():
		case a.IsLinkLocalUnicast():
			local = append(local, a.WithZone(k.zone))
		default:
			list = append(list, a)
		}
	}
	list = append(list, local...)
	return list[:min(len(list), maxAddresses)]
}
