package wall

import (
	"cmp"
	"context"
	"time"

	"dashboard/internal/mdns"
	"dashboard/wall/draft"
)

const (
	// homeService is the service type that Home Assistant announces (home-assistant.io/integrations/zeroconf).
	homeService = "_home-assistant._tcp"
	// seekTime is the time that the editor waits for answers. Devices answer within 120 ms (RFC 6762 section 6), and sleeping ones
	// later.
	seekTime = 3 * time.Second
)

// homes returns the Home Assistants that announce themselves in the network.
func (s *Service) homes(ctx context.Context) []draft.Home {
	found, err := mdns.Find(ctx, homeService, seekTime)
	if err != nil {
		s.log.Warn("cannot search the network for Home Assistant", "error", err)
	}
	return homesOf(found)
}

// homesOf returns the homes at addresses of the local network. It ignores announced URLs, because the owner's token is sent to the
// address.
func homesOf(found []mdns.Found) []draft.Home {
	var all []draft.Home
	for i := range found {
		f := &found[i]
		if ip := f.Addresses[0]; ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsLoopback() {
			plain := mdns.Found{Addresses: f.Addresses, Port: f.Port}
			all = append(all, draft.Home{Name: cmp.Or(f.Text["location_name"], f.Name), URL: plain.URL()})
		}
	}
	return all
}
