package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// writeTime is how long a message may take to leave: its reader is a server, not a person.
const writeTime = 10 * time.Second

// MaxMessage bounds one message of a socket, bytes, where a Request sets nothing else.
const MaxMessage = 4 << 20

// A Socket is a connection over which messages go both ways (WebSocket, RFC 6455). One goroutine reads; any may write. Close it.
type Socket struct {
	conn *websocket.Conn
	r    *Request
}

// Socket opens a connection. The address may begin with ws or wss, too. Timeout bounds the opening, and MaxBytes a
// message. Nothing is compressed, so the received size is the kept size. Every error, also of the socket's methods, is
// an [*Error].
func (c *Client) Socket(ctx context.Context, r *Request) (*Socket, error) {
	own := *r
	own.URL = SocketURL(r.URL)
	conn, err := c.socket(ctx, &own)
	if err != nil {
		return nil, own.Failure(err)
	}
	conn.SetReadLimit(cmp.Or(own.MaxBytes, MaxMessage))
	return &Socket{conn, &own}, nil
}

// SocketURL is the http or https address that one of ws or wss stands for (RFC 6455, section 3); others stay.
func SocketURL(raw string) string {
	for from, to := range map[string]string{"ws://": "http://", "wss://": "https://"} {
		if rest, ok := strings.CutPrefix(raw, from); ok {
			return to + rest
		}
	}
	return raw
}

func (c *Client) socket(ctx context.Context, r *Request) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.Timeout, Timeout))
	defer cancel()
	r, err := r.signed(ctx)
	if err != nil {
		return nil, err
	}
	req, err := r.build(ctx)
	if err != nil {
		return nil, err
	}
	h, err := c.connect(r.CAFile)
	if err != nil {
		return nil, err
	}
	conn, resp, err := websocket.Dial(ctx, req.URL.String(), &websocket.DialOptions{HTTPClient: h, HTTPHeader: req.Header, Host: req.Host})
	switch {
	case err == nil:
		return conn, nil
	case resp != nil && resp.StatusCode != http.StatusSwitchingProtocols:
		return nil, &StatusError{Code: resp.StatusCode, Wait: retryAfter(resp.Header.Get("Retry-After"), time.Now())}
	}
	return nil, cause(err)
}

// Read returns the next message, whole. After an error, or the end of ctx, the socket is of no use.
func (s *Socket) Read(ctx context.Context) ([]byte, error) {
	_, data, err := s.conn.Read(ctx)
	if err != nil {
		return nil, s.r.Failure(s.why(err))
	}
	return data, nil
}

// why sorts the errors of reading and writing.
func (s *Socket) why(err error) error {
	var closed websocket.CloseError
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		return fmt.Errorf("%w: a message of more than %d bytes", ErrTooLarge, cmp.Or(s.r.MaxBytes, MaxMessage))
	case errors.As(err, &closed):
		return fmt.Errorf("%w: the server closed the connection (%d)", ErrUnavailable, closed.Code)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: the connection was cut: %w", ErrUnavailable, io.EOF)
	}
	return unavailable(err)
}

// Write sends a text.
func (s *Socket) Write(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	if err := s.conn.Write(ctx, websocket.MessageText, message); err != nil {
		return s.r.Failure(s.why(err))
	}
	return nil
}

// Ping asks the server for a sign of life and waits for it until ctx ends. Another goroutine must be reading.
func (s *Socket) Ping(ctx context.Context) error {
	if err := s.conn.Ping(ctx); err != nil {
		return s.r.Failure(s.why(err))
	}
	return nil
}

// Close ends the connection at once.
func (s *Socket) Close() error { return s.conn.CloseNow() }
