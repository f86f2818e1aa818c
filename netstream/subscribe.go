package netstream

// A Subscription receives announcements of frames. It holds at most one announcement. If a newer frame comes before the announcement is
// read, the newer announcement replaces it, and Stats.Lost increases. A Subscription needs no goroutine and about 200 bytes. Only one
// goroutine may use it.
type Subscription struct {
	s    *Stream
	c    chan struct{}
	seen uint64 // number of the frame that Next returned last. Stream.mu guards it
}

// Subscribe starts a subscription. If there is already a frame, the subscriber is notified of it.
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

// Watched reports whether the stream has subscribers.
func (s *Stream) Watched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.subs) > 0
}

// Wholes adds the argument, which may be negative, to the number of clients that fetch whole frames.
func (s *Stream) Wholes(more int) { s.wholes.Add(int32(more)) }

// HasWholes reports whether there are clients that fetch whole frames.
func (s *Stream) HasWholes() bool { return s.wholes.Load() > 0 }

// C returns a channel that receives a value if Next may return a new frame, or if IsDark or Light may have changed. The channel is closed
// when the stream is halted.
func (u *Subscription) C() <-chan struct{} { return u.c }

// Next returns the announcement of the newest frame. `ok` is false if there is no frame, or if Next has returned this frame before. Next
// does not wait.
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

// tellLocked notifies the subscribers of a new frame. It does not wait for them.
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
