//go:build linux

package appliance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/follow"
)

const (
	firstDescriptor = 3 // first descriptor of a socket that systemd has opened (sd_listen_fds(3))
	// askTime is the time limit for each of three steps: receiving the files, the work of the follower (package follow), and sending the
	// answer. Receiving the line of a request may take twice as long.
	askTime = 5 * time.Second
	maxAsks = 4 // maximum number of requests at a time
)

// errWrites is the answer to a request during an installation.
var errWrites = errors.New("an update is being written: wait until it is done")

// listen accepts requests at the unit's socket until ctx ends.
func (k *keeper) listen(ctx context.Context, asks chan<- follow.Ask) {
	if n, err := strconv.Atoi(os.Getenv("LISTEN_FDS")); err != nil || n != 1 {
		return // the program was started by hand, without a socket
	}
	l, err := net.FileListener(os.NewFile(firstDescriptor, "ask"))
	if err != nil {
		say("requests: %v", err)
		return
	}
	serveAsks(ctx, l, asks, writes{k.save, func() error { return tell(about.CodesFile, sinceStart().String()) }})
}

// The type writes has the functions for requests that the keeper handles itself. The functions work even while the follower, which
// handles all other requests, installs an update.
type writes struct {
	save  func([]about.CardFile) error // writes files to the card
	codes func() error                 // asks the set-up program to show or hide the codes of the access point
}

// serveAsks answers the requests at a listener. Requests that w does not handle go to the follower.
func serveAsks(ctx context.Context, l net.Listener, asks chan<- follow.Ask, w writes) {
	defer context.AfterFunc(ctx, func() { l.Close() })()
	free, saving := make(chan struct{}, maxAsks), make(chan struct{}, 1)
	for {
		conn, err := l.Accept()
		if err != nil {
			saving <- struct{}{} // wait until no files are being written, because the process may end when serveAsks returns
			return
		}
		free <- struct{}{}
		go func() {
			defer func() { <-free }()
			defer conn.Close()
			r, a, err := readAsk(conn)
			switch {
			case err != nil:
			case a.Do == about.DoSave:
				saving <- struct{}{} // one request at a time, to limit the memory
				err = takeFiles(conn, r, a.Value, w.save)
				<-saving
			case a.Do == about.DoCodes:
				err = w.codes()
			default:
				err = pass(ctx, a, asks)
			}
			answerAsk(conn, err)
		}()
	}
}

// readAsk reads the line of a request. The returned reader continues with the bytes after this line.
func readAsk(conn net.Conn) (r *bufio.Reader, a about.Ask, err error) {
	_ = conn.SetDeadline(time.Now().Add(2 * askTime)) // the call fails only if the connection is closed
	r = bufio.NewReaderSize(conn, about.MaxAsk)
	line, err := r.ReadSlice('\n')
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	return r, a, err
}

// takeFiles reads the files of a request and calls `save` with them.
func takeFiles(conn net.Conn, r io.Reader, size string, save func([]about.CardFile) error) error {
	n, err := strconv.Atoi(size)
	if err != nil || n < 0 || n > about.MaxSave {
		return about.ErrLarge
	}
	// The list of files has a time limit, so that a program that stops sending does not block other programs.
	_ = conn.SetDeadline(time.Now().Add(askTime))
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	var files []about.CardFile
	if err := json.Unmarshal(body, &files); err != nil {
		return err
	}
	return save(files)
}

// answerAsk answers a request.
func answerAsk(conn net.Conn, err error) {
	var answer about.Answer
	if err != nil {
		answer = about.Answer{Error: err.Error(), Changed: errors.Is(err, about.ErrChanged)}
	}
	_ = conn.SetDeadline(time.Now().Add(askTime))
	_ = json.NewEncoder(conn).Encode(answer) // the caller may have closed the connection
}

// pass() hands a request to the follower, which handles updates, and returns the follower's answer.
func pass(ctx context.Context, a about.Ask, asks chan<- follow.Ask) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
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
