package address

import (
	"net/netip"
)

// Reachable converts the host at which a server listens to a host at which this machine can reach the server.
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
