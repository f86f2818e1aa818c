//go:build linux

// Package radio opens the access point, searches for networks and tests them. It uses the control sockets of wpa_supplicant.
package radio

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// answerTime limits the wait for an answer of wpa_supplicant, which answers between two steps of its event loop. It is a variable because
// tests set a longer time.
var answerTime = 5 * time.Second

// maxAnswer is the maximum size of an answer. It equals wpa_supplicant's own limit for a list of networks.
const maxAnswer = 32 << 10

// A control is a connection to wpa_supplicant (wpa_ctrl.h). It is a datagram socket with a path of its own, because wpa_supplicant sends
// its answers to this path.
type control struct {
	conn *net.UnixConn
	own  string
}

// dial connects to the socket of an interface. `name` is the name of the connection's own socket in `folder`.
func dial(socket, folder, name string) (*control, error) {
	own := filepath.Join(folder, name)
	if err := os.Remove(own); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	conn, err := net.DialUnix("unixgram", &net.UnixAddr{Name: own, Net: "unixgram"}, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(own, 0o666); err != nil { // wpa_supplicant runs as another user
		return nil, errors.Join(err, conn.Close())
	}
	return &control{conn, own}, nil
}

// close closes the connection. Errors do not matter, because the connection is not used again.
func (c *control) close() { _ = errors.Join(c.conn.Close(), os.Remove(c.own)) }

// ask sends a command and returns the answer.
func (c *control) ask(command string) (string, error) {
	if err := c.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return "", err
	}
	if _, err := c.conn.Write([]byte(command)); err != nil {
		return "", err
	}
	answer := make([]byte, maxAnswer)
	n, err := c.conn.Read(answer)
	return strings.TrimSpace(string(answer[:n])), err
}

// order sends a command whose answer must be OK.
func (c *control) order(command string) error {
	answer, err := c.ask(command)
	if err == nil && answer != "OK" {
		verb, _, _ := strings.Cut(command, " ") // the error contains the command without its values, because they may be secret
		err = fmt.Errorf("%s: wpa_supplicant answers %s", verb, answer)
	}
	return err
}

// next() waits for the next event, however long this takes. It returns the event without its priority, such as <3>.
func (c *control) next(buffer []byte) (string, error) {
	if err := c.conn.SetDeadline(time.Time{}); err != nil {
		return "", err
	}
	n, err := c.conn.Read(buffer)
	text := string(buffer[:n])
	if i := strings.IndexByte(text, '>'); strings.HasPrefix(text, "<") && i > 0 {
		text = text[i+1:]
	}
	return strings.TrimSpace(text), err
}
