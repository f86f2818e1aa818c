package viewer

import (
	"context"
	"os"

	"dashboard/client"
)

// seek starts a search for a service. The search continues until stopSeeking is called.
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
		case <-v.found: // remove an older result that was not received
		default:
		}
		select {
		case v.found <- at:
		case <-ctx.Done():
		}
	}
	v.search.Go(func() { k.run(ctx) })
}

// stopSeeking ends the search, if one is running.
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

// sighted() shows a result of the search, unless the search was stopped.
func (v *viewer) sighted(at sighting) error {
	if v.seeks == nil {
		return nil
	}
	v.noteRemoved() // check the token now, because present() replaces the client that knows the wall's answer
	v.wall = at
	return v.present(v.now.at(at))
}

// noteRemoved deletes the stored token of this screen if the wall has rejected it. After the next
// start, the screen requests another token.
func (v *viewer) noteRemoved() {
	if v.seeks == nil || !v.wall.paired || v.client == nil || v.client.Stats().State != client.Rejected {
		return
	}
	v.wall.paired = false
	if err := v.store.Save(pairings, v.opts.key(), []byte("{}")); err != nil {
		v.log.Warn("the revoked token cannot be deleted", "reason", err)
	}
}
