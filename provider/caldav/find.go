package caldav

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"dashboard/internal/fetch"
)

// wellKnown is where a server tells where its calendars are (RFC 6764, section 5).
const wellKnown = "/.well-known/caldav"

// list finds the calendars, and what marks their state.
func (s *Server) list(ctx context.Context) ([]collection, error) {
	var all []collection
	found := s.place
	if found.url == "" {
		var err error
		if found, all, err = s.find(ctx); err != nil {
			return nil, err
		}
	}
	if all == nil {
		var err error
		if all, err = s.calendars(ctx, found); err != nil {
			if status(err) != 0 {
				s.place = place{} // it may have moved
			}
			return nil, err
		}
	}
	s.place = found
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no calendar for this user", s.ask.Shown())
	}
	return all, nil
}

// find follows the way from the address that was written to the calendars: it is one, or the folder of them, or tells who asks, whose
// properties tell the folder (RFC 4791, section 6.2.1; RFC 5397). What is known of the calendars by then comes with it.
func (s *Server) find(ctx context.Context) (place, []collection, error) {
	start, err := s.start(ctx)
	if err != nil {
		return place{}, nil, err
	}
	if c, ok := start.calendar(s); ok {
		return place{c.url, "0"}, []collection{c}, nil
	}
	if home := start.address(nsCalDAV, "calendar-home-set"); home != "" {
		return s.folder(start, home)
	}
	who, err := s.resolve(start.base, start.address(nsDAV, "current-user-principal"))
	if err != nil {
		return place{}, nil, err
	}
	me, err := s.properties(ctx, who, "0")
	if err != nil {
		return place{}, nil, err
	}
	if home := me.address(nsCalDAV, "calendar-home-set"); home != "" {
		return s.folder(me, home)
	}
	return place{}, nil, s.lost()
}

// start is what the address that was written tells, or else the well-known one.
func (s *Server) start(ctx context.Context) (response, error) {
	first, err := s.properties(ctx, s.ask.URL, "0")
	if err == nil && first.leads() || errors.Is(err, fetch.ErrUnavailable) || status(err) == http.StatusUnauthorized {
		return first, err
	}
	second, wellErr := s.properties(ctx, s.at(wellKnown), "0")
	if wellErr == nil && second.leads() {
		return second, nil
	}
	if err == nil {
		err = s.lost()
	}
	return first, err
}

// status is that of an answer which is the cause of an error; 0 if none is.
func status(err error) int {
	var s *fetch.StatusError
	if errors.As(err, &s) {
		return s.Code
	}
	return 0
}

// lost is the error where no calendars are to be found.
func (s *Server) lost() error {
	return fmt.Errorf("%s: the server names no calendars; give the address of one, as the server's own pages show it", s.ask.Shown())
}

func (s *Server) folder(from response, home string) (place, []collection, error) {
	at, err := s.resolve(from.base, home)
	return place{at, "1"}, nil, err
}

// at is an address of the server by its path.
func (s *Server) at(path string) string {
	u, err := url.Parse(s.ask.URL)
	if err != nil {
		return s.ask.URL
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}).String()
}

// resolve is the address that a reference in an answer stands for. The password goes to no other host than the one it was written for.
func (s *Server) resolve(base *url.URL, href string) (string, error) {
	home, err := url.Parse(s.ask.URL)
	if err != nil {
		return "", err
	}
	u, err := base.Parse(href)
	if err != nil {
		return "", fmt.Errorf("%s: an address in the answer is none", s.ask.Shown())
	}
	if fetch.SameOrigin(home, u) {
		return u.String(), nil
	}
	if s.ask.Secret {
		return "", errors.New("the server names calendars of another host, which gets no password")
	}
	return "", fmt.Errorf("%s: its calendars are at %s; write that address if it is to get the password", s.ask.Shown(), fetch.Redact(u.String()))
}

// calendars lists those in a place.
func (s *Server) calendars(ctx context.Context, p place) ([]collection, error) {
	root, base, err := s.request(ctx, "PROPFIND", p.url, p.depth, properties, maxList)
	if err != nil {
		return nil, err
	}
	var all []collection
	for r := range responses(root) {
		r.base = base
		if c, ok := r.calendar(s); ok && len(all) < MaxCollections && (!s.tasks || c.has.tasks) {
			all = append(all, c)
		}
	}
	return all, nil
}

// properties asks for those of one address.
func (s *Server) properties(ctx context.Context, at, depth string) (response, error) {
	root, base, err := s.request(ctx, "PROPFIND", at, depth, properties, maxList)
	if err != nil {
		return response{}, err
	}
	for r := range responses(root) {
		r.base = base
		return r, nil
	}
	return response{}, fmt.Errorf("%s: the answer to PROPFIND is empty", s.ask.Shown())
}

// properties is the question for what find and list need to know.
const properties = `<?xml version="1.0" encoding="utf-8"?>` +
	`<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/"><D:prop>` +
	`<D:resourcetype/><D:current-user-principal/><C:calendar-home-set/><C:supported-calendar-component-set/><S:getctag/><D:sync-token/><A:calendar-color/>` +
	`</D:prop></D:propfind>`

// whole is the status of an answer to PROPFIND and REPORT (RFC 4918, section 11.1).
const whole = http.StatusMultiStatus
