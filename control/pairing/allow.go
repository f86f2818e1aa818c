package pairing

import "time"

// Asking returns the requests that have not ended: those that wait for a decision, and the confirmed requests whose token has not been
// collected.
func (g *Registry) Asking(now time.Time) []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	var all []Request
	for _, r := range g.waiting {
		if !r.refused {
			all = append(all, *r)
		}
	}
	return all
}

// Confirmed reports whether a user has confirmed the request.
func (r Request) Confirmed() bool { return r.confirmed }

// Allow confirms a request by its ID, without its code. If the request is confirmed already, Allow changes nothing. Each confirmed request
// reserves a place in the list of devices.
func (g *Registry) Allow(id string, now time.Time) (Request, error) {
	return g.AllowUntil(id, time.Time{}, now)
}

// ended reports whether the device is a guest whose permission has ended.
func (d Device) ended(now time.Time) bool { return !d.Ends.IsZero() && !now.Before(d.Ends) }

// AllowUntil is like Allow for a guest, whose permission ends at the given time. If `ends` is zero, the permission has no end.
func (g *Registry) AllowUntil(id string, ends, now time.Time) (Request, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	places := MaxDevices - len(g.devices)
	var found *Request
	for _, r := range g.waiting {
		if r.confirmed {
			places--
		}
		if r.ID == id && !r.refused {
			found = r
		}
	}
	switch {
	case found == nil:
		return Request{}, ErrUnknown
	case found.confirmed:
		return *found, nil
	case places < 1:
		return Request{}, ErrFull
	}
	found.confirmed, found.Until, found.ends = true, now.Add(WaitTime), ends
	return *found, nil
}

// Refuse refuses a request by its ID, also after its confirmation. For a while, its address cannot send another request. If the request
// has ended or its token was collected, Refuse returns ErrUnknown.
func (g *Registry) Refuse(id string, now time.Time) (Request, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire(now)
	for _, r := range g.waiting {
		if r.ID == id && !r.refused {
			r.refused, r.confirmed = true, false
			g.block(r.Address, now)
			return *r, nil
		}
	}
	return Request{}, ErrUnknown
}
