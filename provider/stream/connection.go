package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/provider"
)

// A connection is one connection of a provider to its server.
type connection struct {
	p     *Provider
	cell  *provider.Cell
	limit *rate.Limiter
	came  bool            // whether a message has arrived
	ctx   context.Context // context of listen

	mu    sync.Mutex  // guards the fields below
	shown time.Time   // time when a value was last published
	later *time.Timer // timer that publishes newer messages, or nil
	over  bool
}

// newLimit returns a limit for the speed at which a stream is read.
func newLimit() *rate.Limiter { return rate.NewLimiter(perSecond, burst) }

// listen opens the connection and reads messages until the connection is lost. It returns the reason for the loss.
func (c *connection) listen(ctx context.Context) error {
	defer c.end()
	c.ctx = ctx
	if c.p.protocol == WebSocket {
		return c.socket(ctx)
	}
	r := c.p.request
	r.Header = maps.Clone(r.Header)
	if r.Header == nil {
		r.Header = map[string]string{}
	}
	if r.Header["Accept"] == "" {
		r.Header["Accept"] = "text/event-stream, application/x-ndjson, */*;q=0.5"
	}
	if c.p.lastID != "" {
		r.Header["Last-Event-ID"] = c.p.lastID
	}
	s, err := c.p.client.Stream(ctx, &r)
	if err != nil {
		return err
	}
	defer s.Close()
	kind, _, _ := mime.ParseMediaType(s.Header.Get("Content-Type"))
	switch {
	case c.p.protocol == Auto && kind == "text/html":
		return fmt.Errorf("%s: the answer is a page for people, no stream", r.Shown())
	case c.p.protocol == SSE && kind != "" && kind != "text/event-stream":
		return fmt.Errorf("%s: the answer is %s, no stream of events", r.Shown(), kind)
	}
	defer time.AfterFunc(settled, c.well).Stop()
	if c.p.protocol == SSE || c.p.protocol == Auto && kind == "text/event-stream" {
		err = c.events(ctx, s)
	} else {
		err = c.lines(ctx, s)
	}
	if err == io.EOF {
		err = errOver
	}
	if named := (*fetch.Error)(nil); errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", r.Shown(), err)
}

var errOver = errors.New("the server has ended the stream")

// well() records that the value is still current, because the connection works. If the latest message was unreadable, its error stays.
func (c *connection) well() {
	if c.cell.Load().Has() && !c.p.unread.Load() {
		c.cell.Confirm(time.Now())
	}
}

// line() reads the next line. If the server is too fast, line() waits.
func (c *connection) line(ctx context.Context, s *fetch.Stream) ([]byte, error) {
	line, err := s.Line(MaxMessage)
	if err != nil {
		return nil, err
	}
	return line, c.limit.WaitN(ctx, min(len(line)+1, burst))
}

// lines() reads a stream in which each line is a message.
func (c *connection) lines(ctx context.Context, s *fetch.Stream) error {
	for {
		line, err := c.line(ctx, s)
		if err != nil {
			return err
		}
		if line = bytes.Trim(line, " \t\r\x1e"); len(line) > 0 { // RFC 7464 puts the byte 1E before each text
			c.take(line)
		}
	}
}

// socket opens a WebSocket and reads its messages.
func (c *connection) socket(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := c.p.request
	silence := r.Timeout
	r.Timeout = min(silence, fetch.Timeout)
	s, err := c.p.client.Socket(ctx, &r)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, m := range c.p.subscribe {
		if err := s.Write(ctx, m); err != nil {
			return err
		}
	}
	defer time.AfterFunc(settled, c.well).Stop()
	pinged := make(chan struct{})
	go func() {
		defer close(pinged)
		keepAlive(ctx, s, silence)
	}()
	for err == nil {
		var data []byte
		if data, err = s.Read(ctx); err != nil {
			break
		}
		c.take(data)
		err = c.limit.WaitN(ctx, min(len(data)+1, burst))
	}
	cancel()
	<-pinged
	return err
}

// keepAlive sends pings and closes the connection if the server does not answer. `silence` is the maximum time without an answer.
func keepAlive(ctx context.Context, s *fetch.Socket, silence time.Duration) {
	tick := time.NewTicker(silence / 2)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		in, cancel := context.WithTimeout(ctx, silence/2)
		err := s.Ping(in)
		cancel()
		if err != nil {
			s.Close()
			return
		}
	}
}

// take stores a message and publishes it. If less time than pace has passed since the last value, it publishes the message a little
// later.
func (c *connection) take(raw []byte) {
	c.came = true
	c.p.hold(raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.later != nil {
		return
	}
	if wait := pace - time.Since(c.shown); wait > 0 && !c.shown.IsZero() {
		c.later = time.AfterFunc(wait, c.flush)
		return
	}
	c.publish()
}

// flush publishes the messages that arrived since the last value.
func (c *connection) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over || c.later == nil {
		return
	}
	c.publish()
}

// publish publishes the stored messages. mu must be held.
func (c *connection) publish() {
	c.later, c.shown = nil, time.Now()
	v, err := c.p.value(c.ctx)
	switch {
	case err != nil && c.ctx.Err() != nil: // ctx ended while the message was decoded
	case err != nil:
		c.p.unread.Store(true)
		c.cell.Fail(fmt.Errorf("%s: %w", c.p.request.Shown(), err), c.shown)
	default:
		c.p.unread.Store(false)
		c.cell.Publish(v, c.shown)
		if errors.Is(c.cell.Load().Err, budget.ErrTooLarge) { // memory is full, so drop the messages
			c.p.forget()
		}
	}
}

// end publishes messages that are not published yet.
func (c *connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.later != nil {
		c.later.Stop()
		c.publish()
	}
	c.over = true
}

// events() reads a stream of server-sent events (HTML, section 9.2.6).
func (c *connection) events(ctx context.Context, s *fetch.Stream) error {
	var data []byte
	has, first := false, true
	for {
		line, err := c.line(ctx, s)
		if err != nil {
			return err
		}
		if first {
			line, first = bytes.TrimPrefix(line, []byte("\ufeff")), false
		}
		if len(line) == 0 {
			if has && len(data) > 0 {
				c.take(data[: len(data)-1 : len(data)-1]) // without the line end after the last line
			}
			data, has = nil, false
			continue
		}
		name, text, _ := bytes.Cut(line, []byte(":"))
		text = bytes.TrimPrefix(text, []byte(" "))
		switch string(name) {
		case "data":
			if len(data)+len(text) >= MaxMessage {
				return fmt.Errorf("%w: a message of more than %d bytes", fetch.ErrTooLarge, MaxMessage)
			}
			data, has = append(append(data, text...), '\n'), true
		case "id":
			if bytes.IndexByte(text, 0) < 0 && len(text) <= maxID {
				c.p.lastID = strings.Map(printable, string(text))
			}
		case "retry":
			c.p.again = pause(text)
		}
	}
}

// maxID is the maximum length of an event's ID, in bytes. The ID is sent back to the server in a header.
const maxID = 512

// printable() returns -1 for a character that is invalid in a header, and other characters unchanged.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// pause parses a number of milliseconds and limits the result. For any other text it returns 0.
func pause(text []byte) time.Duration {
	ms := time.Duration(0)
	for _, b := range text {
		if b < '0' || b > '9' {
			return 0
		}
		ms = min(10*ms+time.Duration(b-'0'), retryMost/time.Millisecond)
	}
	return ms * time.Millisecond
}
