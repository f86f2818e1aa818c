package scene

import (
	"fmt"
	"net/netip"
	"os"

	"dashboard/internal/fetch"
)

// strangers contains the client for addresses in values, which other people choose. server.notify.allow limits these addresses, as it
// limits the pictures of notifications.
type strangers struct {
	client *fetch.Client // nil before the first use
	allow  string
	agent  string // User-Agent of requests
}

// fetcher returns a client that can reach only the given ranges of addresses. nil means public addresses and home networks. For the same
// ranges it returns the same client, because a reload then keeps the sources that use it.
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

// stranger returns the client for addresses in the values of this configuration.
func (l *loading) stranger() *fetch.Client {
	if !l.sound {
		return l.strangers.fetcher(nil)
	}
	return l.strangers.fetcher(Allowed(l.Conf.Server.Notify))
}
