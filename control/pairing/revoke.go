package pairing

import (
	"fmt"
	"slices"
	"time"
)

// UndoTime is the time in which Restore can give back a permission.
const UndoTime = 30 * time.Second

// A revoked is a device without permission that Restore can give back its permission.
type revoked struct {
	Device
	until time.Time
}

// Revoke removes the token of a device at once. For UndoTime, Restore gives it back. After a restart, it stays removed.
func (g *Registry) Revoke(id string, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	i := slices.IndexFunc(g.devices, func(d Device) bool { return d.ID == id })
	if i < 0 {
		return ErrUnknown
	}
	g.revoked = append(g.revoked, revoked{g.devices[i], now.Add(UndoTime)})
	if len(g.revoked) > MaxDevices {
		g.revoked = slices.Delete(g.revoked, 0, 1)
	}
	g.devices = slices.Delete(slices.Clone(g.devices), i, i+1)
	if err := g.keep(g.devices); err != nil {
		return fmt.Errorf("the device is removed until the next start only: %w", err)
	}
	return nil
}

// Restore gives a device back the token that Revoke has removed. Its name and the end of its permission are the same as before. Each
// confirmed request reserves a place in the list of devices.
func (g *Registry) Restore(id string, now time.Time) (Device, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	i := slices.IndexFunc(g.revoked, func(d revoked) bool { return d.ID == id })
	if i < 0 {
		return Device{}, ErrUnknown
	}
	places := MaxDevices - len(g.devices)
	for _, r := range g.waiting {
		if r.confirmed {
			places--
		}
	}
	if places < 1 {
		return Device{}, ErrFull
	}
	d := g.revoked[i].Device
	at := slices.IndexFunc(g.devices, func(other Device) bool { return other.Paired.After(d.Paired) })
	if at < 0 {
		at = len(g.devices)
	}
	next := slices.Insert(slices.Clone(g.devices), at, d)
	if err := g.keep(next); err != nil {
		return Device{}, fmt.Errorf("the device cannot be kept: %w", err)
	}
	g.devices, g.revoked = next, slices.Delete(g.revoked, i, i+1)
	return d, nil
}
