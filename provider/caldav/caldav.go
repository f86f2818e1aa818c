// Package caldav reads the calendars of a CalDAV server (RFC 4791): where they are, whether they have changed, and what is in them.
package caldav

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/internal/fetch"
)

// Bounds of one server.
const (
	MaxCollections = 50       // calendars
	MaxObjects     = 20_000   // events and tasks of all of them, a recurring one counts once
	MaxBytes       = 16 << 20 // of one answer, and of all texts
	maxList        = 2 << 20  // bytes of an answer that lists calendars
	// ahead is how far beyond the stretch that is asked for events are fetched, so that a calendar that does not change is not fetched
	// again each day.
	ahead = 31 * 24 * time.Hour
)

// A Server is where calendars are, and what was last read of them. It belongs to one goroutine.
type Server struct {
	client *fetch.Client
	ask    fetch.Request // the address as it was written, who asks, and how long that may take
	tasks  bool          // tasks alone; else events, and tasks beside them

	place place
	all   []collection
}

// A place is where calendars are listed.
type place struct {
	url   string // "" before it is known
	depth string // "0": it is a calendar itself; "1": the folder of them
}

// A collection is one calendar and what was last read of it.
type collection struct {
	url, mark string    // the mark changes when the calendar does; "" where a server gives none
	color     string    // #rrggbb; "" where the server gives none
	has       kinds     // what may be in it
	to        time.Time // until when its events were asked for
	texts     [][]byte
}

// kinds is what a calendar may hold.
type kinds struct{ events, tasks bool }

// New returns a server that is asked by a request; its Method, Header, Body and MaxBytes are set here.
func New(client *fetch.Client, r fetch.Request, tasks bool) *Server {
	return &Server{client: client, ask: r, tasks: tasks}
}

// Look returns the texts (RFC 5545) of all calendars with what is in them between two moments, at least: one for each event, with all
// that was changed of it, and each task. Calendars that have not changed since the last look are not sent again. With an error comes
// what is known; the texts are not to be written to.
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
				silent = errors.Is(err, fetch.ErrUnavailable) // the others would wait as long
			}
		}
		if old == nil {
			continue
		}
		old.color = c.color
		left, objects = left-old.bytes(), objects-len(old.texts)
		if left < 0 || objects < 0 {
			failed = append(failed, fmt.Errorf("%s: its calendars have more than %d bytes, or %d events and tasks", s.ask.Shown(), MaxBytes, MaxObjects))
			break
		}
		next = append(next, *old)
	}
	s.all = next
	return s.Texts(), errors.Join(failed...)
}

// known is what was last read of a calendar; nil if nothing was.
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

// Texts is what was last read.
func (s *Server) Texts() (all [][]byte) {
	for i := range s.all {
		all = append(all, s.all[i].texts...)
	}
	return all
}

// Color returns the color of the first calendar that has one, as #rrggbb; "" if none has.
func (s *Server) Color() string {
	for i := range s.all {
		if c := s.all[i].color; c != "" {
			return c
		}
	}
	return ""
}

// Drop gives up what was read.
func (s *Server) Drop() { s.all = nil }

// read asks for what is in a calendar.
func (s *Server) read(ctx context.Context, c *collection, from, to time.Time) error {
	for _, body := range c.has.queries(s.tasks, from, to) {
		root, _, err := s.request(ctx, "REPORT", c.url, "1", body, MaxBytes)
		if err != nil {
			return err
		}
		for r := range responses(root) {
			if data := r.prop(nsCalDAV, "calendar-data"); data != nil && len(c.texts) < MaxObjects {
				c.texts = append(c.texts, []byte(data.Text))
			}
		}
	}
	c.to = to
	return nil
}

// queries are the bodies of the reports that give what is wanted of a calendar. Tasks are asked for whenever they are due: those
// that are late are wanted as well.
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

// query asks for the components of a kind, whole (RFC 4791, section 7.8). Series are not expanded by the server: servers differ in it.
const query = `<?xml version="1.0" encoding="utf-8"?>` +
	`<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>` +
	`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="%s">%s</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
