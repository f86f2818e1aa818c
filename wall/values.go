package wall

import (
	"dashboard/provider/push"
	"dashboard/server"
)

// Values implements server.Values.
func (s *Service) Values(name string) ([]server.Value, bool) {
	return s.builder.Values(s.main().Shown.Load().Gen, name)
}

// Put implements server.Values.
func (s *Service) Put(name string, body []byte) error {
	p, ok := s.builder.Providers.Find(name)
	if !ok {
		return server.ErrNoProvider
	}
	taker, ok := p.(*push.Provider)
	if !ok {
		return server.ErrNotPushed
	}
	return taker.Put(body)
}
