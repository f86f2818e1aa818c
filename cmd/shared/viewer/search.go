package viewer

import (
	"context"
	"encoding/json"
	"os"

	"dashboard/client"
	"dashboard/internal/mdns"
)

// seek starts a search for a service. The search continues until stopSeeking is called.
func (v *viewer) seek(s *settings) {
	self, err := os.Hostname()
	if err != nil {
		self = "screen"
	}
	k := &seeker{
		name: s.name, self: self, version: v.opts.version, token: s.client.Token, store: v.store, key: v.opts.key(), log: v.log, search: mdns.Browse,
	}
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
	v.noteWall(at)
	return v.present(v.now.at(at))
}

// noteWall records the wall that the search has found. A rejected token belongs to the wall's present name.
func (v *viewer) noteWall(at sighting) {
	switch {
	case at.token != v.wall.token:
		v.revoked = nil // the screen has another token now
	case v.revoked != nil:
		v.revoked, _ = json.Marshal(at.pairing) // a struct of texts causes no error
	}
	v.wall = at
}

// noteRemoved deletes the stored token of this screen if the wall has rejected it. After the next start, the screen requests another token.
// If the wall accepts the token again, noteRemoved stores it again. For example, the wall may have started without its state folder.
func (v *viewer) noteRemoved() {
	if v.seeks == nil || v.client == nil {
		return
	}
	var keep []byte
	switch state := v.client.Stats().State; {
	case v.wall.paired && state == client.Rejected:
		if v.revoked == nil { // after the second rejection, only v.revoked has the pairing
			v.revoked, _ = v.store.Load(pairings, v.opts.key())
		}
		keep, v.wall.paired = []byte("{}"), false
	case v.revoked != nil && state == client.Connected:
		keep, v.revoked, v.wall.paired = v.revoked, nil, true
	default:
		return
	}
	if err := v.store.Save(pairings, v.opts.key(), keep); err != nil {
		v.log.Warn("the state of the pairing cannot be stored", "reason", err)
	}
}
