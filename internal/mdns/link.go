package mdns

import (
	"cmp"
	"net"
	"net/netip"
	"slices"

	"dashboard/internal/stable"
)

// An Interface is a network interface of this machine.
type Interface struct {
	Index    int
	Name     string
	Prefixes []netip.Prefix // addresses of the interface, each with the length of its network prefix
}

// Interfaces returns the interfaces of this machine that are up, support multicast and have an address. It leaves out loopback and
// point-to-point interfaces.
func Interfaces() ([]Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	const wanted, unwanted = net.FlagUp | net.FlagMulticast, net.FlagLoopback | net.FlagPointToPoint
	var list []Interface
	for _, i := range all {
		if i.Flags&wanted != wanted || i.Flags&unwanted != 0 || len(list) == maxLinks {
			continue
		}
		if at, err := i.Addrs(); err == nil { // after an error the interface is skipped, because it may have been removed
			if one := (Interface{i.Index, i.Name, prefixes(at)}); len(one.Prefixes) > 0 {
				list = append(list, one)
			}
		}
	}
	return list, nil
}

func prefixes(all []net.Addr) []netip.Prefix {
	var list []netip.Prefix
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok {
			if addr, ok := netip.AddrFromSlice(n.IP); ok && len(list) < 4*maxAddresses {
				ones, bits := n.Mask.Size()
				addr = addr.Unmap()
				list = append(list, netip.PrefixFrom(addr, ones-(bits-addr.BitLen())))
			}
		}
	}
	stable.Sort(list, func(a, b netip.Prefix) int {
		return cmp.Or(a.Addr().BitLen()-b.Addr().BitLen(), a.Addr().Compare(b.Addr()), a.Bits()-b.Bits())
	})
	return list
}

// reaches() reports whether an address is in the interface's own network. Hosts outside of this network get no answer (RFC 6762 section
// 11).
func (i *Interface) reaches(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsLinkLocalUnicast() || slices.ContainsFunc(i.Prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// has() reports whether the interface has the given address.
func (i *Interface) has(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(i.Prefixes, func(p netip.Prefix) bool { return p.Addr() == a })
}

func (i *Interface) equal(b *Interface) bool {
	return i.Index == b.Index && i.Name == b.Name && slices.Equal(i.Prefixes, b.Prefixes)
}

// speaks() reports whether the interface has an IPv4 address if `four` is true, or an IPv6 address if `four` is false.
func (i *Interface) speaks(four bool) bool {
	return slices.ContainsFunc(i.Prefixes, func(p netip.Prefix) bool { return p.Addr().Is4() == four })
}
