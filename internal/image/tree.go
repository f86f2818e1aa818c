package main

import (
	"context"
	"fmt"
)

// screenBase is where QEMU's Raspberry Pi keeps its framebuffer: 1 MiB into the 64 MiB at the end of its
// 1 GiB that belong to the graphics processor (hw/arm/bcm2835_peripherals.c).
const screenBase = 0x3c100000

// addScreen adds to a Raspberry Pi 3's device tree what QEMU's has and its firmware would name: the screen.
// The Bluetooth module is taken off the first serial port, which becomes the console.
func addScreen(ctx context.Context, path string) error {
	const bytesPerPixel = 4
	stride := screenSize.X * bytesPerPixel
	node := fmt.Sprintf("/chosen/framebuffer@%x", screenBase)
	for _, edit := range [][]string{
		{"-r", path, "/soc/serial@7e201000/bluetooth"},
		{"-t", "i", path, "/chosen", "#address-cells", "1"},
		{"-t", "i", path, "/chosen", "#size-cells", "1"},
		{"-t", "i", path, "/chosen", "ranges"},
		{"-c", path, node},
		{"-t", "s", path, node, "compatible", "simple-framebuffer"},
		{"-t", "x", path, node, "reg", fmt.Sprintf("%x", screenBase), fmt.Sprintf("%x", stride*screenSize.Y)},
		{"-t", "i", path, node, "width", fmt.Sprint(screenSize.X)},
		{"-t", "i", path, node, "height", fmt.Sprint(screenSize.Y)},
		{"-t", "i", path, node, "stride", fmt.Sprint(stride)},
		{"-t", "s", path, node, "format", "a8r8g8b8"},
		// There is no such hardware behind these in QEMU.
		{"-t", "s", path, "/soc/gpu", "status", "disabled"},
	} {
		if _, err := command(ctx, "fdtput", edit...); err != nil {
			return err
		}
	}
	return nil
}
