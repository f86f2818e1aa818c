// Package simplefb gives QEMU's Raspberry Pi 3 the screen that a real one's firmware names in the device tree.
package simplefb

import (
	"fmt"
	"image"
)

// Base is where QEMU's Raspberry Pi keeps its framebuffer: 1 MiB into the 64 MiB at the end of its 1 GiB that belong to
// the graphics processor (hw/arm/bcm2835_peripherals.c).
const Base = 0x3c100000

// Edits are the arguments of fdtput(1), one call each, that add a screen to the device tree at path: size in px, and the
// format by its name there (Documentation/devicetree/bindings/display/simple-framebuffer.yaml). The Bluetooth module is
// taken off the first serial port, which becomes the console.
func Edits(path string, size image.Point, bytesPerPixel int, format string) [][]string {
	stride := size.X * bytesPerPixel
	node := fmt.Sprintf("/chosen/framebuffer@%x", Base)
	return [][]string{
		{"-r", path, "/soc/serial@7e201000/bluetooth"},
		{"-t", "i", path, "/chosen", "#address-cells", "1"},
		{"-t", "i", path, "/chosen", "#size-cells", "1"},
		{"-t", "i", path, "/chosen", "ranges"},
		{"-c", path, node},
		{"-t", "s", path, node, "compatible", "simple-framebuffer"},
		{"-t", "x", path, node, "reg", fmt.Sprintf("%x", Base), fmt.Sprintf("%x", stride*size.Y)},
		{"-t", "i", path, node, "width", fmt.Sprint(size.X)},
		{"-t", "i", path, node, "height", fmt.Sprint(size.Y)},
		{"-t", "i", path, node, "stride", fmt.Sprint(stride)},
		{"-t", "s", path, node, "format", format},
	}
}
