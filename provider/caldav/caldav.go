// Package caldav reads the calendars (RFC 4791) and the folders (RFC 4918) of a WebDAV server.
package caldav

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"dashboard/internal/fetch"
)

// Bounds of one server.
const (
	MaxCollections = 50       // calendars
	MaxObjects     = 20_000   // maximum number of events and tasks of all calendars. A recurring event counts once
	MaxBytes       = 16 << 20 // bytes of one answer, and of all texts together
	maxList        = 2 << 20  // bytes of a list of calendars
	// ahead is the additional time for which events are fetched, so that an unchanged calendar is not fetched every day.
	ahead = 31 * 24 * time.Hour
)

// A Server reads the calendars of one server and keeps them. It belongs to one goroutine.
type Server struct {
	client *fetch.Client
	ask    fetch.Request // configured address, credentials and timeout
	tasks  bool          // only tasks; otherwise events and tasks

	place place
	all   []collection
}

// A place is the address where calendars are listed.
type place struct {
	url   string // "" before it is known
	depth string // "0" for a calendar, "1" for a folder of calendars
}

// A collection is one calendar with its last texts.
type collection struct {
	url, mark string    // mark changes with the calendar; "" if the server gives none
	color     string    // #rrggbb; "" if the server gives none
	has       kinds     // possible kinds of entries
	to        time.Time // end of the fetched events
	texts     [][]byte
	refs      []string // addresses of texts; "" if the server gives none
}

// kinds are the kinds of entries that a calendar can hold.
type kinds struct{ events, tasks bool }

// New returns a server for a request. The package sets its Method, Header, Body and MaxBytes.
func New(client *fetch.Client, r fetch.Request, tasks bool) *Server {
	return &Server{client: client, ask: r, tasks: tasks}
}

// Look returns the texts (RFC 5545) of all calendars, at least between two moments: one text for each event with its changes, and
// for each task. Unchanged calendars are not sent again. With an error the known texts are returned. The caller must not change
// the texts.
func (s *Server) Look(ctx context.Context, from, to time.Time) ([][]byte, error) {
	listed, err := s.list(ctx)
	if err != nil {
		return s.Texts(), err
	}
	var failed []error
	next := make([]collection, 0, len(listed))
	left, objects, silent := MaxBytes, MaxObjects, false
	for _, c := range listed {
		old := s.known(c.url)
		if !silent && (old == nil || old.mark != c.mark || c.mark == "" || c.has.events && !s.tasks && old.to.Before(to)) {
			err := s.read(ctx, &c, from, to.Add(ahead))
			if err == nil {
				old = &c
			} else {
				failed = append(failed, err)
				silent = errors.Is(err, fetch.ErrUnavailable) // requests for the other calendars would time out too
			}
		}
		if old == nil {
			continue
		}
		own := *old
		own.color = c.color
		left, objects = left-own.bytes(), objects-len(own.texts)
		if left < 0 || objects < 0 {
			failed = append(failed, fmt.Errorf("%s: its calendars have more than %d bytes, or %d events and tasks", s.ask.Shown(), MaxBytes, MaxObjects))
			break
		}
		next = append(next, own)
	}
	s.all = next
	return s.Texts(), errors.Join(failed...)
}

// known returns the collection with an address, or nil if it was not read.
func (s *Server) known(url string) *collection {
	for i := range s.all {
		if s.all[i].url == url {
			return &s.all[i]
		}
	}
	return nil
}

func (c *collection) bytes() (n int) {
	for _, t := range c.texts {
		n += len(t)
	}
	return n
}

// Texts returns the last texts.
func (s *Server) Texts() (all [][]byte) {
	for i := range s.all {
		all = append(all, s.all[i].texts...)
	}
	return all
}

// Refs returns the addresses of the last texts, for a Writer.
func (s *Server) Refs() (all []string) {
	for i := range s.all {
		all = append(all, s.all[i].refs...)
	}
	return all
}

// List returns the address of the first calendar that can hold tasks, or "".
func (s *Server) List() string {
	for i := range s.all {
		if s.all[i].has.tasks {
			return s.all[i].url
		}
	}
	return ""
}

// ref returns the address of an object in an answer, or "".
func (s *Server) ref(base *url.URL, r response) string {
	href := child(r.Element, nsDAV, "href")
	if href == nil {
		return ""
	}
	at, err := s.resolve(base, strings.TrimSpace(href.Text))
	if err != nil {
		return ""
	}
	return at
}

// Color returns the color of the first calendar with one, as #rrggbb, or "".
func (s *Server) Color() string {
	for i := range s.all {
		if c := s.all[i].color; c != "" {
			return c
		}
	}
	return ""
}

// Drop drops the texts.
func (s *Server) Drop() { s.all = nil }

// read fetches the content of a calendar.
func (s *Server) read(ctx context.Context, c *collection, from, to time.Time) error {
	for _, body := range c.has.queries(s.tasks, from, to) {
		root, base, err := s.request(ctx, "REPORT", c.url, "1", body, MaxBytes)
		if err != nil {
			return err
		}
		for r := range responses(root) {
			if data := r.prop(nsCalDAV, "calendar-data"); data != nil && len(c.texts) < MaxObjects {
				c.texts, c.refs = append(c.texts, []byte(data.Text)), append(c.refs, s.ref(base, r))
			}
		}
	}
	c.to = to
	return nil
}

// queries returns the bodies of the reports for a calendar. Tasks have no time range, because late ones are shown too.
func (k kinds) queries(tasks bool, from, to time.Time) (all []string) {
	if k.events && !tasks {
		const layout = "20060102T150405Z"
		all = append(all, fmt.Sprintf(query, "VEVENT", fmt.Sprintf(`<C:time-range start="%s" end="%s"/>`, from.UTC().Format(layout), to.UTC().Format(layout))))
	}
	if k.tasks {
		all = append(all, fmt.Sprintf(query, "VTODO", ""))
	}
	return all
}

// query requests whole components of a kind (RFC 4791, section 7.8). Series are not expanded by the server, because servers differ
// in this.
const query = `<?xml version="1.0" encoding="utf-8"?>` +
	`<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>` +
	`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="%s">%s</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
