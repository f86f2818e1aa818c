//go:build linux

package setup

import (
	"context"
	"net"
	"net/netip"
	"strings"
)

// homeOf returns the address of the set-up's page in the joined network, or "" without a network. An IPv6 address is too long to type and
// for the QR code, so the board's name takes its place.
func homeOf(host string, addresses ...netip.Addr) (home string) {
	for _, a := range addresses {
		switch {
		case a.Is4():
			return a.String()
		case a.IsValid():
			home = host + ".local"
		}
	}
	return home
}

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

// addressOf returns the address of an interface.
func addressOf(i net.Interface) netip.Addr {
	all, err := i.Addrs()
	if err != nil {
		return netip.Addr{}
	}
	return addressIn(all)
}

// addressIn returns the first IPv4 address of a list. A network may have IPv6 only, so the first IPv6 address follows. Link-local addresses
// and the access point's address do not count.
func addressIn(all []net.Addr) (six netip.Addr) {
	for _, one := range all {
		p, err := netip.ParsePrefix(one.String())
		a := p.Addr()
		switch {
		case err != nil || !a.IsGlobalUnicast() || a == pointAddress:
		case a.Is4():
			return a
		case !six.IsValid():
			six = a
		}
	}
	return six
}

// timeServers is a name of Debian's time servers. Every board looks up this name anyway to set its clock.
const timeServers = "2.debian.pool.ntp.org"

// internet reports whether the network has internet access: whether the name timeServers can be looked up.
func internet(ctx context.Context) bool {
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", timeServers)
	return err == nil && len(all) > 0
}
