package mdns

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"time"
)

// A Service is one type of service that a host offers.
type Service struct {
	Type string   // such as _http._tcp
	Text []string // texts of the form key=value, with at most 255 bytes each and 800 bytes together
}

// Options describe the services that Announce announces.
type Options struct {
	Name     string                // name of the services, as people see it. If another host uses this name, a number is added
	Host     string                // first label of the host name, see [HostLabel]. If another host uses this name, a number is added
	Port     int                   // port of the services
	Services []Service             // at most 8 services
	Allows   func(netip.Addr) bool // reports whether an address of this machine may be announced, or nil for all addresses
	Named    func(host string)     // called with the claimed host name, such as kitchen.local, or nil
	Log      *slog.Logger          // nil for no log
	Counts   *Counts               // counters of packets, or nil
}

// Counts counts the packets since the start of an announcement. Any goroutine may read the counters.
type Counts struct {
	Received  atomic.Uint64 // messages from other hosts
	Malformed atomic.Uint64 // messages that could not be parsed
	Sent      atomic.Uint64
	Conflicts atomic.Uint64 // number of conflicts with hosts that use one of our names
}

// retryEvery is the time between two attempts to open the port. A second attempt is necessary if another program uses the port and does
// not share it.
const retryEvery = 30 * time.Second

// Announce announces services on every network of this machine, including networks that appear later. Until ctx ends, it answers questions
// about the services. Then it sends a goodbye. If another program uses the port and does not share it, Announce waits until the port is
// free.
func Announce(ctx context.Context, o Options) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	for told := false; ctx.Err() == nil; told = true {
		s, err := open(ctx)
		if err == nil {
			announce(ctx, s, newResponder(o, s.send, between))
			return
		}
		if !told {
			o.Log.Warn("cannot announce the wall in the local network; trying again", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryEvery):
		}
	}
}

// between() returns a random duration. It is at least `least` and less than `most`.
func between(least, most time.Duration) time.Duration { return least + rand.N(most-least) }

func announce(ctx context.Context, s *sockets, r *responder) {
	defer s.close()
	look, due := time.NewTicker(lookEvery), time.NewTimer(0)
	defer look.Stop()
	defer due.Stop()
	r.look(s, time.Now())
	for {
		if next := r.next(); next.IsZero() {
			due.Stop()
		} else {
			due.Reset(time.Until(next))
		}
		select {
		case <-ctx.Done():
			r.goodbye()
			return
		case now := <-look.C:
			r.look(s, now)
		case now := <-due.C:
			r.pass(now)
		case p := <-s.in:
			r.handle(p, time.Now())
		}
	}
}

// look() joins the multicast groups of all current interfaces, and leaves the groups of interfaces that were removed.
func (r *responder) look(s *sockets, now time.Time) {
	list, err := Interfaces()
	if err != nil {
		return // for example, because the memory is full. The next check tries again
	}
	gone := r.update(list, now)
	for _, i := range gone {
		s.leave(i)
	}
	for _, l := range r.links {
		s.join(l.Interface)
	}
}
