package scene

import (
	"net/netip"
	"strings"

	"dashboard/config"
	"dashboard/control/bridge"
	"dashboard/widgets/kit"
)

// sourcesOf returns the servers (ntfy and Gotify) whose messages are shown over a wall.
func sourcesOf(over *kit.Notices) (all []bridge.Source) {
	if over == nil {
		return nil
	}
	if s := over.Ntfy; s != nil {
		all = append(all, bridge.Source{Kind: bridge.Ntfy, URL: s.URL, Topics: strings.Join(s.Topics, ","), Token: s.Token})
	}
	if s := over.Gotify; s != nil {
		all = append(all, bridge.Source{Kind: bridge.Gotify, URL: s.URL, Token: s.Token})
	}
	return all
}

// Allowed returns the address ranges to which the wall may send requests for notifications. nil
// means public addresses and addresses of the local network.
func Allowed(c config.ServerNotify) (allow []netip.Prefix) {
	if c.Allow != nil {
		allow = make([]netip.Prefix, 0, len(c.Allow))
	}
	for _, a := range c.Allow {
		allow = append(allow, a.Prefix)
	}
	return allow
}
