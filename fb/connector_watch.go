package fb

import (
	"context"
	"errors"
)

// A listener receives the kernel's messages about screens. drm.Listener implements it.
type listener interface {
	Watch(ctx context.Context, changed func(property bool)) error
	Close() error
}

// listen implements source.
func (s *connectorSource) listen() {
	l, err := s.cards.hear()
	if err != nil {
		s.deaf(err)
		return
	}
	s.listener = l
}

// watch implements source.
func (s *connectorSource) watch(ctx context.Context, look func()) {
	s.look.Store(&look)
	if s.listener != nil {
		err := s.listener.Watch(ctx, func(property bool) {
			if !property {
				s.plugs.Add(1)
			}
			s.events.Add(1)
			look()
		})
		if err != nil {
			s.deaf(err)
			s.events.Add(1) // the last messages may be lost
			look()
		}
	}
	<-ctx.Done()
}

// deaf() records that the system sends no messages about screens, and logs the reason `err`. It logs nothing on a system without mode
// setting, which never has such messages.
func (s *connectorSource) deaf(err error) {
	s.blind.Store(true)
	if s.want.Log != nil && !errors.Is(err, errors.ErrUnsupported) {
		s.want.Log.Info("screens are checked every 30 s, because the system does not report plugs", "reason", err)
	}
}
