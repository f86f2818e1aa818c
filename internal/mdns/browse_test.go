package mdns

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"dashboard/internal/testing/thorough"
)

var moment = time.Unix(1_800_000_000, 0)

// announced() returns the packets that a wall sends in its first minute.
func announced(t *testing.T, links ...Interface) []sent {
	w := newWorld(t, links...)
	w.run(time.Minute)
	return w.sent
}

// TestFound checks that a browser finds the services of a responder until the responder sends its goodbye.
func TestFound(t *testing.T) {
	both := eth
	both.Prefixes = append(both.Prefixes, netip.MustParsePrefix("fe80::1/64"))
	b := newBrowser("_dashboard._tcp")
	for _, s := range announced(t, both) {
		b.read(packet{2, near, s.raw}, "eth0", moment)
	}
	got := b.found(moment)
	if len(got) != 1 || got[0].Name != "The Wall" || got[0].Host != "kitchen.local" || got[0].URL() != "http://10.0.0.1:5000" || got[0].Text["views"] != "main" {
		t.Fatalf("got %+v", got)
	}
	if a := got[0].Addresses; len(a) != 2 || a[1].String() != "fe80::1%eth0" {
		t.Errorf("got addresses %v", a)
	}
	w := settled(t)
	w.goodbye()
	b.read(packet{2, near, w.sent[0].raw}, "eth0", moment)
	if got := b.found(moment); len(got) > 0 {
		t.Errorf("after the goodbye: got %+v", got)
	}
}

// TestForgets checks that a browser drops records that are not repeated in time.
func TestForgets(t *testing.T) {
	b := newBrowser("_dashboard._tcp")
	for _, s := range announced(t) {
		b.read(packet{2, near, s.raw}, "eth0", moment)
	}
	late := moment.Add((hostTTL + 1) * time.Second)
	b.forget(late)
	if got := b.found(late); len(got) > 0 {
		t.Errorf("got %+v", got)
	}
	if m, _ := parse(b.question(late)); len(m.questions) != 2 || m.questions[1].kind != typeAny || len(m.answers) != 1 {
		t.Errorf("asks %v, knows %d", m.questions, len(m.answers))
	}
}

func TestURL(t *testing.T) {
	for want, f := range map[string]Found{
		"http://10.0.0.1:5000":         {Addresses: addrs("10.0.0.1"), Port: 5000},
		"http://10.0.0.1/wall":         {Addresses: addrs("10.0.0.1"), Port: 80, Text: map[string]string{"path": "/wall"}},
		"http://[2001:db8::1]:5000":    {Addresses: addrs("2001:db8::1"), Port: 5000, Text: map[string]string{"path": "x"}},
		"http://[fe80::1%25eth0]:5000": {Addresses: addrs("fe80::1%eth0"), Port: 5000},
		"http://[fe80::1%25eth0]/a":    {Addresses: addrs("fe80::1%eth0"), Port: 80, Text: map[string]string{"path": "/a"}},
	} {
		if got := f.URL(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func addrs(all ...string) (list []netip.Addr) {
	for _, a := range all {
		list = append(list, netip.MustParseAddr(a))
	}
	return list
}

// TestFlood checks that a browser keeps to its limits if ten thousand services are announced.
func TestFlood(t *testing.T) {
	thorough.Only(t)
	b := newBrowser("_dashboard._tcp")
	for i := range 10000 {
		full := fmt.Sprintf("Wall %d._dashboard._tcp.local.", i)
		m := &message{response: true, answers: []record{
			newRecord("_dashboard._tcp.local.", false, 1<<31, &dnsmessage.PTRResource{PTR: dnsName(full)}),
			newRecord(full, true, hostTTL, &dnsmessage.SRVResource{Port: 1, Target: dnsName("h.local.")}),
			address("h.local.", fmt.Sprintf("10.0.%d.%d", i/250%250, i%250)),
		}}
		b.read(packet{2, near, m.pack(nil)}, "eth0", moment)
	}
	kept := 0
	for _, list := range b.kept {
		kept += len(list)
	}
	if found := b.found(moment); kept > maxKept || kept != b.count || len(found) > maxFound || len(found) == 0 || len(found[0].Addresses) > maxAddresses {
		t.Errorf("kept %d (counted %d), found %d", kept, b.count, len(found))
	}
	if q := b.question(moment); len(q) > maxPacket {
		t.Errorf("asks with %d bytes", len(q))
	}
}

// TestNotAnAnswer checks that packets from a port other than the port of multicast DNS are ignored.
func TestNotAnAnswer(t *testing.T) {
	b := newBrowser("_dashboard._tcp")
	for _, s := range announced(t) {
		b.read(packet{2, netip.MustParseAddrPort("10.0.0.2:9999"), s.raw}, "eth0", moment)
	}
	if got := b.found(moment); len(got) > 0 {
		t.Errorf("got %+v", got)
	}
}

// FuzzPacket gives any data to the responder and to the search.
func FuzzPacket(f *testing.F) {
	w := newWorld(&testing.T{})
	w.run(time.Minute)
	for _, s := range w.sent {
		f.Add(s.raw, true)
	}
	f.Add((&message{questions: []question{{name: "_dashboard._tcp.local.", kind: typeAny, unicast: true}}}).pack(nil), false)
	f.Add([]byte(strings.Repeat("\xc0\x0c", 500)), false)
	f.Fuzz(func(t *testing.T, data []byte, participant bool) {
		if len(data) > maxPacket {
			return
		}
		from := near
		if !participant {
			from = netip.MustParseAddrPort("10.0.0.2:40000")
		}
		for _, w := range []*world{newWorld(t), settled(t)} {
			w.run(600 * time.Millisecond)
			w.sent = nil
			w.handle(packet{2, from, data}, w.now)
			w.run(400 * time.Millisecond)
			size := 0
			for _, s := range w.sent {
				if s.to.IsValid() && s.to != from {
					t.Errorf("sent to %v", s.to)
				}
				size += len(s.raw)
			}
			if size > 16*usualPacket {
				t.Errorf("sent %d bytes for %d", size, len(data))
			}
		}
		b := newBrowser("_dashboard._tcp")
		b.read(packet{2, from, data}, "eth0", moment)
		for _, s := range b.found(moment) {
			_ = s.URL()
		}
		b.question(moment)
	})
}
