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

// A connection is one connection of the provider.
type connection struct {
	p     *Provider
	cell  *provider.Cell
	limit *rate.Limiter
	came  bool            // a message has arrived
	ctx   context.Context // context of listen

	mu    sync.Mutex  // guards the following fields
	shown time.Time   // time of the last publication
	later *time.Timer // publishes the messages since then, or nil
	over  bool
}

// newLimit bounds the speed of reading a stream.
func newLimit() *rate.Limiter { return rate.NewLimiter(perSecond, burst) }

// listen reads messages until the connection is lost. It also returns if the connection cannot be opened.
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

// well records that the source answers without a new value.
func (c *connection) well() {
	if c.cell.Load().Has() {
		c.cell.Confirm(time.Now())
	}
}

// line reads the next line, within the allowed speed of a stream.
func (c *connection) line(ctx context.Context, s *fetch.Stream) ([]byte, error) {
	line, err := s.Line(MaxMessage)
	if err != nil {
		return nil, err
	}
	return line, c.limit.WaitN(ctx, min(len(line)+1, burst))
}

// lines reads each line as a message.
func (c *connection) lines(ctx context.Context, s *fetch.Stream) error {
	for {
		line, err := c.line(ctx, s)
		if err != nil {
			return err
		}
		if line = bytes.Trim(line, " \t\r\x1e"); len(line) > 0 { // RFC 7464 puts 1E before each text
			c.take(line)
		}
	}
}

// socket receives messages over a WebSocket.
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

// keepAlive closes a connection that is silent for a time.
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

// take stores a message. It publishes the message now, or soon if the last value is very new.
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

// flush publishes the messages since the last value.
func (c *connection) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over || c.later == nil {
		return
	}
	c.publish()
}

// publish publishes the stored messages. The caller holds mu.
func (c *connection) publish() {
	c.later, c.shown = nil, time.Now()
	v, err := c.p.value(c.ctx)
	switch {
	case err != nil && c.ctx.Err() != nil: // there was no time to read the answer
	case err != nil:
		c.cell.Fail(fmt.Errorf("%s: %w", c.p.request.Shown(), err), c.shown)
	default:
		c.cell.Publish(v, c.shown)
		if errors.Is(c.cell.Load().Err, budget.ErrTooLarge) { // the memory for all values has no room for these
			c.p.forget()
		}
	}
}

// end publishes the unpublished messages.
func (c *connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.later != nil {
		c.later.Stop()
		c.publish()
	}
	c.over = true
}

// events reads server-sent events (HTML, section 9.2.6).
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
				c.take(data[: len(data)-1 : len(data)-1]) // pass the message without its final line end
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

// maxID bounds the bytes of an event's id, which is sent back to the server in a header.
const maxID = 512

// printable removes characters that are invalid in a header.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// pause parses a number of milliseconds, within bounds. It returns 0 for any other text.
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
