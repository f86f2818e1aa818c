package main

import (
	"context"
	"fmt"
	"image"
	"os"

	"dashboard/fb"
)

// screenBase is where QEMU's Raspberry Pi keeps its framebuffer: 1 MiB into the 64 MiB at the end of its
// 1 GiB that belong to the graphics processor (hw/arm/bcm2835_peripherals.c).
const screenBase = 0x3c100000

// treeFormats are the names of formats in a device tree
// (Documentation/devicetree/bindings/display/simple-framebuffer.yaml).
var treeFormats = map[fb.Format]string{
	fb.RGB565: "r5g6b5", fb.ARGB8888: "a8r8g8b8", fb.ABGR8888: "a8b8g8r8",
}

// screenTree copies a Raspberry Pi 3's device tree and adds what its firmware would have: the screen, as a
// simple-framebuffer. The Bluetooth module is taken off the first serial port, which becomes the console.
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
	stride := size.X * format.BytesPerPixel()
	node := fmt.Sprintf("/chosen/framebuffer@%x", screenBase)
	for _, edit := range [][]string{
		{"-r", to, "/soc/serial@7e201000/bluetooth"},
		{"-t", "i", to, "/chosen", "#address-cells", "1"},
		{"-t", "i", to, "/chosen", "#size-cells", "1"},
		{"-t", "i", to, "/chosen", "ranges"},
		{"-c", to, node},
		{"-t", "s", to, node, "compatible", "simple-framebuffer"},
		{"-t", "x", to, node, "reg", fmt.Sprintf("%x", screenBase), fmt.Sprintf("%x", stride*size.Y)},
		{"-t", "i", to, node, "width", fmt.Sprint(size.X)},
		{"-t", "i", to, node, "height", fmt.Sprint(size.Y)},
		{"-t", "i", to, node, "stride", fmt.Sprint(stride)},
		{"-t", "s", to, node, "format", name},
	} {
		if _, err := command(context.Background(), nil, "fdtput", edit...); err != nil {
			return err
		}
	}
	return nil
}
