//go:build initramfs

package text

// The start screen in the initramfs uses only Inter, also in place of Liberation Sans. Liberation Sans would enlarge the program by half a
// megabyte.
var boldPacked, regularPacked = interPacked, interPacked
