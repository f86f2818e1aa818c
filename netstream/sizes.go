package netstream

import (
	"slices"
	"time"
)

const (
	// MaxSizes is how many sizes are kept at a time.
	MaxSizes = 8
	// KeepFor is the time for which a size without requests is kept, so that tiles are also reused on a wall that changes every
	// five minutes.
	KeepFor = 10 * time.Minute
	// After a request, a size keeps its place for recentFrames frames or recentTime. If the least recently used size were
	// replaced at once, nine screens would remove each other's tiles with every frame. Screens of a fast wall do not request
	// every frame. Screens of a slow wall request each frame once.
	recentFrames = 2
	recentTime   = 5 * time.Second
)

// claimLocked returns the size for a request, which later calls yield. It is a kept size, or a new one that replaces the least
// recently requested ones. It returns nil if the size is too large, or if all others are in use.
func (s *Stream) claimLocked(w, h int) *size {
	now := s.now()
	z := s.findLocked(w, h)
	if z == nil {
		estimate := s.conf.codec.estimate(w, h)
		if !s.roomLocked(estimate, now) {
			return nil
		}
		z = newSize(w, h, estimate, now)
		s.sizes = append(s.sizes, z)
	}
	s.askLocked(z, now)
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

// askLocked records that a size was requested.
func (s *Stream) askLocked(z *size, now time.Time) { z.asked, z.askedSeq = now, s.cur.seq }

// recentLocked reports whether a size was requested since the last frames.
func (s *Stream) recentLocked(z *size, now time.Time) bool {
	return s.cur.seq-z.askedSeq <= recentFrames || now.Sub(z.asked) <= recentTime
}

// roomLocked drops sizes, the least recently used first, until n more bytes fit. It reports whether they fit. It keeps sizes that
// are in use or were requested recently.
func (s *Stream) roomLocked(bytes int, now time.Time) bool {
	if bytes > s.conf.budget {
		return false
	}
	for len(s.sizes) >= MaxSizes || s.bytesLocked()+bytes > s.conf.budget {
		i := s.idlestLocked()
		if i < 0 || s.recentLocked(s.sizes[i], now) {
			return false
		}
		s.dropLocked(i)
	}
	return true
}

// trimLocked drops sizes, the least recently requested first, while they exceed the budget. A size in use is kept.
func (s *Stream) trimLocked() {
	for s.bytesLocked() > s.conf.budget {
		i := s.idlestLocked()
		if i < 0 {
			return
		}
		s.dropLocked(i)
	}
}

// idlestLocked returns the index of the least recently requested size that is not in use, or -1 if all are in use.
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
	s.trimLocked()
}

// dropLocked removes a size. Requests that use it still get their answer.
func (s *Stream) dropLocked(i int) {
	z := s.sizes[i]
	s.sizes = slices.Delete(s.sizes, i, i+1)
	z.dropped = true
	s.abandonLocked(z)
}

// abandonLocked releases a dropped size's files after its last user.
func (s *Stream) abandonLocked(z *size) {
	if z.users > 0 {
		return
	}
	s.files.abandon(&z.spares)
	s.files.retire(z.file)
	z.deltas.drop(s.files)
	s.ofSizes.put(z.pixels, s.now())
	z.file, z.pixels = nil, nil
}

func (s *Stream) dropAllLocked() {
	for len(s.sizes) > 0 {
		s.dropLocked(len(s.sizes) - 1)
	}
}

// dropIdleLocked drops the sizes without recent requests.
func (s *Stream) dropIdleLocked(now time.Time) {
	s.ofSizes.release(now)
	s.ofStrips.release(now)
	for i := len(s.sizes) - 1; i >= 0; i-- {
		if z := s.sizes[i]; z.users == 0 && now.Sub(z.asked) > KeepFor {
			s.dropLocked(i)
		}
	}
}

// broken drops a size whose picture may be wrong.
func (s *Stream) broken(z *size) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.sizes, z); i >= 0 {
		s.dropLocked(i)
	}
}
