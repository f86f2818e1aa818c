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
	// seekTime is the time for which the editor waits for answers. Devices answer within 120 ms (RFC 6762 section 6), but a sleeping device
	// needs longer.
	seekTime = 3 * time.Second
)

// homes() returns the Home Assistants that announce themselves in the network.
func (s *Service) homes(ctx context.Context) []draft.Home {
	found, err := mdns.Find(ctx, homeService, seekTime)
	if err != nil {
		s.log.Warn("cannot search the network for Home Assistant", "error", err)
	}
	return homesOf(found)
}

// homesOf returns the Home Assistants at addresses of the local network. It does not use the URLs that they announce, because the owner's
// token will be sent to the returned address.
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
