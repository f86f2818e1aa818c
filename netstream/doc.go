// Package netstream turns frames into responses: published pictures of any size, their changed tiles, and the events
// that announce them. It does not contain HTTP routing.
//
// # From a frame to a response
//
// A Stream receives frames like a display. DrawFrame compares the damage with its copy of the frame, copies the differences and hashes
// the changed rows. If a pixel changed, it publishes a frame with a tag. It does not scale or encode.
//
// Get answers a request for the current frame at one size. The first request for a frame at a size scales the damage since the size's
// previous frame into the size's picture. It then encodes the tiles that the damage touches. All other requests for this frame and size
// get the same bytes. If the size equals the frame's size, the frame itself is encoded. At most eight sizes are kept, within a budget of
// bytes. A picture whose size cannot be kept is encoded in strips, one such response at a time. A picture that exceeds the whole budget
// is encoded while it is sent.
//
// # Locks
//
// A goroutine acquires the locks in this order:
//
//	Stream.draw   one drawer at a time, and the debounce
//	size.turn     one encode at a time of each size, with the size's picture, encoder, files and history
//	Stream.pix    the frame's pixels: written by publish, read while a size is scaled or the frame itself is encoded
//	Stream.mu     everything small: the newest tag, the table of sizes, pending damage, subscriptions, counters
//	files.mu      the holders of each file
//
// # Memory
//
// In steady operation, a new frame allocates nothing. A size has its picture (except for the frame's own size), its encoder, and two
// files that are used alternately. A file that its size no longer serves is old. It stays in memory as long as a slow client reads it,
// even after the size was removed. All old files together may take a quarter of the budget. A single old file may be larger. Beyond that
// limit the oldest file is revoked, which ends the responses that hold it.
package netstream
