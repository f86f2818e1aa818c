package netstream

import (
	"slices"
	"time"
)

const (
	// MaxSizes is how many sizes are kept at a time.
	MaxSizes = 8
	// KeepFor is how long a size is kept that nobody asks for. A wall that changes once a minute, or every five,
	// still finds its tiles.
	KeepFor = 10 * time.Minute
)

// claimLocked gives the size to a request, which yields it later: the kept one, or a new one in the place of the
// ones longest unasked. It gives nil where no room can be made: the size is too large, or all others are busy.
func (s *Stream) claimLocked(w, h int) *size {
	now := s.now()
	z := s.findLocked(w, h)
	if z == nil {
		estimate := s.conf.codec.estimate(w, h)
		if !s.roomLocked(estimate) {
			return nil
		}
		z = newSize(w, h, estimate, now)
		s.sizes = append(s.sizes, z)
	}
	z.asked = now
	z.users++
	return z
}

func (s *Stream) findLocked(w, h int) *size {
	for _, z := range s.sizes {
		if z.w == w && z.h == h {
			return z
		}
	}
	return nil
}

// roomLocked drops sizes until one more of the given bytes fits, and tells whether it does.
func (s *Stream) roomLocked(bytes int) bool {
	if bytes > s.conf.budget {
		return false
	}
	s.trimLocked(bytes)
	return len(s.sizes) < MaxSizes && s.bytesLocked()+bytes <= s.conf.budget
}

// trimLocked drops sizes, the longest unasked first, while the others and so many bytes more are over the budget or,
// if a new one is to come, there are too many. A size in use stays.
func (s *Stream) trimLocked(bytes int) {
	most := MaxSizes
	if bytes > 0 {
		most--
	}
	for len(s.sizes) > most || s.bytesLocked()+bytes > s.conf.budget {
		i := s.idlestLocked()
		if i < 0 {
			return
		}
		s.dropLocked(i)
	}
}

// idlestLocked is the index of the size longest unasked among those not in use; -1: all are.
func (s *Stream) idlestLocked() int {
	at := -1
	for i, z := range s.sizes {
		if z.users == 0 && (at < 0 || z.asked.Before(s.sizes[at].asked)) {
			at = i
		}
	}
	return at
}

func (s *Stream) bytesLocked() (n int) {
	for _, z := range s.sizes {
		n += z.bytes
	}
	return n
}

// yield ends a request's use of a size.
func (s *Stream) yield(z *size) {
	s.mu.Lock()
	defer s.mu.Unlock()
	z.users--
	if z.dropped {
		s.abandonLocked(z)
		return
	}
	s.trimLocked(0)
}

// dropLocked takes a size off the table. Requests that use it still get their answer.
func (s *Stream) dropLocked(i int) {
	z := s.sizes[i]
	s.sizes = slices.Delete(s.sizes, i, i+1)
	z.dropped = true
	s.abandonLocked(z)
}

// abandonLocked lets go of a dropped size's files once nobody uses the size.
func (s *Stream) abandonLocked(z *size) {
	if z.users > 0 {
		return
	}
	s.files.abandon(&z.spares)
	s.files.retire(z.file)
	z.deltas.drop(s.files)
	z.file = nil
}

func (s *Stream) dropAllLocked() {
	for len(s.sizes) > 0 {
		s.dropLocked(len(s.sizes) - 1)
	}
}

// dropIdleLocked drops the sizes that nobody has asked for in a while.
func (s *Stream) dropIdleLocked(now time.Time) {
	for i := len(s.sizes) - 1; i >= 0; i-- {
		if z := s.sizes[i]; z.users == 0 && now.Sub(z.asked) > KeepFor {
			s.dropLocked(i)
		}
	}
}

// broken drops a size whose picture cannot be trusted any more.
func (s *Stream) broken(z *size) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.sizes, z); i >= 0 {
		s.dropLocked(i)
	}
}
