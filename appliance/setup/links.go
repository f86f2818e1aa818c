//go:build linux

package setup

import (
	"context"
	"net"
	"net/netip"
	"strings"
)

// links() returns the board's addresses by cable and by Wi-Fi. The board's own access point does not count. `plug` is true if a cable is
// plugged in.
func links() (cable, wifi netip.Addr, plug bool) {
	all, err := net.Interfaces()
	if err != nil {
		return cable, wifi, false
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 || i.Flags&net.FlagUp == 0 {
			continue
		}
		at := &cable
		if strings.HasPrefix(i.Name, "wl") {
			at = &wifi
		} else if i.Flags&net.FlagRunning != 0 {
			plug = true
		}
		if a := addressOf(i); a.IsValid() && !at.IsValid() {
			*at = a
		}
	}
	return cable, wifi, plug
}

// addressOf returns the first IPv4 address of an interface, except link-local addresses and the access point's address.
func addressOf(i net.Interface) netip.Addr {
	all, err := i.Addrs()
	if err != nil {
		return netip.Addr{}
	}
	for _, a := range all {
		p, err := netip.ParsePrefix(a.String())
		if err != nil {
			continue
		}
		if a := p.Addr(); a.Is4() && a.IsGlobalUnicast() && a != pointAddress {
			return a
		}
	}
	return netip.Addr{}
}

// timeServers is a name of Debian's time servers. Every board looks up this name anyway to set its clock.
const timeServers = "2.debian.pool.ntp.org"

// internet reports whether the network has internet access: whether the name timeServers can be looked up.
func internet(ctx context.Context) bool {
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", timeServers)
	return err == nil && len(all) > 0
}
