package mdns

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// TestFirstSeconds follows RFC 6762 section 8. First the wall asks whether another program announces the name. Then it sends three
// probes, a quarter of a second apart, without topBit. Then it sends announcements with topBit, which makes other hosts remove old
// records.
func TestFirstSeconds(t *testing.T) {
	w := newWorld(t)
	w.run(time.Minute)
	var got []string
	for _, s := range w.sent {
		kind := "ask"
		switch {
		case s.response:
			kind = "announce"
		case len(s.proposed) > 0:
			kind = "probe"
		}
		got = append(got, fmt.Sprintf("%d %s", s.at.Milliseconds(), kind))
	}
	if want := "0 ask, 250 ask, 500 probe, 750 probe, 1000 probe, 1250 announce, 2250 announce, 4250 announce"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	probe, announce := w.sent[2], w.sent[5]
	for _, r := range probe.proposed {
		if r.unique {
			t.Errorf("%s in a probe has the top bit", r.kind)
		}
	}
	if len(probe.proposed) != 3 || !probe.questions[0].unicast || probe.questions[0].kind != typeAny {
		t.Errorf("got a probe for %v with %v", probe.questions, probe.proposed)
	}
	if got, want := announce.summary(), "PTR 4500, PTR 4500, SRV 120, TXT 4500, A 120"; got != want {
		t.Errorf("announced %s, want %s", got, want)
	}
	for _, r := range announce.answers {
		if r.unique != (r.kind != dnsmessage.TypePTR) {
			t.Errorf("%s: got the top bit %v", r.kind, r.unique)
		}
	}
	if !slices.Equal(w.named, []string{"kitchen.local"}) {
		t.Errorf("named %v", w.named)
	}
}

func TestAnswers(t *testing.T) {
	for _, row := range []struct {
		name string
		kind dnsmessage.Type
		want string // expected answers and additional records
	}{
		{"_dashboard._tcp.local.", dnsmessage.TypePTR, "PTR 4500, SRV 120, TXT 4500, A 120"},
		{"_DashBoard._TCP.Local.", dnsmessage.TypePTR, "PTR 4500, SRV 120, TXT 4500, A 120"},
		{"_services._dns-sd._udp.local.", dnsmessage.TypePTR, "PTR 4500"},
		{"The Wall._dashboard._tcp.local.", dnsmessage.TypeSRV, "SRV 120, A 120"},
		{"The Wall._dashboard._tcp.local.", dnsmessage.TypeTXT, "TXT 4500"},
		{"The Wall._dashboard._tcp.local.", typeAny, "TXT 4500, SRV 120, A 120"},
		{"kitchen.local.", dnsmessage.TypeA, "A 120"},
		{"kitchen.local.", dnsmessage.TypeAAAA, "47 120"}, // the host has no record of this type, so the answer is an NSEC record
		{"cellar.local.", dnsmessage.TypeA, ""},
		{"_ipp._tcp.local.", dnsmessage.TypePTR, ""},
	} {
		w := settled(t)
		got := w.ask(near, row.name, row.kind)
		switch {
		case row.want == "" && len(got) > 0, row.want != "" && len(got) != 1:
			t.Errorf("%s %s: got %d packets", row.name, row.kind, len(got))
		case row.want != "" && (got[0].summary() != row.want || got[0].to.IsValid()):
			t.Errorf("%s %s: got %s to %v, want %s", row.name, row.kind, got[0].summary(), got[0].to, row.want)
		}
	}
}

// TestKnownAnswers checks that records are left out if the asker knows them for at least half of their lifetime. The asker may list some
// of its known records in a second packet.
func TestKnownAnswers(t *testing.T) {
	w := settled(t)
	ptr := w.records[0]
	if got := w.ask(near, ptr.name, ptr.kind, ptr); len(got) > 0 {
		t.Errorf("known: got %s", got[0].summary())
	}
	old := ptr
	old.ttl = otherTTL/2 - 1
	if got := w.ask(near, ptr.name, ptr.kind, old); len(got) != 1 {
		t.Errorf("half forgotten: got %d packets", len(got))
	}
	w = settled(t)
	data := (&message{questions: []question{{name: ptr.name, kind: ptr.kind}}}).pack(nil)
	data[2] |= 2 // the bit TC
	w.handle(packet{2, near, data}, w.now)
	w.run(300 * time.Millisecond)
	w.hear(near, &message{answers: []record{ptr}})
	w.run(time.Second)
	if len(w.sent) > 0 {
		t.Errorf("known in the second packet: got %s", w.sent[0].summary())
	}
}

// TestOftenAsked checks that each record is multicast at most once a second, no matter how often and by which questions it is requested.
func TestOftenAsked(t *testing.T) {
	w := settled(t)
	for range 1000 {
		w.hear(near, &message{questions: []question{{name: "kitchen.local.", kind: dnsmessage.TypeA}}})
		w.run(10 * time.Millisecond)
	}
	if n := len(w.sent); n < 8 || n > 11 {
		t.Errorf("got %d answers to 1000 questions in 10 s", n)
	}
}

// TestUnicast checks answers that only the asker receives. There are two cases. Either the asker requests a unicast answer and all hosts
// have received the record lately, or the asker sends plain DNS questions (section 6.7).
func TestUnicast(t *testing.T) {
	w := newWorld(t)
	w.run(5 * time.Second)
	w.sent = nil
	w.hear(near, &message{questions: []question{{name: "kitchen.local.", kind: dnsmessage.TypeA, unicast: true}}})
	if len(w.sent) != 1 || w.sent[0].to != near {
		t.Fatalf("got %d packets, want one to the asker", len(w.sent))
	}
	w.run(time.Minute)
	w.sent = nil
	w.hear(near, &message{questions: []question{{name: "kitchen.local.", kind: dnsmessage.TypeA, unicast: true}}})
	if len(w.sent) != 1 || w.sent[0].to.IsValid() {
		t.Errorf("a minute later: got %d packets, want one to all", len(w.sent))
	}
	w.sent = nil
	dig := netip.MustParseAddrPort("10.0.0.2:40000")
	w.hear(dig, &message{id: 77, questions: []question{{name: "_dashboard._tcp.local.", kind: dnsmessage.TypePTR}}})
	if len(w.sent) != 1 || w.sent[0].to != dig || w.sent[0].id != 77 || len(w.sent[0].questions) != 1 {
		t.Fatalf("legacy: got %+v", w.sent)
	}
	for _, r := range w.sent[0].answers {
		if r.ttl > legacyTTL || r.unique {
			t.Errorf("legacy: got %s for %d s, unique %v", r.kind, r.ttl, r.unique)
		}
	}
	w.sent = nil
	for range 1000 {
		w.hear(dig, &message{questions: []question{{name: "kitchen.local.", kind: dnsmessage.TypeA}}})
	}
	if n := len(w.sent); n > replyBurst {
		t.Errorf("got %d answers to 1000 questions at once", n)
	}
}

// TestGoodbye checks that a goodbye withdraws every record of the responder.
func TestGoodbye(t *testing.T) {
	w := settled(t)
	w.goodbye()
	if len(w.sent) != 1 || w.sent[0].summary() != "PTR 0, PTR 0, SRV 0, TXT 0, A 0" {
		t.Errorf("got %d packets, %s", len(w.sent), w.sent[0].summary())
	}
}

// TestInterfaces adds, changes and removes networks.
func TestInterfaces(t *testing.T) {
	w := settled(t)
	wifi := Interface{3, "wlan0", []netip.Prefix{netip.MustParsePrefix("192.168.1.7/24"), netip.MustParsePrefix("fe80::7/64")}}
	w.update([]Interface{eth, wifi}, w.now)
	w.run(time.Minute)
	if w.links[3].phase != running {
		t.Fatal("the new network is not announced to")
	}
	moved := eth
	moved.Prefixes = []netip.Prefix{netip.MustParsePrefix("10.0.0.9/24")}
	w.sent = nil
	if gone := w.update([]Interface{moved}, w.now); len(gone) != 2 || len(w.links) != 1 {
		t.Errorf("gone: %v, left %d", gone, len(w.links))
	}
	w.run(time.Minute)
	last := w.sent[0].answers[len(w.sent[0].answers)-1]
	if last.key() != ptrTo(address("kitchen.local.", "10.0.0.9")).key() || !last.unique {
		t.Errorf("got %s", w.sent[0].summary())
	}
	w.o.Allows = func(a netip.Addr) bool { return a.Is6() }
	if w.update([]Interface{moved}, w.now); len(w.links) > 0 {
		t.Error("announced where nobody can be reached")
	}
}

// TestFarAway checks that packets from other networks are dropped.
func TestFarAway(t *testing.T) {
	s := &sockets{links: map[int]Interface{2: eth}}
	for from, want := range map[string]int{"10.0.0.2": 2, "169.254.3.4": 2, "fe80::1%eth0": 2, "8.8.8.8": 0, "10.0.1.2": 0, "2001:db8::1": 0} {
		if got := s.linkOf(2, netip.MustParseAddr(from)); got != want {
			t.Errorf("%s: got %d, want %d", from, got, want)
		}
	}
	if got := s.linkOf(7, netip.MustParseAddr("10.0.0.2")); got != 0 {
		t.Errorf("on an interface that was not joined: got %d", got)
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("ä", 40)
	for in, want := range map[string]string{"Kitchen": "kitchen", "pi.example.org": "pi", "Küche 2": "k-che-2", "": "dashboard", "-": "dashboard", strings.Repeat("a", 80): strings.Repeat("a", 63)} {
		if got := HostLabel(in); got != want {
			t.Errorf("host %q: got %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"The  Wall\n": "The Wall", "No. 5": "No 5", "": "dashboard", long: long[:62], "a\x00b": "ab"} {
		if got := instanceLabel(in); got != want {
			t.Errorf("name %q: got %q, want %q", in, got, want)
		}
	}
	if got := numbered(strings.Repeat("a", 63), "-%d", 12); len(got) != 63 || !strings.HasSuffix(got, "-12") {
		t.Errorf("got %q", got)
	}
}

// TestTexts checks that the texts of a service that do not fit in maxText are left out.
func TestTexts(t *testing.T) {
	w := newWorld(t)
	w.o.Services[0].Text = slices.Repeat([]string{strings.Repeat("x", 300)}, 10)
	w.rename(w.links[2])
	for _, r := range w.records {
		if r.kind == dnsmessage.TypeTXT && len(r.data) > maxText+10 {
			t.Errorf("got %d bytes of text", len(r.data))
		}
	}
}
