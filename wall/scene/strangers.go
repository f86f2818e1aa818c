package scene

import (
	"fmt"
	"net/netip"
	"os"

	"dashboard/internal/fetch"
)

// strangers contains the client for addresses in the values of providers. Other people choose these addresses. The key
// server.notify.allow limits these addresses, as it limits the addresses of pictures in notifications.
type strangers struct {
	client *fetch.Client // nil before the first use
	allow  string
	agent  string // User-Agent of requests
}

// fetcher returns a client that can reach only the given address ranges. If `allow` is nil, the client can reach public addresses and
// home networks. For the same ranges, fetcher returns the same client, because sources with the same client continue across a reload.
func (s *strangers) fetcher(allow []netip.Prefix) *fetch.Client {
	key := fmt.Sprintf("%t %v", allow == nil, allow)
	if s.client != nil && s.allow == key {
		return s.client
	}
	if s.client != nil {
		s.client.CloseIdle()
	}
	o := fetch.Environment(os.Getenv)
	o.UserAgent, o.Guard = s.agent, fetch.NewGuard(allow)
	s.client, s.allow = fetch.New(o), key
	return s.client
}

// stranger returns the client for addresses in values.
func (l *loading) stranger() *fetch.Client {
	if !l.sound {
		return l.strangers.fetcher(nil)
	}
	return l.strangers.fetcher(Allowed(l.Conf.Server.Notify))
}
