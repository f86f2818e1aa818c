package trmnl

import (
	"slices"
)

// invite computes the list of guests from the settings and the permissions. Guests are permitted devices that are not in the settings.
// invite also deletes the state of devices that are no longer known.
func (r *Readers) invite() {
	r.guests = nil
	for _, id := range r.kept.Allowed {
		if g := r.settings.Guest; g != nil && named(r.settings.Devices, id) == nil {
			d := *g
			d.Name = id
			r.guests = append(r.guests, d)
		}
	}
	for name := range r.status {
		if named(r.settings.Devices, name) == nil && named(r.guests, name) == nil {
			delete(r.status, name)
			r.pictures = slices.DeleteFunc(r.pictures, func(p Picture) bool { return p.device == name })
		}
	}
}

// Asking returns the addresses of the devices that wait for permission. If guests are not allowed, it returns nil.
func (r *Readers) Asking() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settings.Guest == nil {
		return nil
	}
	return slices.Clone(r.strangers)
}

// Allow permits a waiting device to show the wall. The permission is still valid after a restart.
func (r *Readers) Allow(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.Index(r.strangers, id)
	switch {
	case at < 0 || r.settings.Guest == nil:
		return ErrAsks
	case len(r.kept.Allowed)+len(r.settings.Devices) >= MaxDevices:
		return ErrFull
	}
	r.strangers = slices.Delete(r.strangers, at, at+1)
	r.kept.Allowed = append(r.kept.Allowed, id)
	return r.changed()
}

// Remove withdraws the permission of a device. If the device waits for permission, Remove removes it from the list of waiting devices.
func (r *Readers) Remove(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := func(other string) bool { return other == id }
	switch {
	case slices.Contains(r.strangers, id):
		r.strangers = slices.DeleteFunc(r.strangers, one)
		return nil
	case named(r.settings.Devices, id) != nil:
		return ErrListed
	case !slices.Contains(r.kept.Allowed, id):
		return ErrAsks
	}
	r.kept.Allowed = slices.DeleteFunc(r.kept.Allowed, one)
	return r.changed()
}

// changed() applies the permissions and stores them. If storing fails, the permissions are valid until the program ends.
func (r *Readers) changed() error {
	r.invite()
	if err := r.keep(r.kept); err != nil {
		r.parts.Log.Warn("cannot keep the allowed e-readers for the next start", "reason", err)
	}
	return nil
}
