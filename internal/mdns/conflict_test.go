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

// TestConflict checks what the wall does if another host uses the wall's name. If the wall has not claimed the name yet, it chooses
// another name. If it has already claimed the name, it probes the name again.
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

// TestHostileConflicts checks that a wall limits its probes if a host claims every name.
func TestHostileConflicts(t *testing.T) {
	w := newWorld(t)
	for range 6000 { // for a minute
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

// TestSameMachine checks that another program on this machine, such as avahi, keeps the host name. When the program ends, the wall claims
// the name.
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
	w.run(checkEvery) // the wall asks the other program, which answers in the next line
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

// TestOwnPackets checks that the wall ignores its own packets, no matter whose address they seem to have.
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

// TestTwoProbe checks two hosts that probe at the same time: the greater records win, and the other host waits (section 8.2).
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

// TestDefends checks that a probe for the wall's name is answered at once.
func TestDefends(t *testing.T) {
	w := settled(t)
	theirs := address("kitchen.local.", "10.0.0.2")
	w.hear(near, &message{questions: []question{{name: "kitchen.local.", kind: typeAny, unicast: true}}, proposed: []record{theirs}})
	if len(w.sent) != 1 || w.sent[0].summary() != "A 120" {
		t.Errorf("got %d packets", len(w.sent))
	}
}

// TestRescue checks that the wall repeats a valid record that another host has withdrawn by mistake.
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
