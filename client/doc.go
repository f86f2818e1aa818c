// Package client is a remote screen: it follows the frames of a dashboard elsewhere and says so when it has lost it.
//
// # States
//
//	Connected   /events is open, frames come in
//	Down        it is not, since less than stale_after; the newest frame stays as it is
//	Stale       it has been down for longer: a triangle in a corner, or the offline screen, says so
//	Rejected    the service does not take the token: as Stale, at once, and the next try is minutes away
//
// A client begins Down, with a black screen. Every way back leads through Connected.
//
// # Goroutines
//
// Client.Run has two. The network's fetches the newest frame, then follows /events and fetches again at each one; it
// owns the connection, the tag of the frame it has, and the buffers a frame is read into. The screen's puts the picture
// together and hands it to the display, the only one to wait for it. Between them stand the frame, the newest
// rectangles that changed, and the state of the link: small locks, never held while anybody waits for a network. While
// nothing lies over the frame there is no second picture, and the display draws from the frame itself: a slow screen then
// has the next frame wait until it is ready, and those in between are lost at the service, where they cost least.
//
// # What a frame costs
//
// From a service that has them, the client takes only tiles that changed (docs/protocol.md). Of whole frames it finds
// out what changed by comparing. Either way only that is painted, and only that is given to the display. Frames
// are compared and painted without allocating; the decoders of the standard library allocate as much as they decode.
//
// # Who is believed
//
// Nobody: an answer's length is bounded while it is read, a picture's size before it is decoded, every wait
// has an end. A frame that cannot be decoded is skipped and asked for again, and the one before stays.
package client
