package wall

import (
	"cmp"
	"context"
	"time"

	"dashboard/internal/mdns"
	"dashboard/wall/draft"
)

const (
	// homeService is the service that Home Assistant announces (home-assistant.io/integrations/zeroconf).
	homeService = "_home-assistant._tcp"
	// seekTime is how long the editor waits for answers: devices answer within 120 ms (RFC 6762 section 6), and asleep ones later.
	seekTime = 3 * time.Second
)

// homes returns the Home Assistants that announce themselves.
func (s *Service) homes(ctx context.Context) []draft.Home {
	found, err := mdns.Find(ctx, homeService, seekTime)
	if err != nil {
		s.log.Warn("cannot search the network for Home Assistant", "error", err)
	}
	return homesOf(found)
}

// homesOf returns the homes at addresses of the local network. Announced addresses are ignored, because the owner's token follows them.
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
