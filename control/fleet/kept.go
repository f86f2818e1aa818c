package fleet

import (
	"slices"

	"dashboard/control/wallkey"
)

// A Kept is a wall that is stored for the next start. Only a wall that a user added by its address, or that has a token or a key, is
// stored.
type Kept struct {
	URL   string `json:"url"`
	Name  string `json:"name,omitempty"`
	Added bool   `json:"added,omitempty"` // whether a user added it by its address
	Token string `json:"token,omitempty"` // control token; it is sent only to this address
	ID    string `json:"id,omitempty"`    // ID of the key
	Key   []byte `json:"key,omitempty"`   // key that signs the requests to the wall
}

// keySize is the size of a key, in bytes.
const keySize = 32

// usable() returns a copy of k without invalid parts. ok is false if nothing is left.
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

// A credential authorizes requests to a wall: with a signature if it has a signer, else with its token.
type credential struct {
	token  string
	signer *wallkey.Signer
}

// keptAt returns the index of the stored wall with the address u, or -1. mu must be held.
func (f *Fleet) keptAt(u string) int {
	return slices.IndexFunc(f.kept, func(k Kept) bool { return k.URL == u })
}

// change calls `set` with the stored entry of w and stores all entries for the next start. mu must be held.
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

// equip sets the credential of a wall: the key from the stored entry of the wall, and `token`, which comes from the configuration. If
// `token` is empty, equip uses the token from the stored entry. mu must be held.
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

// added() returns the stored walls that users added by their addresses. mu must be held.
func (f *Fleet) added() (all []Address) {
	for _, k := range f.kept {
		if k.Added {
			all = append(all, Address{Name: k.Name, URL: k.URL})
		}
	}
	return all
}

// follow updates the address of a paired wall after the network has assigned another address. It recognizes the wall by its name.
// Recognition by name is safe, because another host cannot use a signature without the key. mu must be held.
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

// Keep stores the control token of a wall, or removes it if `token` is "". The token is sent only to the current address of the wall.
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
