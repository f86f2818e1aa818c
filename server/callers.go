package server

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A Rate limits one caller: the number of requests per second, and the size of a burst. The zero value sets no limit.
type Rate struct{ PerSecond, Burst int }

// callers limits the rate of each caller. A caller is an IPv4 address, or an IPv6 network of 64 bits because one machine may have many
// addresses in it.
type callers struct {
	mu   sync.Mutex // guards the fields below
	rate Rate
	all  map[netip.Prefix]*caller
}

type caller struct {
	limit *rate.Limiter
	last  time.Time
}

func newCallers() *callers { return &callers{all: map[netip.Prefix]*caller{}} }

// configure sets the rate. If the rate has changed, it forgets the earlier requests of all callers.
func (c *callers) configure(r Rate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r != c.rate {
		c.rate = r
		clear(c.all)
	}
}

// allow reports whether the caller at an address may send a request now.
func (c *callers) allow(address string, now time.Time) bool {
	who := network(address)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rate == (Rate{}) {
		return true
	}
	one := c.all[who]
	if one == nil {
		c.makeRoom()
		one = &caller{limit: rate.NewLimiter(rate.Limit(c.rate.PerSecond), c.rate.Burst)}
		c.all[who] = one
	}
	one.last = now
	return one.limit.AllowN(now, 1)
}

// makeRoom removes the caller with the oldest request, if there are too many callers.
func (c *callers) makeRoom() {
	if len(c.all) < maxCallers {
		return
	}
	var oldest netip.Prefix
	var last time.Time
	for who, one := range c.all {
		if last.IsZero() || one.last.Before(last) {
			oldest, last = who, one.last
		}
	}
	delete(c.all, oldest)
}

// network returns the caller for an address of the form host:port. All texts that are not IP addresses count as one caller.
func network(address string) netip.Prefix {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return netip.Prefix{}
	}
	a := ap.Addr().Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // bits is in the allowed range
	return p
}
