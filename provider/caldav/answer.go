package caldav

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"dashboard/internal/fetch"
	"dashboard/provider/document"
)

// Namespaces of properties.
const (
	nsDAV    = "DAV:"
	nsCalDAV = "urn:ietf:params:xml:ns:caldav"
	nsServer = "http://calendarserver.org/ns/" // of Apple's calendar server; most servers have its ctag
	nsApple  = "http://apple.com/ns/ical/"     // of Apple's calendar program; most servers have its color
)

// request sends one and reads its answer; base is the address that gave it, after redirects.
func (s *Server) request(ctx context.Context, method, at, depth, body string, most int64) (root *document.Element, base *url.URL, err error) {
	r := s.ask
	r.Method, r.URL, r.Body, r.MaxBytes = method, at, []byte(body), most
	r.Header = map[string]string{}
	for k, v := range s.ask.Header {
		r.Header[k] = v
	}
	r.Header["Depth"], r.Header["Content-Type"] = depth, "application/xml; charset=utf-8"
	resp, err := s.client.Do(ctx, &r)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Release()
	if base, err = url.Parse(cmp.Or(resp.URL, at)); err != nil {
		return nil, nil, err
	}
	if err := s.check(resp, base); err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", method, r.Shown(), err)
	}
	root, err = document.ReadElements(ctx, resp.Body)
	if err == nil && (root.Name != "multistatus" || root.Space != nsDAV) {
		err = fmt.Errorf("the answer is <%.40s> and no list of properties", root.Name)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", method, r.Shown(), err)
	}
	return root, base, nil
}

// check refuses what is no answer to a question of CalDAV.
func (s *Server) check(resp *fetch.Response, base *url.URL) error {
	switch {
	case resp.Status == whole:
		return nil
	case resp.Status == http.StatusUnauthorized && !s.home(base) && !s.ask.Secret:
		return fmt.Errorf("it leads to %s, which gets no password; write that address if it is to get it", fetch.Redact(base.String()))
	case resp.Status >= 200 && resp.Status < 300:
		return fmt.Errorf("status %d: there is no CalDAV at this address", resp.Status)
	}
	return resp.Check()
}

// home reports whether an address is of the host that was written.
func (s *Server) home(u *url.URL) bool {
	mine, err := url.Parse(s.ask.URL)
	return err == nil && fetch.SameOrigin(mine, u)
}

// A response is what an answer says of one address (RFC 4918, section 14.24).
type response struct {
	*document.Element
	base *url.URL // of its references
}

// responses goes through those of an answer.
func responses(root *document.Element) iter.Seq[response] {
	return func(yield func(response) bool) {
		for _, e := range root.Children {
			if e.Space == nsDAV && e.Name == "response" && !yield(response{Element: e}) {
				return
			}
		}
	}
}

// prop is a property that the address has; nil if it has none of that name.
func (r response) prop(space, name string) *document.Element {
	if r.Element == nil {
		return nil
	}
	for _, set := range r.Children {
		if set.Name != "propstat" || !good(child(set, nsDAV, "status")) {
			continue
		}
		if props := child(set, nsDAV, "prop"); props != nil {
			if p := child(props, space, name); p != nil {
				return p
			}
		}
	}
	return nil
}

// good reports whether a status is one of the 200s; none is good as well.
func good(status *document.Element) bool {
	if status == nil {
		return true
	}
	words := strings.Fields(status.Text)
	return len(words) > 1 && strings.HasPrefix(words[1], "2")
}

// child is the first child of a name; nil if there is none.
func child(e *document.Element, space, name string) *document.Element {
	for _, c := range e.Children {
		if c.Space == space && c.Name == name {
			return c
		}
	}
	return nil
}

// text is what a property says; "" if there is none.
func (r response) text(space, name string) string {
	if p := r.prop(space, name); p != nil {
		return strings.TrimSpace(p.Text)
	}
	return ""
}

// address is the reference in a property; "" if there is none.
func (r response) address(space, name string) string {
	if p := r.prop(space, name); p != nil {
		if h := child(p, nsDAV, "href"); h != nil {
			return strings.TrimSpace(h.Text)
		}
	}
	return ""
}

// leads reports whether an address is a calendar, or tells the way to some.
func (r response) leads() bool {
	return r.isCalendar() || r.address(nsCalDAV, "calendar-home-set") != "" || r.address(nsDAV, "current-user-principal") != ""
}

func (r response) isCalendar() bool {
	kind := r.prop(nsDAV, "resourcetype")
	return kind != nil && child(kind, nsCalDAV, "calendar") != nil
}

// calendar is the calendar that a response tells of.
func (r response) calendar(s *Server) (c collection, ok bool) {
	if !r.isCalendar() {
		return c, false
	}
	href := child(r.Element, nsDAV, "href")
	if href == nil {
		return c, false
	}
	var err error
	if c.url, err = s.resolve(r.base, strings.TrimSpace(href.Text)); err != nil {
		return c, false
	}
	if c.mark = r.text(nsServer, "getctag"); c.mark == "" {
		c.mark = r.text(nsDAV, "sync-token")
	}
	c.has, c.color = r.kinds(), plainColor(r.text(nsApple, "calendar-color"))
	return c, c.has.events || c.has.tasks
}

// plainColor returns a color of the form #RRGGBB or #RRGGBBAA without its opacity; "" for anything else.
func plainColor(s string) string {
	const short, long = len("#rrggbb"), len("#rrggbbaa")
	if (len(s) != short && len(s) != long) || s[0] != '#' || strings.Trim(s[1:], "0123456789abcdefABCDEF") != "" {
		return ""
	}
	return strings.ToLower(s[:short])
}

// kinds is what a calendar may hold: without a word of the server, everything (RFC 4791, section 5.2.3).
func (r response) kinds() kinds {
	set := r.prop(nsCalDAV, "supported-calendar-component-set")
	if set == nil {
		return kinds{true, true}
	}
	var k kinds
	for _, c := range set.Children {
		switch strings.ToUpper(c.Attribute("name")) {
		case "VEVENT":
			k.events = true
		case "VTODO":
			k.tasks = true
		}
	}
	return k
}
