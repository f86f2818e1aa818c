package netstream

// A Subscription hears of frames. It has room for one: a newer frame replaces one that has not been taken.
type Subscription struct {
	s    *Stream
	c    chan struct{}
	seen Published
}

// Subscribe starts a subscription. A frame that exists already counts as news.
func (s *Stream) Subscribe() *Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := &Subscription{s: s, c: make(chan struct{}, 1)}
	s.subs[u] = struct{}{}
	if s.frame != nil {
		u.offer()
	}
	return u
}

// C receives a value when there is news, and is closed when the stream is halted.
func (u *Subscription) C() <-chan struct{} { return u.c }

// Next returns the newest frame, and false if it has been returned before.
func (u *Subscription) Next() (Published, bool) {
	p, ok := u.s.Current()
	if !ok || p == u.seen {
		return Published{}, false
	}
	u.seen = p
	return p, true
}

// Close ends the subscription. It may be called more than once.
func (u *Subscription) Close() {
	u.s.mu.Lock()
	defer u.s.mu.Unlock()
	delete(u.s.subs, u)
}

func (u *Subscription) offer() {
	select {
	case u.c <- struct{}{}:
	default:
	}
}
