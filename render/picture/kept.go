package picture

import (
	"runtime"

	"dashboard/internal/budget"
)

// room returns the number of pixels for which the frames of all animations leave room, at most MaxShownPixels. It collects
// garbage first if that may free more.
func room(frames *budget.Ledger, pixels int64) int64 {
	if frames.Free() < 4*min(pixels, MaxShownPixels) {
		runtime.GC()
	}
	return max(1, min(MaxShownPixels, frames.Free()/4))
}

// hold counts a picture until it is collected. Beyond the bound animations lose frames and keep their length.
func hold(frames *budget.Ledger, p *Picture) {
	n := 4 * int64(len(p.Frames)) * pixels(p.Rect.Size())
	frames.Add(n)
	runtime.AddCleanup(p, frames.Add, -n)
}
