// Package caldav reads the calendars (RFC 4791) and the folders (RFC 4918) of a WebDAV server, and changes single objects on the server.
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

// Limits for one server.
const (
	MaxCollections = 50       // maximum number of calendars
	MaxObjects     = 20_000   // maximum number of events and tasks in all calendars; a recurring event counts as one
	MaxBytes       = 16 << 20 // maximum size of one answer, and of all texts together, in bytes
	maxList        = 2 << 20  // maximum size of a list of calendars, in bytes
	// ahead is added to the end of the requested time range. The texts of an unchanged calendar then contain enough events for several
	// days and need not be fetched again each day.
	ahead = 31 * 24 * time.Hour
)

// A Server reads the calendars of one server and stores their texts. Only one goroutine may use it.
type Server struct {
	client *fetch.Client
	ask    fetch.Request // request with the configured address, credentials and timeout
	tasks  bool          // whether only tasks are read, instead of events and tasks

	place place
	all   []collection
}

// A place is the address at which calendars are listed.
type place struct {
	url   string // "" until it is known
	depth string // "0" if url is a calendar, "1" if it is a folder of calendars
}

// A collection is one calendar with the texts of the last reading.
type collection struct {
	url, mark string    // `mark` is a text that changes with the calendar; "" if the server sends no mark
	color     string    // #rrggbb; "" if the server sends no color
	has       kinds     // kinds of entries that the calendar can contain
	to        time.Time // end of the time range of the fetched events
	texts     [][]byte
	refs      []string // address of each text; "" if the server sends no address
}

// The type kinds lists the kinds of entries that a calendar can contain.
type kinds struct{ events, tasks bool }

// New returns a server. r has the address, the credentials and the timeout. Method, Header, Body
// and MaxBytes of r are replaced in each request. If `tasks` is set, only tasks are read.
func New(client *fetch.Client, r fetch.Request, tasks bool) *Server {
	return &Server{client: client, ask: r, tasks: tasks}
}

// Look returns the texts (RFC 5545) of all calendars. There is one text for each task, and one for each event between `from` and `to`. A
// recurring event and its changed instances are one text. Events up to 31 days after this range can be included. Look does not fetch
// unchanged calendars again. If Look returns an error, it also returns the stored texts. The caller must not change the texts.
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
				silent = errors.Is(err, fetch.ErrUnavailable) // the requests for the other calendars would probably fail too
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

// known() returns the stored calendar with the given address, or nil.
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

// Texts returns the stored texts of all calendars.
func (s *Server) Texts() (all [][]byte) {
	for i := range s.all {
		all = append(all, s.all[i].texts...)
	}
	return all
}

// Refs returns the address of each text that Texts returns. A Writer uses these addresses.
func (s *Server) Refs() (all []string) {
	for i := range s.all {
		all = append(all, s.all[i].refs...)
	}
	return all
}

// List returns the address of the first calendar that can contain tasks, or "".
func (s *Server) List() string {
	for i := range s.all {
		if s.all[i].has.tasks {
			return s.all[i].url
		}
	}
	return ""
}

// ref returns the address of the object that a response describes, or "" if the address is not on this server.
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

// Color returns the first calendar color, as #rrggbb, or "" if no calendar has a color.
func (s *Server) Color() string {
	for i := range s.all {
		if c := s.all[i].color; c != "" {
			return c
		}
	}
	return ""
}

// Drop deletes the stored texts.
func (s *Server) Drop() { s.all = nil }

// read fetches the texts of a calendar.
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

// queries() returns the request bodies that fetch the content of a calendar. The request for tasks has no time range, because overdue tasks
// are shown too.
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

// query is the body of a request for whole components of one kind (RFC 4791, section 7.8). The request does not ask the server to expand
// recurring events, because servers do this in different ways.
const query = `<?xml version="1.0" encoding="utf-8"?>` +
	`<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>` +
	`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="%s">%s</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
