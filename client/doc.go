// Package client is a remote screen. It shows the frames of another machine's dashboard, and shows when the connection is lost.
//
// # States
//
//	Connected   /events is open
//	Down        /events has been closed for less than stale_after. The newest frame stays
//	Stale       down for longer: a triangle in a corner, or the offline screen
//	Rejected    the service rejects the token: like Stale, but at once. The next attempt follows after minutes
//
// A client begins Down, with a black screen. Every recovery passes through Connected.
//
// # Goroutines
//
// Client.Run has two goroutines. The network goroutine fetches the newest frame, follows /events, and fetches again at each event. It
// owns the connection, the tag of the newest frame, and the read buffers. The screen goroutine composes the picture and passes it to the
// display. It is the only goroutine that waits for the display. Both goroutines share the frame, the changed rectangles, and the state of
// the connection. Small locks guard this shared data. They are never held during network access. If there is no overlay, the display
// draws directly from the frame, so no second picture is needed. A slow display then delays the next frame, and the service skips the
// frames in between. This is the cheapest place to skip frames.
//
// # Cost of a frame
//
// If the service supports tiles, the client fetches only the changed tiles (docs/protocol.md). If it gets a whole frame, it compares the
// frame with the previous frame to find changes. Only changes are painted and given to the display. Comparing and painting allocate no
// memory. Only the standard library's decoders allocate.
//
// # Trust
//
// The service is not trusted: the length of an answer is limited while it is read, the size of a picture is checked before it is decoded,
// and every wait has an end. A frame that cannot be decoded is skipped and fetched again, and the last frame stays.
package client
