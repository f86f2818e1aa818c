package qemu

import (
	"context"
	"fmt"
	"image"
)

// screenBase is where QEMU's Raspberry Pi keeps its framebuffer: 1 MiB into the 64 MiB at the end of its 1 GiB that belong to
// the graphics processor (hw/arm/bcm2835_peripherals.c).
const screenBase = 0x3c100000

// ScreenTree adds to a Raspberry Pi 3's device tree the screen that a real one's firmware names there, as a
// simple-framebuffer: size in px, format by its name in
// Documentation/devicetree/bindings/display/simple-framebuffer.yaml. The Bluetooth module is taken off the first serial
// port, which becomes the console, and the graphics processor that QEMU does not have is switched off.
func ScreenTree(ctx context.Context, path string, size image.Point, bytesPerPixel int, format string) error {
	stride := size.X * bytesPerPixel
	node := fmt.Sprintf("/chosen/framebuffer@%x", screenBase)
	for _, edit := range [][]string{
		{"-r", path, "/soc/serial@7e201000/bluetooth"},
		{"-t", "s", path, "/soc/gpu", "status", "disabled"},
		{"-t", "i", path, "/chosen", "#address-cells", "1"},
		{"-t", "i", path, "/chosen", "#size-cells", "1"},
		{"-t", "i", path, "/chosen", "ranges"},
		{"-c", path, node},
		{"-t", "s", path, node, "compatible", "simple-framebuffer"},
		{"-t", "x", path, node, "reg", fmt.Sprintf("%x", screenBase), fmt.Sprintf("%x", stride*size.Y)},
		{"-t", "i", path, node, "width", fmt.Sprint(size.X)},
		{"-t", "i", path, node, "height", fmt.Sprint(size.Y)},
		{"-t", "i", path, node, "stride", fmt.Sprint(stride)},
		{"-t", "s", path, node, "format", format},
	} {
		if _, err := Command(ctx, nil, "fdtput", edit...); err != nil {
			return err
		}
	}
	return nil
}
