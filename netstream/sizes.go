package netstream

import (
	"slices"
	"time"
)

const (
	// MaxSizes is the maximum number of sizes that are kept.
	MaxSizes = 8
	// KeepFor is how long a size is kept after its last request. If a wall changes every five minutes, its sizes are still kept at the
	// next change.
	KeepFor = 10 * time.Minute
	// A size cannot be replaced until recentFrames frames and recentTime have passed since its last request. Without this protection,
	// nine screens of different sizes would remove each other's tiles at every frame. recentTime is for screens that do not request every
	// frame of a fast wall. recentFrames is for screens of a slow wall, which request each frame once.
	recentFrames = 2
	recentTime   = 5 * time.Second
)

// claimLocked returns the size for a request: a kept size or a new size. To make room for a new size, it may remove the sizes whose last
// request is longest ago. The caller must call yield() later. claimLocked returns nil if the size is too large, or if the sizes that may
// be removed do not free enough room.
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

// askLocked records a request for the size.
func (s *Stream) askLocked(z *size, now time.Time) { z.asked, z.askedSeq = now, s.cur.seq }

// recentLocked reports whether the last request for a size was so recent that the size must not be replaced.
func (s *Stream) recentLocked(z *size, now time.Time) bool {
	return s.cur.seq-z.askedSeq <= recentFrames || now.Sub(z.asked) <= recentTime
}

// roomLocked removes sizes until there is room for a size with the given bytes. It begins with the size whose last request is longest ago.
// It does not remove sizes that are in use or had a recent request. It reports whether there is room.
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

// trimLocked removes sizes until all sizes together fit in the budget. It begins with the size whose last request is longest ago. It does
// not remove a size that is in use.
func (s *Stream) trimLocked() {
	for s.bytesLocked() > s.conf.budget {
		i := s.idlestLocked()
		if i < 0 {
			return
		}
		s.dropLocked(i)
	}
}

// idlestLocked returns the index of the size whose last request is longest ago, among the sizes that are not in use. It returns -1 if there
// is no such size.
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

// yield ends the use of a size by a request. The budget is checked again, because the size may have grown.
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

// dropLocked removes size i from the table. Requests that use it are still answered.
func (s *Stream) dropLocked(i int) {
	z := s.sizes[i]
	s.sizes = slices.Delete(s.sizes, i, i+1)
	z.dropped = true
	s.abandonLocked(z)
}

// abandonLocked releases the files and the picture of a removed size, unless a request still uses the size.
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

// dropIdleLocked removes the sizes that had no request for KeepFor. It also frees unused memory of pictures.
func (s *Stream) dropIdleLocked(now time.Time) {
	s.ofSizes.release(now)
	s.ofStrips.release(now)
	for i := len(s.sizes) - 1; i >= 0; i-- {
		if z := s.sizes[i]; z.users == 0 && now.Sub(z.asked) > KeepFor {
			s.dropLocked(i)
		}
	}
}

// broken() removes a size whose picture may be wrong.
func (s *Stream) broken(z *size) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.sizes, z); i >= 0 {
		s.dropLocked(i)
	}
}
