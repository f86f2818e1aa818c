package viewer

import (
	"context"
	"os"

	"dashboard/client"
)

// seek looks for a service until stopSeeking.
func (v *viewer) seek(s *settings) {
	self, err := os.Hostname()
	if err != nil {
		self = "screen"
	}
	k := &seeker{name: s.name, self: self, version: v.opts.version, token: s.client.Token, store: v.store, key: v.opts.key(), log: v.log}
	var ctx context.Context
	ctx, v.seeks = context.WithCancel(context.Background())
	k.tell = func(at sighting) {
		select {
		case <-v.found: // the newest counts
		default:
		}
		select {
		case v.found <- at:
		case <-ctx.Done():
		}
	}
	v.search.Go(func() { k.run(ctx) })
}

// stopSeeking ends a search, if there is one.
func (v *viewer) stopSeeking() {
	if v.seeks == nil {
		return
	}
	v.seeks()
	v.search.Wait()
	v.seeks = nil
	select {
	case <-v.found:
	default:
	}
}

// sighted shows what a search came to.
func (v *viewer) sighted(at sighting) error {
	if v.seeks == nil {
		return nil
	}
	v.wall = at
	return v.present(v.now.at(at))
}

// noteRemoved forgets this screen's token when the wall refuses it: the next start asks for another.
func (v *viewer) noteRemoved() {
	if v.seeks == nil || !v.wall.paired || v.client == nil || v.client.Stats().State != client.Rejected {
		return
	}
	v.wall.paired = false
	if err := v.store.Save(pairings, v.opts.key(), []byte("{}")); err != nil {
		v.log.Warn("the token that was taken away is still kept", "reason", err)
	}
}
