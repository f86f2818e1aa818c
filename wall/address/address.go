// Package address finds the addresses at which other machines can reach this machine.
package address

import (
	"net"
	"net/netip"
	"strings"

	"dashboard/internal/stable"
)

// An Interface is a network interface of this machine, for a cable or for Wi-Fi.
type Interface struct {
	Name  string
	Up    bool         // true if a cable is plugged in or a Wi-Fi network is connected
	Addrs []netip.Addr // addresses at which other hosts in the network can reach this machine, IPv4 first
}

// Wireless reports whether the interface is for Wi-Fi. The kernel and systemd give such interfaces names that begin with wl.
func (i Interface) Wireless() bool { return strings.HasPrefix(i.Name, "wl") }

// Interfaces lists the interfaces through which other machines may reach this machine. Interfaces with addresses come first.
func Interfaces() []Interface {
	all, err := net.Interfaces()
	if err != nil {
		return nil
	}
	var list []Interface
	for _, n := range all {
		if n.Flags&net.FlagLoopback != 0 || len(n.HardwareAddr) == 0 {
			continue // tunnels have no hardware address
		}
		addrs, _ := n.Addrs() // after an error, addrs is empty
		list = append(list, Interface{n.Name, n.Flags&net.FlagRunning != 0, usable(addrs)})
	}
	return order(list)
}

// usable() returns the addresses that a browser on another machine can open, IPv4 first.
func usable(addrs []net.Addr) (list []netip.Addr) {
	for _, a := range addrs {
		n, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		addr, ok := netip.AddrFromSlice(n.IP)
		if addr = addr.Unmap(); ok && !addr.IsLoopback() && !addr.IsLinkLocalUnicast() && !addr.IsMulticast() {
			list = append(list, addr)
		}
	}
	stable.Sort(list, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	return list
}

func order(list []Interface) []Interface {
	rank := func(i Interface) int {
		switch {
		case len(i.Addrs) > 0 && i.Addrs[0].Is4():
			return 0
		case len(i.Addrs) > 0:
			return 1
		case i.Up:
			return 2
		}
		return 3
	}
	stable.Sort(list, func(a, b Interface) int { return rank(a) - rank(b) })
	return list
}
