package picture

import (
	"runtime"

	"dashboard/internal/budget"
)

// room returns how many pixels the frames of a new animation may have, at most MaxShownPixels. All animations share a budget for their
// frames. If little of this budget is free, room first runs the garbage collector.
func room(frames *budget.Ledger, pixels int64) int64 {
	if frames.Free() < 4*min(pixels, MaxShownPixels) {
		runtime.GC()
	}
	return max(1, min(MaxShownPixels, frames.Free()/4))
}

// hold adds the frames of p to the budget until the garbage collector frees p. When the budget is
// used up, later animations get fewer frames, but keep their duration.
func hold(frames *budget.Ledger, p *Picture) {
	n := 4 * int64(len(p.Frames)) * pixels(p.Rect.Size())
	frames.Add(n)
	runtime.AddCleanup(p, frames.Add, -n)
}
