package drm

import (
	"context"

	"dashboard/fb/kernel"
)

// Watch calls changed whenever a screen or card appears, disappears or changes, until ctx is done.
// It calls changed at once, and again 0.3 s later, because some changes take effect late. property
// is true if only a property has changed. In this case no screen was connected or removed. Watch
// returns an error if the kernel sends no messages, as in some containers.
func Watch(ctx context.Context, changed func(property bool)) error {
	property := true
	heard := func(m kernel.Message) bool {
		if len(m) == 0 { // the kernel has dropped messages
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
