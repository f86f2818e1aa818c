//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"strconv"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/follow"
)

const (
	firstDescriptor = 3               // of a socket that systemd has opened (sd_listen_fds(3))
	askTime         = 5 * time.Second // for a request, and for its turn
	maxAsks         = 4               // requests at a time
)

// errWrites is the answer to a request during an installation.
var errWrites = errors.New("an update is being written: wait until it is done")

// listen takes requests at the unit's socket until ctx ends.
func listen(ctx context.Context, asks chan<- follow.Ask) {
	if n, err := strconv.Atoi(os.Getenv("LISTEN_FDS")); err != nil || n != 1 {
		return // started by hand
	}
	l, err := net.FileListener(os.NewFile(firstDescriptor, "ask"))
	if err != nil {
		say("requests: %v", err)
		return
	}
	serveAsks(ctx, l, asks)
}

// serveAsks answers the requests of a listener.
func serveAsks(ctx context.Context, l net.Listener, asks chan<- follow.Ask) {
	defer context.AfterFunc(ctx, func() { l.Close() })()
	free := make(chan struct{}, maxAsks)
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		free <- struct{}{}
		go func() {
			answerAsk(ctx, conn, asks)
			<-free
		}()
	}
}

// answerAsk answers one request.
func answerAsk(ctx context.Context, conn net.Conn, asks chan<- follow.Ask) {
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_ = conn.SetDeadline(time.Now().Add(2 * askTime)) // it fails for a closed connection only
	line, err := bufio.NewReaderSize(conn, about.MaxAsk).ReadSlice('\n')
	var a about.Ask
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	if err == nil {
		err = pass(ctx, a, asks)
	}
	var answer about.Answer
	if err != nil {
		answer.Error = err.Error()
	}
	_ = json.NewEncoder(conn).Encode(answer) // a caller that has gone misses nothing
}

// pass hands a request to the follower and returns its answer.
func pass(ctx context.Context, a about.Ask, asks chan<- follow.Ask) error {
	answer := make(chan error, 1)
	select {
	case asks <- follow.Ask{Ask: a, Answer: answer}:
	case <-ctx.Done():
		return errWrites
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return errWrites
	}
}
