// Package netstream turns frames into what a network serves: published pictures of any size, their changed tiles, and
// the events that announce them. It knows nothing of HTTP routing.
//
// # A frame's way
//
// A Stream is a display: DrawFrame compares the damage with what it holds, copies what differs, hashes the rows that
// changed, and so publishes a frame with a tag, or finds that nothing happened. Nothing is scaled or encoded then.
//
// Get answers a request for the current frame at one size. The first to ask for a size and frame has the damage since
// the size's last frame scaled into the size's own picture, and the tiles under it encoded; everybody else gets the
// same bytes. A size that is the frame's is encoded from the frame itself. At most eight sizes are kept, in a budget of bytes; what does not fit it is encoded in strips as
// it is sent, one such answer at a time.
//
// # Locks
//
// In the order they are taken:
//
//	Stream.draw   one drawer at a time; the debounce
//	size.turn     one encode at a time of each size; the size's picture, encoder, files and history
//	Stream.pix    the frame's pixels: written by publish, read while a size is scaled, and while the frame's own is encoded
//	Stream.mu     everything small: the newest tag, the table of sizes, pending damage, subscriptions, counters
//	files.mu      who holds which file
//
// # Memory
//
// A steady frame allocates nothing: a size has its picture (but for the frame's own size), its encoder and two files that take turns. A client that
// reads slowly holds one file, whatever becomes of its size. All such old files together may weigh a quarter of the
// budget, or be one; beyond that the oldest is revoked, which ends the answers that hold it.
package netstream
