// Package relay carries files of releases from a server to the keeper of a card, because the keeper has no network access.
//
// The keeper connects to a socket and sends a line with the name of a file and an offset. The unprivileged program behind the socket
// answers with one line, "ok" or a reason. After "ok" it sends the content of the file, beginning at the offset. The keeper does not have
// to trust this content.
package relay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"dashboard/appliance/install"
)

const (
	// MaxLine is the maximum length of a request and of a reason, in bytes.
	MaxLine = 512
	// Silence is the time for which the fetching program waits for a silent server. The keeper waits longer (answerTime), so that it
	// receives the reason from this program.
	Silence    = time.Minute
	answerTime = Silence + 30*time.Second
	// Good is the line before the content of a file. Gone is sent instead if the server does not have the file.
	Good, Gone = "ok", "gone"
)

// A Source is the keeper's side of the connection. It implements install.Source.
type Source struct{ Socket string }

// Open implements [install.Source].
func (s Source) Open(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	conn, err := (&net.Dialer{Timeout: answerTime}).DialContext(ctx, "unix", s.Socket)
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, in: bufio.NewReaderSize(conn, MaxLine), stop: context.AfterFunc(ctx, func() { conn.Close() })}
	if err := c.begin(name, offset); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// A connection reads the reply of the fetching program, which contains the file's content.
type connection struct {
	net.Conn
	in   *bufio.Reader
	stop func() bool
}

func (c *connection) begin(name string, offset int64) error {
	if err := c.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(c.Conn, "%s %d\n", name, offset); err != nil {
		return err
	}
	line, err := c.in.ReadSlice('\n')
	switch text := strings.TrimSpace(string(line)); {
	case err == io.EOF:
		return errors.New("the fetching program ended without an answer")
	case err != nil:
		return err
	case text == Gone:
		return fmt.Errorf("%w: %s", install.ErrGone, name)
	case text != Good:
		return errors.New(text)
	}
	return nil
}

// Read implements io.Reader. It fails if no data arrives for answerTime.
func (c *connection) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(answerTime)); err != nil {
		return 0, err
	}
	return c.in.Read(p)
}

// Close implements io.Closer.
func (c *connection) Close() error {
	c.stop()
	return c.Conn.Close()
}
