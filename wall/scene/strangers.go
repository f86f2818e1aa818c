package scene

import (
	"fmt"
	"net/netip"
	"os"

	"dashboard/internal/fetch"
)

// strangers holds the client for addresses that come from data. It obeys server.notify.allow, as pictures of notifications do.
type strangers struct {
	client *fetch.Client // nil before the first use
	allow  string
	agent  string // the User-Agent
}

// fetcher returns the client for ranges of addresses. nil means public addresses and home networks. It returns the same client for
// the same ranges, so that a reload keeps the sources that use it.
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

// stranger returns the client for addresses that come from this configuration's data.
func (l *loading) stranger() *fetch.Client {
	if !l.sound {
		return l.strangers.fetcher(nil)
	}
	return l.strangers.fetcher(Allowed(l.Conf.Server.Notify))
}
