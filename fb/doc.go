// Package fb shows frames on a Linux framebuffer, as a display.Drawer.
//
// # From a frame to the screen
//
// A frame is an opaque *image.RGBA of the size that Bounds reports. On its way to the screen a damaged rectangle of it
// is
//
//  1. scaled, if the frame has another size than the screen and Fullscreen is
//     set (otherwise it is centered),
//  2. rotated by a multiple of 90 degrees, 3. converted, one device row at a time, into the pixel format the kernel
//     reports, and
//  4. copied into the device's memory. Each row is written once and never read
//     back: framebuffer memory is often uncached.
//
// # Trust in the kernel
//
// The kernel's bitfields, line length, offsets and virtual size are used without change. The package assumes nothing
// and sets no mode, because drivers answer FBIOPUT_VSCREENINFO with success and change nothing.
//
// # Sixteen bits
//
// Formats with fewer than eight bits in a channel are dithered with an ordered 8x8 pattern that is fixed to the screen,
// so a partial redraw meets its surroundings without a seam. A color that the format can show exactly is never
// dithered.
//
// # The parts
//
// A Device is the operating-system resource: OpenDevice opens a real one, OpenVirtual a file in its place, and fbtest
// has one in memory. A Display is a Drawer on an open Device. A Keeper opens a Display, keeps it open and opens it
// again when it is removed. A Console keeps the kernel's text off the screen while a Display is in use.
//
// The byte order is little endian, as on every machine this package is built for.
package fb
