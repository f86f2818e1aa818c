package drm

import (
	"context"

	"dashboard/internal/kernel"
)

// Watch calls changed whenever a screen or a card came, went or changed, until ctx is done: once for all that happens within
// 0.3 s, so long after the first of it. Property says that only a property changed, no plug. It fails where the kernel's
// messages cannot be had, as in some containers.
func Watch(ctx context.Context, changed func(property bool)) error {
	property := true
	heard := func(m kernel.Message) bool {
		if len(m) == 0 { // some were lost
			property = false
			return true
		}
		e, ok := parseEvent(m)
		property = property && (!ok || e.property != 0)
		return ok
	}
	return kernel.Watch(ctx, heard, func() {
		was := property
		property = true
		changed(was)
	})
}
