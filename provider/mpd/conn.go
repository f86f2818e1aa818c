package mpd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/fetch"
)

// Limits for an answer (mpd.readthedocs.io, protocol).
const (
	maxLine  = 8 << 10 // bytes of a line
	maxLines = 500
	maxChunk = 64 << 10 // bytes of a picture in one answer
)

// askTime is the maximum time for connecting, and for each answer. It does not limit the wait for a
// change of the player. It is a variable because tests set a longer time.
var askTime = 10 * time.Second

var (
	errGreeting = errors.New("this is no MPD: it does not greet with OK MPD")
	errLong     = fmt.Errorf("a line of more than %d bytes", maxLine)
	errMany     = fmt.Errorf("more than %d lines in an answer", maxLines)
	errChunk    = fmt.Errorf("more than %d bytes in a part of a picture", maxChunk)
)

// The numbers of errors (protocol, responses).
const (
	wrongPassword = 3
	noPermission  = 4
)

// A refusal is an ACK line: the server has not executed a command.
type refusal struct {
	number int
	text   string
}

// Error implements error.
func (r *refusal) Error() string {
	switch r.number {
	case wrongPassword:
		return "the server refuses the password; check 'password'"
	case noPermission:
		return "the server wants a password: write 'password' with the one of its configuration"
	}
	return "the server refuses: " + r.text
}

// A conn is one connection to the server. Only one goroutine may use it.
type conn struct {
	net.Conn
	r   *bufio.Reader
	end func() bool // after this call, the end of the context does not close the connection
}

// dial connects to the server and logs in. The connection is closed when ctx ends.
func (p *Provider) dial(ctx context.Context) (*conn, error) {
	d := net.Dialer{Timeout: askTime}
	c, err := d.DialContext(ctx, p.network, p.address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", fetch.ErrUnavailable, err)
	}
	m := &conn{Conn: c, r: bufio.NewReaderSize(c, maxLine), end: context.AfterFunc(ctx, func() { _ = c.Close() })}
	if err := m.begin(p.password); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (c *conn) close() {
	c.end()
	_ = c.Close()
}

// begin reads the server's greeting and sends the password.
func (c *conn) begin(password string) error {
	_ = c.SetDeadline(time.Now().Add(askTime))
	line, err := c.line()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(line, "OK MPD ") {
		return errGreeting
	}
	if password == "" {
		return nil
	}
	_, err = c.ask("password", password)
	return err
}

// line reads one line and removes its line end.
func (c *conn) line() (string, error) {
	line, err := c.r.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", errLong
	case err == io.EOF:
		return "", fmt.Errorf("%w: the server closed the connection", fetch.ErrUnavailable)
	case err != nil:
		return "", fmt.Errorf("%w: %w", fetch.ErrUnavailable, err)
	}
	return strings.ToValidUTF8(string(line[:len(line)-1]), "\uFFFD"), nil
}

// send sends a command.
func (c *conn) send(command string, args ...string) error {
	var b strings.Builder
	b.WriteString(command)
	for _, a := range args {
		b.WriteString(" " + quote(a))
	}
	b.WriteByte('\n')
	if _, err := io.WriteString(c, b.String()); err != nil {
		return fmt.Errorf("%w: %w", fetch.ErrUnavailable, err)
	}
	return nil
}

// ask sends a command and returns the answer.
func (c *conn) ask(command string, args ...string) (map[string]string, error) {
	_ = c.SetDeadline(time.Now().Add(askTime))
	if err := c.send(command, args...); err != nil {
		return nil, err
	}
	got, _, err := c.answer(0)
	return got, err
}

// wait() sends a command and waits for the answer without a time limit. TCP detects a dead server with keep-alive packets.
func (c *conn) wait(command string, args ...string) error {
	_ = c.SetDeadline(time.Now().Add(askTime))
	if err := c.send(command, args...); err != nil {
		return err
	}
	_ = c.SetReadDeadline(time.Time{})
	_, _, err := c.answer(0)
	return err
}

// answer() reads lines with names and values until a line OK. If a name occurs several times, its values are joined with commas. `most` is
// the maximum size of the binary part in bytes. If `most` is 0, a binary part is an error.
func (c *conn) answer(most int) (got map[string]string, binary []byte, err error) {
	got = map[string]string{}
	for range maxLines {
		line, err := c.line()
		switch {
		case err != nil:
			return nil, nil, err
		case line == "OK":
			return got, binary, nil
		case strings.HasPrefix(line, "ACK "):
			return nil, nil, refusalOf(line)
		}
		name, value, ok := strings.Cut(line, ": ")
		switch {
		case !ok:
		case name == "binary":
			if binary, err = c.binary(value, most); err != nil {
				return nil, nil, err
			}
		case got[name] == "":
			got[name] = value
		case len(got[name])+len(value) <= maxText:
			got[name] += ", " + value
		}
	}
	return nil, nil, errMany
}

// binary() reads the bytes that follow a line "binary", and the line end after them.
func (c *conn) binary(length string, most int) ([]byte, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > most {
		return nil, errChunk
	}
	data := make([]byte, n+1)
	if _, err := io.ReadFull(c.r, data); err != nil {
		return nil, fmt.Errorf("%w: %w", fetch.ErrUnavailable, err)
	}
	return data[:n], nil
}

// refusalOf parses a line such as "ACK [50@0] {albumart} No file exists".
func refusalOf(line string) error {
	r := &refusal{text: line}
	if _, rest, ok := strings.Cut(line, "["); ok {
		number, _, _ := strings.Cut(rest, "@")
		r.number, _ = strconv.Atoi(number)
	}
	if _, text, ok := strings.Cut(line, "} "); ok {
		r.text = text
	}
	return r
}

// quote returns an argument of a command in quotes.
func quote(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ", `\`, `\\`, `"`, `\"`).Replace(s)
	return `"` + s + `"`
}
