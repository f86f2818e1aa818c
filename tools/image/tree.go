package main

import (
	"context"

	"dashboard/tools/simplefb"
)

// addScreen adds the screen to a Raspberry Pi 3's device tree, and takes away what QEMU's has not.
func addScreen(ctx context.Context, path string) error {
	const bytesPerPixel = 4
	edits := simplefb.Edits(path, screenSize, bytesPerPixel, "a8r8g8b8")
	edits = append(edits, []string{"-t", "s", path, "/soc/gpu", "status", "disabled"})
	for _, edit := range edits {
		if _, err := command(ctx, "fdtput", edit...); err != nil {
			return err
		}
	}
	return nil
}
