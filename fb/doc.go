// Package fb shows frames on a Linux framebuffer, or on a connector of a graphics card, as a display.Drawer.
//
// # From a frame to the screen
//
// A frame is an opaque *image.RGBA of the size that Bounds reports. Each damaged rectangle of a frame is processed in
// four steps:
//
//  1. If the frame and the screen have different sizes, the rectangle is scaled (with Fullscreen) or centered.
//  2. It is rotated by a multiple of 90 degrees.
//  3. It is converted, one device row at a time, into the pixel format that the kernel reports.
//  4. It is copied into the device's memory. Each row is written once and never read back, because framebuffer memory
//     is often uncached.
//
// # Trust in the kernel
//
// The kernel's bitfields, line length, offsets and virtual size are used without change. The package does not set the
// mode of a framebuffer, because many drivers answer FBIOPUT_VSCREENINFO with success but change nothing.
//
// # Sixteen bits
//
// Formats with fewer than eight bits in a channel are dithered with an ordered 8x8 pattern. The pattern is fixed to the
// screen, so a partial redraw leaves no visible edge. A color that the format can show exactly is never dithered.
//
// # The parts
//
// A Device is the resource of the operating system. OpenDevice opens a real device, OpenVirtual opens a file that is used
// like a framebuffer, and package fbtest has a device in memory. A Display is a Drawer on an open Device. A Keeper opens
// a Display and keeps it open. If the device is removed and appears again, the Keeper opens a new Display. A Console
// prevents the kernel from writing text on the screen while a Display is in use.
//
// The byte order is little endian, as on every machine this package is built for.
package fb
