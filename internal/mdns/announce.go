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
	Name     string                // display name of the services. If it is taken, a number is added
	Host     string                // first label of the host name. See [HostLabel]. If another machine has the name, a number is added
	Port     int                   // port of the services
	Services []Service             // maximum 8 services
	Allows   func(netip.Addr) bool // reports whether an address of this machine is announced. nil announces all
	Named    func(host string)     // called with the host name that was claimed, such as kitchen.local (may be nil)
	Log      *slog.Logger          // nil is silent
	Counts   *Counts               // counters of packets (nil: packets are not counted)
}

// Counts counts the packets of an announcement since it began. Any goroutine may read them.
type Counts struct {
	Received  atomic.Uint64 // messages from other hosts
	Malformed atomic.Uint64 // were none
	Sent      atomic.Uint64
	Conflicts atomic.Uint64 // number of names that another host already had
}

// retryEvery is the time until the port is tried again, if another program does not share it.
const retryEvery = 30 * time.Second

// Announce announces services on every network of this machine, including networks that appear later. It answers questions about
// the services until ctx ends, and then sends a goodbye. If another program does not share the port, Announce waits until the port
// is free.
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

// between returns a random time in the range from least to most, excluding most.
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

// look makes the sockets listen on the present interfaces.
func (r *responder) look(s *sockets, now time.Time) {
	list, err := Interfaces()
	if err != nil {
		return // for example, memory is short. The next check tries again
	}
	gone := r.update(list, now)
	for _, i := range gone {
		s.leave(i)
	}
	for _, l := range r.links {
		s.join(l.Interface)
	}
}
