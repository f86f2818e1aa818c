package fleet

import (
	"slices"

	"dashboard/control/wallkey"
)

// A Kept is a wall that is kept for the next start: it was added by its address, or has a token or a key.
type Kept struct {
	URL   string `json:"url"`
	Name  string `json:"name,omitempty"`
	Added bool   `json:"added,omitempty"` // by its address
	Token string `json:"token,omitempty"` // for control; it is sent to this address only
	ID    string `json:"id,omitempty"`    // of the key
	Key   []byte `json:"key,omitempty"`   // signs requests
}

// keySize is the size of a key, bytes.
const keySize = 32

// usable returns k without what is not valid, and false if nothing is left.
func (k Kept) usable() (Kept, bool) {
	u, ok := clean(k.URL)
	k.URL, k.Name = u, short(k.Name)
	if !goodKey(k.Token) {
		k.Token = ""
	}
	if !goodKey(k.ID) || len(k.Key) != keySize {
		k.ID, k.Key = "", nil
	}
	return k, ok && (k.Added || k.Token != "" || k.Key != nil)
}

// A credential is what a wall accepts: a token, or signatures.
type credential struct {
	token  string
	signer *wallkey.Signer
}

// keptAt returns the index of the kept wall at an address, or -1. mu is held.
func (f *Fleet) keptAt(u string) int {
	return slices.IndexFunc(f.kept, func(k Kept) bool { return k.URL == u })
}

// change changes the kept wall of w and keeps all of them for the next start. mu is held.
func (f *Fleet) change(w *Wall, set func(*Kept)) error {
	next := slices.Clone(f.kept)
	i := f.keptAt(w.URL)
	if i < 0 {
		if len(next) >= MaxKept {
			return ErrMany
		}
		i, next = len(next), append(next, Kept{URL: w.URL, Name: w.Name})
	}
	set(&next[i])
	if k, ok := next[i].usable(); ok {
		next[i] = k
	} else {
		next = slices.Delete(next, i, i+1)
	}
	f.kept = next
	w.credential, w.Locked = credential{}, false
	f.equip(w, "")
	f.stir()
	if f.parts.Save == nil {
		return nil
	}
	return f.parts.Save(next)
}

// equip gives a wall its credential: that of the files, or the kept one. mu is held.
func (f *Fleet) equip(w *Wall, token string) {
	if i := f.keptAt(w.URL); i >= 0 {
		k := &f.kept[i]
		w.Added = k.Added
		if k.Key != nil && w.signer == nil {
			w.signer = wallkey.NewSigner(k.ID, k.Key)
		}
		if token == "" {
			token = k.Token
		}
	} else {
		w.Added, w.signer = false, nil
	}
	w.token = token
	w.Paired = w.signer != nil
	w.Keyed = w.Paired || token != ""
}

// added are the kept walls that were added by their addresses. mu is held.
func (f *Fleet) added() (all []Address) {
	for _, k := range f.kept {
		if k.Added {
			all = append(all, Address{Name: k.Name, URL: k.URL})
		}
	}
	return all
}

// follow moves the key of a paired wall with it when the network gives the wall another address. The name finds it: a signature is
// of no use to a wall without the key. mu is held.
func (f *Fleet) follow() {
	for _, a := range f.found {
		u, ok := clean(a.URL)
		if !ok || f.keptAt(u) >= 0 {
			continue
		}
		for i := range f.kept {
			k := &f.kept[i]
			gone := !slices.ContainsFunc(f.found, func(b Address) bool { return b.id() == idOf(k.URL) })
			if k.Key != nil && !k.Added && k.Token == "" && k.Name == short(a.Name) && gone {
				delete(f.walls, idOf(k.URL))
				k.URL = u
				break
			}
		}
	}
}

// Keep keeps the control token of a wall; "" forgets it. It is sent to the address that the wall has now, and to no other.
func (f *Fleet) Keep(id, token string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.walls[id]
	switch {
	case w == nil:
		return ErrUnknown
	case token != "" && !goodKey(token):
		return ErrKey
	}
	return f.change(w, func(k *Kept) { k.Token = token })
}
