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
	// maxMemory is the maximum size of the texts of all calendars of a provider, in bytes.
	maxMemory = 32 << 20
)

// A source is one calendar with the texts of its last good reading.
type source struct {
	Calendar
	shown             *Calendar // published copy of Calendar, which is never changed; nil before the first expansion
	ownColor          bool      // whether the configuration sets the color
	show, privateText string
	remind            time.Duration
	request           *fetch.Request // request for a calendar with an address; nil for other calendars
	dav               *caldav.Server // CalDAV server of the calendar; nil for other calendars
	path              string         // path of a calendar in files; "" for other calendars
	home              Home           // Home Assistant of the calendar; nil for other calendars
	entity            string         // ID of the entity in Home Assistant
	timeout           time.Duration  // maximum duration of a request to Home Assistant

	queue  *todo.Queue // queue for changes of tasks; nil if changes are not allowed
	writer *caldav.Writer
	zone   *time.Location         // time zone of the wall, for times without a zone
	list   atomic.Pointer[string] // address of the list for new tasks; nil before the first reading

	texts          [][]byte // texts of the last good reading; nil before the first good reading
	refs           []string // address of each text on a CalDAV server
	etag, modified string
	err            error     // error of the last reading
	alone          time.Time // time until which the server must not get requests
}

// leftAlone reports whether the server has requested a pause (Retry-After) that has not ended yet.
func (c *source) leftAlone(now time.Time) bool {
	return now.Before(c.alone) && c.alone.Sub(now) <= provider.MaxRetryAfter // a longer pause means that the clock was set back
}

// heed stores the end of the pause that the server has requested with Retry-After.
func (c *source) heed(now time.Time) {
	c.alone = time.Time{}
	if asks := (interface{ RetryAfter() time.Duration })(nil); errors.As(c.err, &asks) {
		c.alone = now.Add(min(asks.RetryAfter(), provider.MaxRetryAfter))
	}
}

// look reads the calendar. If reading fails, the previous texts stay. Only events between `from` and `to` are needed.
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

// fetch requests a calendar with an address.
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

// sound() returns an error if `data` is not a calendar. If the source already has texts, an incomplete calendar is an error too.
func (c *source) sound(data []byte) error {
	if holds(data, "<!DOCTYPE HTML") || holds(data, "<HTML") {
		return errors.New("the answer is a web page, not a calendar: look there for a link named Subscribe, iCal or .ics, and use its address")
	}
	if !holds(data, "BEGIN:V") {
		return errors.New("the answer is not a calendar: BEGIN:VCALENDAR is missing")
	}
	if c.texts != nil && holds(data, "BEGIN:VCALENDAR") && !holds(data, "END:VCALENDAR") {
		return errHalf
	}
	return nil
}

// holds() reports whether a line of `data` begins with `word`. It ignores case and leading spaces.
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

// bytes() returns the memory that the texts need.
func (c *source) bytes() (n int) {
	for _, t := range c.texts {
		n += cap(t)
	}
	return n
}

// drop deletes the texts and sets the error.
func (c *source) drop(err error) {
	c.texts, c.etag, c.modified, c.err = nil, "", "", err
	if c.dav != nil {
		c.dav.Drop()
	}
}

// publish updates the published copy of the calendar. If the color has changed, it creates a new copy, because widgets may still read the
// old copy.
func (c *source) publish() {
	now := c.Calendar
	if c.dav != nil && !c.ownColor {
		now.Color = cmp.Or(c.dav.Color(), now.Color)
	}
	if c.shown == nil || *c.shown != now {
		c.shown = &now
	}
}
