package main

import (
	"context"
	"fmt"
	"image"
	"os"

	"dashboard/fb"
	"dashboard/tools/simplefb"
)

// treeFormats are the names of formats in a device tree
// (Documentation/devicetree/bindings/display/simple-framebuffer.yaml).
var treeFormats = map[fb.Format]string{
	fb.RGB565: "r5g6b5", fb.ARGB8888: "a8r8g8b8", fb.ABGR8888: "a8b8g8r8",
}

// screenTree copies a Raspberry Pi 3's device tree and adds what its firmware would have: the screen, as a
// simple-framebuffer.
func screenTree(from, to string, size image.Point, format fb.Format) error {
	tree, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, tree, 0o644); err != nil {
		return err
	}
	name, ok := treeFormats[format]
	if !ok {
		return fmt.Errorf("no simple-framebuffer has format %v", format)
	}
	for _, edit := range simplefb.Edits(to, size, format.BytesPerPixel(), name) {
		if _, err := command(context.Background(), nil, "fdtput", edit...); err != nil {
			return err
		}
	}
	return nil
}
