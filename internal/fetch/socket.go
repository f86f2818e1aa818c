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

// writeTime is the time limit for sending a message. The receiver is a server, which reads at once.
const writeTime = 10 * time.Second

// MaxMessage is the maximum size of a message of a socket, in bytes, unless the Request sets another limit.
const MaxMessage = 4 << 20

// A Socket is a connection with messages in both directions (WebSocket, RFC 6455). One goroutine may read. Any goroutine may write.
// The caller has to close it.
type Socket struct {
	conn *websocket.Conn
	r    *Request
}

// Socket opens a connection. The address may also begin with ws or wss. The request's Timeout is the time limit for opening the
// connection, and MaxBytes is the maximum size of a message. Compression is off, so the size of a message in memory is its size on the
// network. Every error is an [*Error], including the errors of the socket's methods.
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

// SocketURL replaces ws by http and wss by https at the start of an address (RFC 6455, section 3). It returns other addresses
// unchanged.
func SocketURL(raw string) string {
	for from, to := range map[string]string{"ws://": "http://", "wss://": "https://"} {
		if rest, ok := strings.CutPrefix(raw, from); ok {
			return to + rest
		}
	}
	return raw
}

// socket() opens the connection. If the server refuses the access token of the request, socket() tries once more with a new token.
func (c *Client) socket(ctx context.Context, r *Request) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.Timeout, Timeout))
	defer cancel()
	for again := r.Auth.Tokens != nil; ; again = false {
		signed, err := r.signed(ctx)
		if err != nil {
			return nil, err
		}
		conn, err := c.dial(ctx, signed)
		var status *StatusError
		if !again || !errors.As(err, &status) || status.Code != http.StatusUnauthorized {
			return conn, err
		}
		r.Auth.Tokens.Refuse(signed.Auth.Bearer)
	}
}

// dial makes one attempt to open the connection.
func (c *Client) dial(ctx context.Context, r *Request) (*websocket.Conn, error) {
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
		return nil, &StatusError{Code: resp.StatusCode, Wait: retryAfter(resp.Header, time.Now())}
	}
	return nil, cause(err)
}

// Read returns the next whole message. After an error, or after the end of ctx, the socket cannot be used any more.
func (s *Socket) Read(ctx context.Context) ([]byte, error) {
	_, data, err := s.conn.Read(ctx)
	if err != nil {
		return nil, s.r.Failure(s.why(err))
	}
	return data, nil
}

// why() classifies the errors of reading and writing.
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

// Ping sends a ping and waits for the server's answer until ctx ends. Another goroutine must be reading.
func (s *Socket) Ping(ctx context.Context) error {
	if err := s.conn.Ping(ctx); err != nil {
		return s.r.Failure(s.why(err))
	}
	return nil
}

// Close ends the connection at once.
func (s *Socket) Close() error { return s.conn.CloseNow() }
