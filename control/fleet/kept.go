package fleet

import (
	"slices"

	"dashboard/control/wallkey"
)

// A Kept is a wall that is stored for the next start, because it was added by its address, or because it has a token or a key.
type Kept struct {
	URL   string `json:"url"`
	Name  string `json:"name,omitempty"`
	Added bool   `json:"added,omitempty"` // true if it was added by its address
	Token string `json:"token,omitempty"` // control token, which is only sent to this address
	ID    string `json:"id,omitempty"`    // id of the key
	Key   []byte `json:"key,omitempty"`   // key that signs requests
}

// keySize is the size of a key, in bytes.
const keySize = 32

// usable returns k without invalid parts, and false if nothing is left.
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

// A credential authorizes requests to a wall, with a token or with signatures.
type credential struct {
	token  string
	signer *wallkey.Signer
}

// keptAt returns the index of the stored wall with an address, or -1. mu must be held.
func (f *Fleet) keptAt(u string) int {
	return slices.IndexFunc(f.kept, func(k Kept) bool { return k.URL == u })
}

// change changes the stored entry of w and stores all entries for the next start. mu must be held.
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

// equip sets the credential of a wall: from the files, or from the stored entry. mu must be held.
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

// added returns the stored walls that were added by their addresses. mu must be held.
func (f *Fleet) added() (all []Address) {
	for _, k := range f.kept {
		if k.Added {
			all = append(all, Address{Name: k.Name, URL: k.URL})
		}
	}
	return all
}

// follow updates the address of a paired wall when the network assigns another one. The wall is identified by its name. This is
// safe, because a signature is useless to a wall without the key. mu must be held.
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

// Keep stores the control token of a wall. "" removes it. The token is only sent to the current address of the wall.
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
