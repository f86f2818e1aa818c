package pairing

import (
	"net/netip"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

// An asker is the source of requests: an IPv4 address or an IPv6 network. It has its own rate limit.
type asker struct {
	network string
	rate    *rate.Limiter
	blocked time.Time // end of the block; zero if the network is not blocked
}

// networkOf returns an IPv4 address unchanged, and the 64-bit network of an IPv6 address. A machine may have many IPv6 addresses in such
// a network.
func networkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	p, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return p.String()
}

// asker returns the asker for an address and moves it to the end of the list. If the list is full, asker removes the oldest asker that is
// not blocked. If all askers are blocked, it removes the oldest of them.
func (g *Registry) asker(address string, now time.Time) *asker {
	network := networkOf(address)
	one := &asker{network: network, rate: rate.NewLimiter(rate.Every(ownEvery), ownBurst)}
	if i := slices.IndexFunc(g.own, func(a *asker) bool { return a.network == network }); i >= 0 {
		one = g.own[i]
		g.own = slices.Delete(g.own, i, i+1)
	} else if len(g.own) >= maxAddresses {
		free := slices.IndexFunc(g.own, func(a *asker) bool { return !now.Before(a.blocked) })
		g.own = slices.Delete(g.own, max(0, free), max(0, free)+1)
	}
	g.own = append(g.own, one)
	return one
}

// allow returns an error if requests from the address are blocked or are sent too often. It checks the limit of the address before the
// common limit, so that one address cannot use up the common limit.
func (g *Registry) allow(address string, now time.Time) error {
	one := g.asker(address, now)
	switch {
	case now.Before(one.blocked):
		return ErrBlocked
	case !one.rate.AllowN(now, 1) || !g.asks.AllowN(now, 1):
		return ErrBusy
	}
	return nil
}

// block rejects requests from an address for blockTime.
func (g *Registry) block(address string, now time.Time) {
	g.asker(address, now).blocked = now.Add(blockTime)
}

// Key returns the key of the wall with the given ID. ok is false if there is no such wall.
func (g *Registry) Key(id string) (key []byte, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.devices {
		if g.devices[i].ID == id {
			return g.devices[i].Key, len(g.devices[i].Key) > 0
		}
	}
	return nil, false
}

// Met records the time of a request from a device.
func (g *Registry) Met(id string, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.devices {
		if g.devices[i].ID == id {
			g.devices[i].Seen = now
		}
	}
}
