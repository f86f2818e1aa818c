//go:build initramfs

package text

// The start screen of a card uses Inter only. Liberation Sans would lengthen the card's first program by half a megabyte.
var boldPacked, regularPacked = interPacked, interPacked
