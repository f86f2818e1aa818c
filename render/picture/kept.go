package picture

import (
	"runtime"

	"dashboard/internal/budget"
)

// room returns the number of pixels, at most MaxShownPixels, for which the frames of all animations leave room. If there is too
// little room, it first collects garbage.
func room(frames *budget.Ledger, pixels int64) int64 {
	if frames.Free() < 4*min(pixels, MaxShownPixels) {
		runtime.GC()
	}
	return max(1, min(MaxShownPixels, frames.Free()/4))
}

// hold counts a picture until the garbage collector frees it. If the bound is exceeded, animations lose frames but keep their
// length.
func hold(frames *budget.Ledger, p *Picture) {
	n := 4 * int64(len(p.Frames)) * pixels(p.Rect.Size())
	frames.Add(n)
	runtime.AddCleanup(p, frames.Add, -n)
}
