package netstream

// A Subscription receives news of frames. It has room for one frame. A newer frame replaces a frame that was not taken, which
// counts as a loss. It needs no goroutine and about 200 bytes. One goroutine uses it.
type Subscription struct {
	s    *Stream
	c    chan struct{}
	seen uint64 // the frame that Next returned last. Guarded by Stream.mu
}

// Subscribe starts a subscription. A frame that exists already counts as a new one.
func (s *Stream) Subscribe() *Subscription {
	u := &Subscription{s: s, c: make(chan struct{}, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subs[u] = struct{}{}
	if s.cur.seq > 0 {
		u.c <- struct{}{}
	}
	return u
}

// Watched reports whether there are subscribers.
func (s *Stream) Watched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.subs) > 0
}

// Wholes adds a number of clients that fetch whole frames. A negative number subtracts.
func (s *Stream) Wholes(more int) { s.wholes.Add(int32(more)) }

// HasWholes reports whether any client fetches whole frames.
func (s *Stream) HasWholes() bool { return s.wholes.Load() > 0 }

// C returns a channel that receives a value if Next has a new frame, or if IsDark or Light may have changed. It is closed when the
// stream is halted.
func (u *Subscription) C() <-chan struct{} { return u.c }

// Next returns the newest frame, and false if that frame was returned before. It does not wait.
func (u *Subscription) Next() (Published, bool) {
	u.s.mu.Lock()
	defer u.s.mu.Unlock()
	if u.seen == u.s.cur.seq {
		return Published{}, false
	}
	u.seen = u.s.cur.seq
	return u.s.currentLocked(), true
}

// Close ends the subscription. It may be called more than once.
func (u *Subscription) Close() {
	u.s.mu.Lock()
	defer u.s.mu.Unlock()
	delete(u.s.subs, u)
}

// tellLocked notifies the subscribers of a new frame. It does not wait.
func (s *Stream) tellLocked() {
	for u := range s.subs {
		select {
		case u.c <- struct{}{}:
		default:
			s.counts.lost++
		}
	}
}

func (s *Stream) endSubscriptionsLocked() {
	for u := range s.subs {
		close(u.c)
	}
	clear(s.subs)
}
