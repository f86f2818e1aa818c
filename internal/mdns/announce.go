package mdns

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"time"
)

// A Service is one type of service that a host has.
type Service struct {
	Type string   // such as _http._tcp
	Text []string // key=value. At most 255 bytes each, 800 together
}

// Options set the announced services.
type Options struct {
	Name     string                // of the services, for people. If it is taken, a number is added
	Host     string                // first part of the host's name. See [HostLabel]. A number is added where another machine has it
	Port     int                   // of the services
	Services []Service             // at most 8
	Allows   func(netip.Addr) bool // whether an address of this machine is announced (nil: all are)
	Named    func(host string)     // is called with the name that the host got, such as kitchen.local (may be nil)
	Log      *slog.Logger          // nil is silent
	Counts   *Counts               // where packets are counted (nil: they are not counted)
}

// Counts are packets of an announcement, since they began. They may be read by any goroutine.
type Counts struct {
	Received  atomic.Uint64 // from other hosts
	Malformed atomic.Uint64 // were none
	Sent      atomic.Uint64
	Conflicts atomic.Uint64 // names that another host had
}

// retryEvery is how often a port is tried again that another program keeps to itself.
const retryEvery = 30 * time.Second

// Announce announces services on every network of this machine, also on later ones, and answers questions about them,
// until ctx ends. Then it sends a goodbye. If another program does not share the port, it waits for it.
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

// between is a random time.
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

// look has the sockets listen on the interfaces that there are.
func (r *responder) look(s *sockets, now time.Time) {
	list, err := Interfaces()
	if err != nil {
		return // for example without memory, and tried again later
	}
	gone := r.update(list, now)
	for _, i := range gone {
		s.leave(i)
	}
	for _, l := range r.links {
		s.join(l.Interface)
	}
}
