package server

import "time"

// Limits of the server, generous for a home and small for a board with 512 MB.
const (
	// maxHeaderBytes limits a request's header. Browsers send under 2 kB, and every connection may hold that much.
	maxHeaderBytes = 16 << 10
	// headerTime limits the sending of a header, which ends silent connections.
	headerTime = 10 * time.Second
	// bodyTime limits the sending of a body of at most maxBody.
	bodyTime = 10 * time.Second
	// maxBody limits a body: 4096 escaped characters of text take at most 48 kB.
	maxBody = 64 << 10
	// idleTime is the lifetime of an idle connection. Screens send a request at least once a minute.
	idleTime = 90 * time.Second

	// writeGrace and minRate limit slow callers: each write may take writeGrace plus a second for every minRate bytes, the rate of
	// the slowest mobile network. Slower callers are disconnected and can reconnect.
	writeGrace = 10 * time.Second
	minRate    = 16 << 10

	// maxConnections limits all connections, including streams. Go raises a board's soft limit of 1024 files to the hard one,
	// usually at least 4096.
	maxConnections = 6000
	// maxStreams limits /events and /stream.mjpg together, so that connections remain for /frame.
	maxStreams = 5000
	// maxMovies limits /stream.mjpg, whose connections take twice the memory of a listener.
	maxMovies = 1000
	// maxListed limits the displays in /healthz.
	maxListed = 64

	// verbTime is the maximum time to wait for a verb, because a small board takes seconds to reload a large wall.
	verbTime = 25 * time.Second

	// pingEvery is the time without data after which /events sends a comment, see service.md, Limits.
	pingEvery = 20 * time.Second
	// retryEvery is the interval of write attempts for a subscriber without room, similar to a screen's refresh rate.
	retryEvery = 50 * time.Millisecond
	// resendEvery is the time without data after which /stream.mjpg repeats its frame, because proxies close connections after 30 to
	// 60 s.
	resendEvery = 10 * time.Second

	// maxCallers limits the known callers. The caller with the oldest request is dropped first.
	maxCallers = 1024

	// endTime is the maximum time of a graceful end. After it, open answers are cut.
	endTime = 700 * time.Millisecond
	// farewellTime is the part of endTime for a blocked write.
	farewellTime = 200 * time.Millisecond

	// minRetry and maxRetry bound the pauses between attempts to listen on a busy port.
	minRetry = time.Second
	maxRetry = 30 * time.Second
	// nagEvery is the interval of log lines about a busy port.
	nagEvery = 10 * time.Minute
)
