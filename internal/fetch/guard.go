package fetch

import (
	"fmt"
	"net/netip"
	"slices"

	"code.dny.dev/ssrf"
)

// A Guard decides which addresses a client may connect to. It checks the IP address of each connection, after the name was resolved.
// Therefore neither a name whose address changes nor a redirect can bypass the guard.
type Guard struct {
	only []netip.Prefix // allowed ranges, or nil for all public and home networks
	rule *ssrf.Guardian
}

// home4 and home6 contain the private ranges of home networks (RFC 1918, RFC 4193).
var home4 = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"),
}

var home6 = []netip.Prefix{netip.MustParsePrefix("fc00::/7")}

// `metadata` lists the addresses at which cloud providers serve the credentials of a machine. Link-local addresses such as 169.254.169.254
// are not listed, because they are always refused.
var metadata = []netip.Addr{
	netip.MustParseAddr("fd00:ec2::254"),   // Amazon
	netip.MustParseAddr("fd20:ce::254"),    // Google
	netip.MustParseAddr("fd00:42::42"),     // Scaleway
	netip.MustParseAddr("100.100.100.200"), // Alibaba
	netip.MustParseAddr("168.63.129.16"),   // Azure
	netip.MustParseAddr("192.0.0.192"),     // Oracle
}

// NewGuard returns a guard that allows exactly the given ranges. An empty list allows nothing. A nil list allows public and home
// addresses, and refuses loopback, link-local, multicast, reserved and metadata addresses.
func NewGuard(allow []netip.Prefix) *Guard {
	g := &Guard{rule: ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(home4...), ssrf.WithAllowedV6Prefixes(home6...))}
	if allow != nil {
		g.only = []netip.Prefix{} // an empty list allows no address
	}
	for _, p := range allow {
		g.only = append(g.only, plain(p))
	}
	return g
}

// publicGuard returns a guard that allows only public addresses. Unlike the guard of NewGuard(nil), it refuses the addresses of home
// networks.
func publicGuard() *Guard { return &Guard{rule: ssrf.New(ssrf.WithAnyPort())} }

// plain() converts an IPv4 range that is written as IPv6 (::ffff:10.0.0.0/104) to an IPv4 range.
func plain(p netip.Prefix) netip.Prefix {
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked()
}

// Check reports whether a connection to an address with a port is allowed. `network` is "tcp4" or "tcp6". If the connection is allowed,
// Check returns nil. Otherwise the error wraps [ErrRefused]. The parameters are the first two parameters of net.Dialer.Control.
func (g *Guard) Check(network, address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: network %s", ErrRefused, network)
	}
	return g.CheckAddr(to.Addr())
}

// CheckAddr is like Check for an address without a port.
func (g *Guard) CheckAddr(a netip.Addr) error {
	a = a.Unmap().WithZone("")
	if g.only != nil {
		if slices.ContainsFunc(g.only, func(p netip.Prefix) bool { return p.Contains(a) }) {
			return nil
		}
		return fmt.Errorf("%w: %s is in no allowed range", ErrRefused, a)
	}
	if slices.Contains(metadata, a) {
		return fmt.Errorf("%w: %s is a metadata service", ErrRefused, a)
	}
	if err := g.rule.SafeAddr(a); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}
