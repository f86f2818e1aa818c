package qemu

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strconv"

	"dashboard/tools/command"
)

// screenBase is the address of the framebuffer in QEMU's Raspberry Pi. The graphics processor owns the last 64 MiB of the 1 GiB of memory.
// The framebuffer begins 1 MiB after the start of this part (hw/arm/bcm2835_peripherals.c).
const screenBase = 0x3c100000

// ScreenTree adds a screen to the device tree of a Raspberry Pi, as the firmware of a real board does. The screen is a simple-framebuffer
// of `size` px. `format` is a name from Documentation/devicetree/bindings/display/simple-framebuffer.yaml. Each row in memory is `pad` px
// longer than a row of the screen. ScreenTree also makes the first serial port the console, instead of connecting it to the Bluetooth
// module. It switches off devices that QEMU does not have, such as the graphics processor.
func (p Pi) ScreenTree(ctx context.Context, path string, size image.Point, pad, bytesPerPixel int, format string) error {
	stride := (size.X + pad) * bytesPerPixel
	node := fmt.Sprintf("/chosen/framebuffer@%x", screenBase)
	var edits [][]string
	for _, lacking := range p.lacks {
		edits = append(edits, []string{"-t", "s", path, lacking, "status", "disabled"})
	}
	if len(p.drop) > 0 {
		edits = append(edits, append([]string{"-d", path}, p.drop...))
	}
	for _, edit := range append(edits, [][]string{
		{"-r", path, "/soc/serial@7e201000/bluetooth"},
		{"-t", "i", path, "/chosen", "#address-cells", strconv.Itoa(p.cells)},
		{"-t", "i", path, "/chosen", "#size-cells", "1"},
		{"-t", "i", path, "/chosen", "ranges"},
		{"-c", path, node},
		{"-t", "s", path, node, "compatible", "simple-framebuffer"},
		append(append([]string{"-t", "x", path, node, "reg"}, slices.Repeat([]string{"0"}, p.cells-1)...),
			fmt.Sprintf("%x", screenBase), fmt.Sprintf("%x", stride*size.Y)),
		{"-t", "i", path, node, "width", fmt.Sprint(size.X)},
		{"-t", "i", path, node, "height", fmt.Sprint(size.Y)},
		{"-t", "i", path, node, "stride", fmt.Sprint(stride)},
		{"-t", "s", path, node, "format", format},
	}...) {
		if _, err := command.Run(ctx, nil, "fdtput", edit...); err != nil {
			return err
		}
	}
	return nil
}
