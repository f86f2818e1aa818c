package server

import "time"

// The bounds of the server. They are generous for a home and small for a board with 512 MB.
const (
	// maxHeaderBytes bounds a request's header: browsers send under 2 kB, and every connection may hold that much.
	maxHeaderBytes = 16 << 10
	// headerTime is how long a caller may take to send its header, which ends connections that say nothing.
	headerTime = 10 * time.Second
	// bodyTime is how long a caller may take to send its body of at most maxBody.
	bodyTime = 10 * time.Second
	// maxBody bounds the body of /notify and /theme: 4096 characters of text, escaped, take 48 kB at most.
	maxBody = 64 << 10
	// idleTime is how long a connection is kept for the next request: screens ask once a minute at least.
	idleTime = 90 * time.Second

	// writeGrace and minRate are what a caller must keep up with: each write may take writeGrace and a second for
	// every minRate bytes. That is the slowest mobile network; who is slower is cut off and connects again.
	writeGrace = 10 * time.Second
	minRate    = 16 << 10

	// maxConnections bounds all connections, streams included. A board's default limit of files is 1024 soft, which
	// Go raises to the hard one, seldom below 4096.
	maxConnections = 6000
	// maxStreams bounds /events and /stream.mjpg together, so that connections are left for /frame.
	maxStreams = 5000
	// maxMovies bounds /stream.mjpg, whose connections take twice the memory of a listener.
	maxMovies = 1000
	// maxListed bounds the displays that /healthz names one by one.
	maxListed = 64

	// reloadTime bounds the wait for a reload: a large wall takes seconds on a small board.
	reloadTime = 25 * time.Second

	// pingEvery is the silence after which /events sends a comment: service.md, Limits.
	pingEvery = 20 * time.Second
	// retryEvery is how often a subscriber without room is tried again: as often as one might refresh a screen.
	retryEvery = 50 * time.Millisecond
	// resendEvery is the silence after which /stream.mjpg repeats its frame: proxies give up after 30 to 60 s.
	resendEvery = 10 * time.Second

	// maxCallers bounds the callers that are told apart; the one longest silent is forgotten.
	maxCallers = 1024

	// endTime bounds the graceful end: what is still being answered then is cut.
	endTime = 700 * time.Millisecond
	// farewellTime is what a write gets of it.
	farewellTime = 200 * time.Millisecond

	// minRetry and maxRetry bound the pauses between attempts to listen on a busy port.
	minRetry = time.Second
	maxRetry = 30 * time.Second
	// nagEvery is how often a port that stays busy is logged.
	nagEvery = 10 * time.Minute
)
