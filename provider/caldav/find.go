package caldav

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"dashboard/internal/fetch"
)

// wellKnown is the standard path at which clients find the calendars of a server (RFC 6764, section 5).
const wellKnown = "/.well-known/caldav"

// list returns all calendars without their texts. The field `mark` of each calendar is the mark that the server has just sent.
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
				s.place = place{} // the folder may have moved, so find it again
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

// find() searches for the calendars, starting at the configured address. The address can be a calendar, which find() then also returns.
// Otherwise the properties of the address name the folder of calendars, or they name the user's principal, whose properties name the
// folder (RFC 4791, section 6.2.1; RFC 5397).
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

// start returns the properties of the configured address. If these properties do not lead to calendars, start returns the properties of
// the address wellKnown.
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

// status() returns the HTTP status that caused an error, or 0.
func status(err error) int {
	var s *fetch.StatusError
	if errors.As(err, &s) {
		return s.Code
	}
	return 0
}

// lost() returns the error for a server that lists no calendars.
func (s *Server) lost() error {
	return fmt.Errorf("%s: the server lists no calendars; use the address of one calendar, which the server's web page shows", s.ask.Shown())
}

func (s *Server) folder(from response, home string) (place, []collection, error) {
	at, err := s.resolve(from.base, home)
	return place{at, "1"}, nil, err
}

// at() returns the address of a path on the configured server.
func (s *Server) at(path string) string {
	u, err := url.Parse(s.ask.URL)
	if err != nil {
		return s.ask.URL
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}).String()
}

// resolve resolves a reference from an answer. A reference to another host is an error, because the password is sent only to the
// configured host.
func (s *Server) resolve(base *url.URL, href string) (string, error) {
	home, err := url.Parse(s.ask.URL)
	if err != nil {
		return "", err
	}
	u, err := base.Parse(href)
	if err != nil {
		return "", fmt.Errorf("%s: the answer contains an invalid address", s.ask.Shown())
	}
	if fetch.SameOrigin(home, u) {
		return u.String(), nil
	}
	if s.ask.Secret {
		return "", errors.New("the server's calendars are on another host, which does not get the password")
	}
	return "", fmt.Errorf("%s: its calendars are at %s, which does not get the password; configure that address to send the password there", s.ask.Shown(), fetch.Redact(u.String()))
}

// calendars() lists the calendars at a place.
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

// properties() requests the properties of an address.
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

// properties is the request body with which the properties of addresses are requested.
const properties = `<?xml version="1.0" encoding="utf-8"?>` +
	`<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/" xmlns:A="http://apple.com/ns/ical/"><D:prop>` +
	`<D:resourcetype/><D:current-user-principal/><C:calendar-home-set/><C:supported-calendar-component-set/><S:getctag/><D:sync-token/><A:calendar-color/>` +
	`</D:prop></D:propfind>`

// whole is the status of a complete answer to PROPFIND and REPORT: 207 Multi-Status (RFC 4918, section 11.1).
const whole = http.StatusMultiStatus
