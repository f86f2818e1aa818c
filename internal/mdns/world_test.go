package mdns

import (
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Addresses and the interface of the tests: `here` is the address of this machine on eth, and `near` is the address of a neighbor.
var (
	here = netip.MustParseAddrPort("10.0.0.1:5353")
	near = netip.MustParseAddrPort("10.0.0.2:5353")
	eth  = Interface{2, "eth0", []netip.Prefix{netip.MustParsePrefix("10.0.0.1/24")}}
)

// sent describes a packet that the responder has sent.
type sent struct {
	at  time.Duration // time since the test began
	to  netip.AddrPort
	raw []byte
	*message
}

// A world is a responder with the clock of the test and all packets that the responder has sent.
type world struct {
	*responder
	*link // the only link
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

// run moves the clock forward and does the due work.
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

// settled() returns a world that has announced its names. The field `sent` is empty, so it does not contain the packets of this
// announcement.
func settled(t *testing.T, links ...Interface) *world {
	w := newWorld(t, links...)
	w.run(time.Minute)
	w.sent = nil
	return w
}

// hear passes a message to the responder.
func (w *world) hear(from netip.AddrPort, m *message) { w.handle(packet{2, from, m.pack(nil)}, w.now) }

// ask() asks for records of a name. It returns the packets that were sent within a second.
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

func ptrTo(r record) *record { return &r }
