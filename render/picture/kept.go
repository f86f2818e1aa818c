package picture

import (
	"runtime"
	"runtime/debug"
	"sync"
)

const (
	// maxKept bounds what all animations of the process hold together, in bytes: one of the largest. Beyond it they
	// lose frames and keep their length.
	maxKept = 32 << 20
	// keptShare is the part of Go's memory limit, one in that many, that bounds the frames if it is less.
	keptShare = 12
)

// A shelf counts the frames of animations in use.
type shelf struct {
	mu   sync.Mutex
	used int64
}

// kept is the shelf of the process.
var kept = &shelf{}

// room returns for how many pixels there is room, at most MaxShownPixels. It collects garbage first if that would free
// more.
func (s *shelf) room(pixels int64) int64 {
	if s.free() < 4*min(pixels, MaxShownPixels) {
		runtime.GC()
	}
	return max(1, min(MaxShownPixels, s.free()/4))
}

func (s *shelf) free() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return min(maxKept, debug.SetMemoryLimit(-1)/keptShare) - s.used
}

// hold counts a picture until it is collected.
func (s *shelf) hold(p *Picture) {
	n := 4 * int64(len(p.Frames)) * pixels(p.Rect.Size())
	s.add(n)
	runtime.AddCleanup(p, s.add, -n)
}

func (s *shelf) add(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used += n
}
