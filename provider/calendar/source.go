package calendar

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/caldav"
	"dashboard/provider/todo"
)

const (
	showBusy = "busy"
	// maxMemory bounds the texts of all calendars of a provider together, in bytes.
	maxMemory = 32 << 20
)

// A source is one calendar with its last texts.
type source struct {
	Calendar
	shown             *Calendar // published form of Calendar, never changed; nil before the first expansion
	ownColor          bool      // the color is configured
	show, privateText string
	remind            time.Duration
	request           *fetch.Request // request for a calendar with an address
	dav               *caldav.Server // server of a calendar on CalDAV
	path              string         // path of a calendar in files
	home              Home           // Home Assistant of a calendar there
	entity            string         // id of the calendar there
	timeout           time.Duration  // time limit of its answers

	queue  *todo.Queue // queue for changes of tasks, or nil
	writer *caldav.Writer
	zone   *time.Location         // zone of the wall, for times without a zone
	list   atomic.Pointer[string] // address for new tasks; nil before the first reading

	texts          [][]byte // last good files; nil before the first
	refs           []string // addresses of texts on a CalDAV server
	etag, modified string
	err            error     // error of the latest reading
	alone          time.Time // time until which the server wants no requests
}

// leftAlone reports whether the server's Retry-After time has not passed.
func (c *source) leftAlone(now time.Time) bool {
	return now.Before(c.alone) && c.alone.Sub(now) <= provider.MaxRetryAfter // otherwise the clock was set back
}

// heed reads the server's Retry-After time.
func (c *source) heed(now time.Time) {
	c.alone = time.Time{}
	if asks := (interface{ RetryAfter() time.Duration })(nil); errors.As(c.err, &asks) {
		c.alone = now.Add(min(asks.RetryAfter(), provider.MaxRetryAfter))
	}
}

// look reads the calendar again. A failure keeps the former texts. The events between from and to are needed.
func (c *source) look(ctx context.Context, client *fetch.Client, files fs.FS, from, to time.Time) {
	switch {
	case c.dav != nil:
		c.texts, c.err = c.dav.Look(ctx, from, to)
		c.located()
	case c.home != nil:
		c.err = c.ask(ctx, client, from, to)
	case c.request != nil:
		c.err = c.fetch(ctx, client)
	default:
		texts, err := readFiles(files, c.path)
		if c.err = err; len(texts) > 0 || err == nil {
			c.texts = texts
		}
	}
}

// fetch asks the server.
func (c *source) fetch(ctx context.Context, client *fetch.Client) error {
	req := *c.request
	if c.texts != nil {
		req.ETag, req.LastModified = c.etag, c.modified
	}
	resp, err := client.Do(ctx, &req)
	if err != nil {
		return err
	}
	defer resp.Release()
	if resp.NotModified() && c.texts != nil {
		return nil
	}
	if err := resp.Check(); err != nil {
		return fmt.Errorf("%s: %w", req.Shown(), err)
	}
	if err := c.sound(resp.Body); err != nil {
		return fmt.Errorf("%s: %w", req.Shown(), err)
	}
	c.texts, c.etag, c.modified = [][]byte{bytes.Clone(resp.Body)}, resp.ETag, resp.LastModified
	return nil
}

var errHalf = errors.New("the answer ends before END:VCALENDAR")

// sound rejects data without a calendar, and an incomplete calendar if there is a complete one.
func (c *source) sound(data []byte) error {
	if !holds(data, "BEGIN:V") {
		return errors.New("the answer is not a calendar: BEGIN:VCALENDAR is missing")
	}
	if c.texts != nil && holds(data, "BEGIN:VCALENDAR") && !holds(data, "END:VCALENDAR") {
		return errHalf
	}
	return nil
}

// holds reports whether a line of data begins with a word, ignoring case. The word is in capitals.
func holds(data []byte, word string) bool {
	for rest := data; ; {
		if line := bytes.TrimLeft(rest, " \t\r\n\ufeff"); len(line) >= len(word) && bytes.EqualFold(line[:len(word)], []byte(word)) {
			return true
		}
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			i = bytes.IndexByte(rest, '\r')
		}
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
}

// bytes returns the memory of the texts.
func (c *source) bytes() (n int) {
	for _, t := range c.texts {
		n += cap(t)
	}
	return n
}

// drop drops the texts.
func (c *source) drop(err error) {
	c.texts, c.etag, c.modified, c.err = nil, "", "", err
	if c.dav != nil {
		c.dav.Drop()
	}
}

// publish updates the published form of the calendar. A changed color creates a new value, because widgets may be reading the old one.
func (c *source) publish() {
	now := c.Calendar
	if c.dav != nil && !c.ownColor {
		now.Color = cmp.Or(c.dav.Color(), now.Color)
	}
	if c.shown == nil || *c.shown != now {
		c.shown = &now
	}
}
