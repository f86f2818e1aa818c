package address

import (
	"net/netip"
)

// Reachable converts the host of a listening address to a host for requests from this machine.
func Reachable(host string) string {
	if host == "" {
		return "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil || !ip.IsUnspecified():
		return host
	case ip.Is4():
		return "127.0.0.1"
	}
	return "::1"
}
