package fetch

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// ErrSilent means that a stream has received nothing for too long. Errors wrap it.
var ErrSilent = errors.New("nothing has arrived for too long")

// A Stream is a response that does not end, for example events, lines or the frames of a camera. One goroutine uses it and has to close it.
type Stream struct {
	Header http.Header

	body    *bufio.Reader
	close   func()
	ctx     context.Context
	timer   *time.Timer
	silence time.Duration
}

// Stream begins a request whose response does not end. The stream fails if no bytes arrive within the request's Timeout. When ctx ends,
// the stream ends. If the status is not 200, the error wraps a [*StatusError]. A request with a Range may also have the status 206. Every
// error is an [*Error].
func (c *Client) Stream(ctx context.Context, r *Request) (*Stream, error) {
	s, err := c.stream(ctx, r)
	if err != nil {
		return nil, r.Failure(err)
	}
	return s, nil
}

func (c *Client) stream(ctx context.Context, r *Request) (*Stream, error) {
	s := &Stream{silence: cmp.Or(r.Timeout, Timeout)}
	ctx, cancel := context.WithCancelCause(ctx)
	s.ctx = ctx
	s.timer = time.AfterFunc(s.silence, func() { cancel(ErrSilent) })
	s.close = func() { s.timer.Stop(); cancel(context.Canceled) }
	r, resp, err := c.answer(ctx, r)
	if err == nil && resp.StatusCode != http.StatusOK && (resp.StatusCode != http.StatusPartialContent || r.Header["Range"] == "") {
		const most = 1 << 10
		body, _ := io.ReadAll(io.LimitReader(resp.Body, most))
		resp.Body.Close()
		err = (&Response{Status: resp.StatusCode, Body: body, asked: r, RetryAfter: retryAfter(resp.Header, time.Now())}).Check()
	}
	if err != nil {
		err = s.why(err)
		s.close()
		return nil, err
	}
	s.close = func() { s.timer.Stop(); cancel(context.Canceled); resp.Body.Close() }
	s.Header, s.body = resp.Header, bufio.NewReader(&watched{resp.Body, s})
	return s, nil
}

// why() returns the error of the stream. If the stream was silent for too long, the cause is ErrSilent.
func (s *Stream) why(err error) error {
	if errors.Is(context.Cause(s.ctx), ErrSilent) {
		return fmt.Errorf("%w: %w (%v)", ErrUnavailable, ErrSilent, s.silence)
	}
	return err
}

// watched is a body that restarts the timeout of its stream after bytes were read.
type watched struct {
	body io.Reader
	s    *Stream
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if n > 0 {
		w.s.timer.Reset(w.s.silence)
	}
	if err != nil && err != io.EOF {
		err = w.s.why(unavailable(err))
	}
	return n, err
}

// Read reads the available bytes. The error at the regular end of a response is io.EOF.
func (s *Stream) Read(p []byte) (int, error) { return s.body.Read(p) }

// Line returns the next line without its end, CR LF or LF. If the line has more than `limit` bytes, the error wraps [ErrTooLarge], and the
// stream cannot be read any further. A last line without an end is returned before io.EOF.
func (s *Stream) Line(limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := s.body.ReadSlice('\n')
		line = append(line, part...)
		text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		switch {
		case len(text) > limit:
			return nil, fmt.Errorf("%w: a line of more than %d bytes", ErrTooLarge, limit)
		case err == bufio.ErrBufferFull:
		case err != nil && (err != io.EOF || len(line) == 0):
			return nil, err
		default:
			return text, nil
		}
	}
}

// Close ends the request.
func (s *Stream) Close() error {
	s.close()
	return nil
}
