package server

import "time"

// Limits of the server. They are generous for a home, and small enough for a board with 512 MB.
const (
	// maxHeaderBytes is the maximum size of a request's header. Browsers send less than 2 kB, and every connection may need this memory.
	maxHeaderBytes = 16 << 10
	// headerTime is the time limit for sending a header. It ends connections that send nothing.
	headerTime = 10 * time.Second
	// bodyTime is the time limit for sending a body of maxBody bytes.
	bodyTime = 10 * time.Second
	// maxBody is the maximum size of a body in bytes. A text of 4096 escaped characters takes at most 48 kB.
	maxBody = 64 << 10
	// idleTime is the time after which an idle connection is closed. Screens send a request at least once a minute.
	idleTime = 90 * time.Second

	// writeGrace and minRate limit slow callers. A write may take writeGrace, plus a second for every minRate bytes. minRate is the rate
	// of the slowest mobile network. A slower caller is disconnected and can connect again.
	writeGrace = 10 * time.Second
	minRate    = 16 << 10

	// maxConnections is the maximum number of connections, including streams. Go raises the soft limit of 1024 files to the hard limit,
	// which is usually at least 4096.
	maxConnections = 6000
	// maxStreams is the maximum number of connections of /events and /stream.mjpg together. The other connections are free for /frame.
	maxStreams = 5000
	// maxMovies is the maximum number of connections of /stream.mjpg. Such a connection needs twice as much memory as a listener of
	// /events.
	maxMovies = 1000
	// maxListed is the maximum number of displays that /healthz lists.
	maxListed = 64

	// verbTime is the time limit for a verb. A small board needs seconds to reload a large wall.
	verbTime = 25 * time.Second

	// pingEvery is the time without data after which /events sends a comment. docs/protocol.md describes it.
	pingEvery = 20 * time.Second
	// retryEvery is the time between two attempts to write to a subscriber whose socket is full. It
	// is similar to the refresh interval of a screen.
	retryEvery = 50 * time.Millisecond
	// resendEvery is the time without data after which /stream.mjpg sends its frame again, because proxies close silent connections after
	// 30 to 60 s.
	resendEvery = 10 * time.Second

	// maxCallers is the maximum number of callers whose rate is known. The caller with the oldest request is removed first.
	maxCallers = 1024

	// endTime is the time limit for a graceful end. After this time, answers that are still open are cut.
	endTime = 700 * time.Millisecond
	// farewellTime is the time that a blocked write gets at the end. It is a part of endTime.
	farewellTime = 200 * time.Millisecond

	// minRetry and maxRetry limit the pause between two attempts to listen on a busy port.
	minRetry = time.Second
	maxRetry = 30 * time.Second
	// nagEvery is the time between two log lines about a busy port.
	nagEvery = 10 * time.Minute
)
