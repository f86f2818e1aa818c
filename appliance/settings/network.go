package settings

import (
	"fmt"
	"strings"
)

// Static returns the systemd.network(5) file for a static address, or nil for DHCP. The address is for Wi-Fi if there is a wireless
// network, and otherwise for the cable.
func (s Settings) Static() []byte {
	if !s.Address.IsValid() {
		return nil
	}
	match := "Type=ether\nKind=!*"
	if s.Supplicant() != nil {
		match = "Type=wlan\nWLANInterfaceType=station" // the type "station" excludes the set-up's own access point
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[Match]\n%s\n\n[Network]\nAddress=%s\nMulticastDNS=yes\n", match, s.Address)
	if s.Gateway.IsValid() {
		fmt.Fprintf(&b, "Gateway=%s\n", s.Gateway)
	}
	for _, a := range s.DNS {
		fmt.Fprintf(&b, "DNS=%s\n", a)
	}
	return []byte(b.String())
}

// Resolver returns the part of resolved.conf(5) that lists the name servers, or nil if there are none.
func (s Settings) Resolver() []byte {
	if len(s.DNS) == 0 {
		return nil
	}
	list := strings.Trim(fmt.Sprint(s.DNS), "[]")
	return []byte("[Resolve]\nDNS=" + list + "\n")
}

// TimeServers returns the part of timesyncd.conf(5) that lists the time servers, or nil if there are none.
func (s Settings) TimeServers() []byte {
	if len(s.NTP) == 0 {
		return nil
	}
	return []byte("[Time]\nNTP=" + strings.Join(s.NTP, " ") + "\n")
}

// Environment returns the drop-in that sets the proxy, or nil if there is none.
func (s Settings) Environment() []byte {
	if s.Proxy == "" {
		return nil
	}
	return fmt.Appendf(nil, "[Service]\nEnvironment=HTTP_PROXY=%s HTTPS_PROXY=%s NO_PROXY=localhost,127.0.0.0/8,::1,.local,.lan,.home.arpa\n", s.Proxy, s.Proxy)
}
