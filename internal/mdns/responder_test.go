package mdns

import (
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Addresses of the tests: of the machine, of a neighbour and of somebody far away.
var (
	here = netip.MustParseAddrPort("10.0.0.1:5353")
	near = netip.MustParseAddrPort("10.0.0.2:5353")
	eth  = Interface{2, "eth0", []netip.Prefix{netip.MustParsePrefix("10.0.0.1/24")}}
)

// A sent is a packet that a responder sent.
type sent struct {
	at  time.Duration // since the test began
	to  netip.AddrPort
	raw []byte
	*message
}

// A world is a responder on one link, its time and what it sent.
type world struct {
	*responder
	*link // the one
	t     *testing.T
	begin time.Time
	now   time.Time
	sent  []sent
	named []string
}

func newWorld(t *testing.T, links ...Interface) *world {
	w := &world{t: t, begin: time.Unix(1_800_000_000, 0)}
	w.now = w.begin
	o := Options{Name: "The Wall", Host: "kitchen", Port: 5000, Services: []Service{{"_dashboard._tcp", []string{"views=main"}}}}
	o.Named = func(h string) { w.named = append(w.named, h) }
	o.Log = slog.New(slog.DiscardHandler)
	w.responder = newResponder(o, func(_ *Interface, to netip.AddrPort, data []byte) {
		m, err := parse(data)
		if err != nil {
			t.Fatalf("%v: sent %q", err, data)
		}
		w.sent = append(w.sent, sent{w.now.Sub(w.begin), to, data, m})
	}, func(least, _ time.Duration) time.Duration { return least })
	if links == nil {
		links = []Interface{eth}
	}
	w.update(links, w.now)
	w.link = w.links[2]
	return w
}

// run passes time.
func (w *world) run(d time.Duration) {
	for end := w.now.Add(d); ; {
		next := w.next()
		if next.IsZero() || next.After(end) {
			w.now = end
			return
		}
		w.now = next
		w.pass(next)
	}
}

// settled has the names announced, and forgets what was sent for it.
func settled(t *testing.T, links ...Interface) *world {
	w := newWorld(t, links...)
	w.run(time.Minute)
	w.sent = nil
	return w
}

// hear hands the responder a message.
func (w *world) hear(from netip.AddrPort, m *message) { w.handle(packet{2, from, m.pack(nil)}, w.now) }

// ask asks for records of a name and returns what was sent within a second.
func (w *world) ask(from netip.AddrPort, name string, kind dnsmessage.Type, known ...record) []sent {
	w.sent = nil
	w.hear(from, &message{questions: []question{{name: name, kind: kind}}, answers: known})
	w.run(time.Second)
	return w.sent
}

func address(name string, a string) record {
	return newRecord(name, true, hostTTL, &dnsmessage.AResource{A: netip.MustParseAddr(a).As4()})
}

func (m *message) summary() string {
	var all []string
	for _, r := range m.answers {
		all = append(all, fmt.Sprintf("%s %d", strings.TrimPrefix(r.kind.String(), "Type"), r.ttl))
	}
	return strings.Join(all, ", ")
}

// TestFirstSeconds follows RFC 6762 section 8: asks, three probes a quarter of a second apart without the bit that empties caches,
// then announcements with it.
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
		want string // answers and additional records
	}{
		{"_dashboard._tcp.local.", dnsmessage.TypePTR, "PTR 4500, SRV 120, TXT 4500, A 120"},
		{"_DashBoard._TCP.Local.", dnsmessage.TypePTR, "PTR 4500, SRV 120, TXT 4500, A 120"},
		{"_services._dns-sd._udp.local.", dnsmessage.TypePTR, "PTR 4500"},
		{"The Wall._dashboard._tcp.local.", dnsmessage.TypeSRV, "SRV 120, A 120"},
		{"The Wall._dashboard._tcp.local.", dnsmessage.TypeTXT, "TXT 4500"},
		{"The Wall._dashboard._tcp.local.", typeAny, "TXT 4500, SRV 120, A 120"},
		{"kitchen.local.", dnsmessage.TypeA, "A 120"},
		{"kitchen.local.", dnsmessage.TypeAAAA, "47 120"}, // there is none
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

// TestKnownAnswers leaves out what the asker has for half of its time at least, also when it says so in a second packet.
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
	data[2] |= 2 // TC
	w.handle(packet{2, near, data}, w.now)
	w.run(300 * time.Millisecond)
	w.hear(near, &message{answers: []record{ptr}})
	w.run(time.Second)
	if len(w.sent) > 0 {
		t.Errorf("known in the second packet: got %s", w.sent[0].summary())
	}
}

// TestOftenAsked tells all the same once a second at most, whatever is asked.
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

// TestUnicast answers the asker alone where it wants that and all were told lately, and who is no participant (section 6.7).
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

// TestConflict takes other names while they are not had, and probes again for those that are.
func TestConflict(t *testing.T) {
	w := newWorld(t)
	w.run(600 * time.Millisecond)
	w.hear(near, &message{response: true, answers: []record{address("Kitchen.local.", "10.0.0.2")}})
	w.run(time.Minute)
	w.hear(near, &message{response: true, answers: []record{
		newRecord("The Wall._dashboard._tcp.local.", true, hostTTL, &dnsmessage.SRVResource{Port: 80, Target: dnsName("kitchen.local.")})}})
	w.run(600 * time.Millisecond)
	if l := w.links[2]; l.phase != probing {
		t.Errorf("got phase %d, want to probe again", l.phase)
	}
	w.hear(near, &message{response: true, answers: []record{
		newRecord("The Wall._dashboard._tcp.local.", true, hostTTL, &dnsmessage.SRVResource{Port: 80, Target: dnsName("kitchen.local.")})}})
	w.run(time.Minute)
	if w.host() != "kitchen-2.local." || w.name() != "The Wall (2)" || !slices.Equal(w.named, []string{"kitchen-2.local"}) {
		t.Errorf("got %s and %s, named %v", w.host(), w.name(), w.named)
	}
	w.handle(packet{link: 2, from: netip.MustParseAddrPort("10.0.0.9:5353"), data: []byte("nonsense")}, w.now)
	c := w.o.Counts
	if c.Received.Load() != 4 || c.Malformed.Load() != 1 || c.Conflicts.Load() != 3 || c.Sent.Load() != uint64(len(w.sent)) {
		t.Errorf("counted %d received, %d malformed, %d conflicts, %d of %d sent", c.Received.Load(), c.Malformed.Load(), c.Conflicts.Load(), c.Sent.Load(), len(w.sent))
	}
}

// TestHostileConflicts bounds how often somebody who has every name makes the wall probe.
func TestHostileConflicts(t *testing.T) {
	w := newWorld(t)
	for range 6000 { // a minute
		w.hear(near, &message{response: true, answers: []record{address(w.host(), "10.0.0.66")}})
		w.run(10 * time.Millisecond)
	}
	if n := len(w.sent); n > 200 {
		t.Errorf("sent %d packets in a minute", n)
	}
	w.run(time.Minute)
	if w.links[2].phase != running {
		t.Error("the wall has no name when it is over")
	}
}

// TestSameMachine leaves the host's name to another program of this machine, such as avahi, and takes it when that ends.
func TestSameMachine(t *testing.T) {
	w := newWorld(t)
	w.run(100 * time.Millisecond)
	w.hear(here, &message{response: true, answers: []record{address("kitchen.local.", "10.0.0.1")}})
	w.run(time.Minute)
	if w.host() != "kitchen.local." || w.links[2].phase != running {
		t.Fatalf("got %s in phase %d", w.host(), w.links[2].phase)
	}
	for _, s := range w.sent[1:] {
		for _, r := range slices.Concat(s.answers, s.proposed) {
			if r.kind == dnsmessage.TypeA {
				t.Errorf("after %v: told the address of a host that is told already", s.at)
			}
		}
	}
	w.run(checkEvery) // it is asked, and answers
	w.hear(here, &message{response: true, answers: []record{address("kitchen.local.", "10.0.0.1")}})
	w.run(time.Minute)
	if w.links[2].claims {
		t.Fatal("claimed a name that is told")
	}
	bye := address("kitchen.local.", "10.0.0.1")
	bye.ttl = 0
	w.hear(here, &message{response: true, answers: []record{bye}})
	w.run(time.Minute)
	if got := w.ask(near, "kitchen.local.", dnsmessage.TypeA); len(got) != 1 {
		t.Errorf("got %d answers when the other program had ended", len(got))
	}
}

// TestOwnPackets is not disturbed by what comes back, by whatever way.
func TestOwnPackets(t *testing.T) {
	w := newWorld(t)
	for seen := 0; w.now.Sub(w.begin) < 10*time.Second; {
		w.run(50 * time.Millisecond)
		for ; seen < len(w.sent); seen++ {
			for _, from := range []netip.AddrPort{here, near} {
				w.handle(packet{2, from, w.sent[seen].raw}, w.now)
			}
		}
	}
	if w.host() != "kitchen.local." || w.links[2].phase != running {
		t.Errorf("got %s in phase %d", w.host(), w.links[2].phase)
	}
}

// TestTwoProbe lets the later in order go on, and the other wait: section 8.2.
func TestTwoProbe(t *testing.T) {
	for other, want := range map[string]string{"10.0.0.0": "750 1000", "10.0.0.200": "1550 1800"} {
		w := newWorld(t)
		w.run(550 * time.Millisecond)
		w.sent = nil
		theirs := address("kitchen.local.", other)
		theirs.unique = false
		w.hear(near, &message{questions: []question{{name: "kitchen.local.", kind: typeAny}}, proposed: []record{theirs}})
		w.run(1300 * time.Millisecond)
		var got []string
		for _, s := range w.sent {
			if !s.response {
				got = append(got, fmt.Sprint(s.at.Milliseconds()))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("against %s: probes at %v ms, want %s", other, got, want)
		}
	}
}

// TestDefends answers a probe for its name at once.
func TestDefends(t *testing.T) {
	w := settled(t)
	theirs := address("kitchen.local.", "10.0.0.2")
	w.hear(near, &message{questions: []question{{name: "kitchen.local.", kind: typeAny, unicast: true}}, proposed: []record{theirs}})
	if len(w.sent) != 1 || w.sent[0].summary() != "A 120" {
		t.Errorf("got %d packets", len(w.sent))
	}
}

// TestRescue tells again what somebody else's mistake ends.
func TestRescue(t *testing.T) {
	w := settled(t)
	end := w.records[0]
	end.ttl = 0
	w.hear(near, &message{response: true, answers: []record{end}})
	w.run(time.Second)
	if len(w.sent) != 1 || w.sent[0].answers[0].ttl != otherTTL {
		t.Errorf("got %d packets", len(w.sent))
	}
}

// TestGoodbye ends every record.
func TestGoodbye(t *testing.T) {
	w := settled(t)
	w.goodbye()
	if len(w.sent) != 1 || w.sent[0].summary() != "PTR 0, PTR 0, SRV 0, TXT 0, A 0" {
		t.Errorf("got %d packets, %s", len(w.sent), w.sent[0].summary())
	}
}

// TestInterfaces has networks come, change and go.
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

func ptrTo(r record) *record { return &r }

// TestFarAway drops what does not come from the network of the interface.
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

// TestTexts leaves out what does not fit.
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
