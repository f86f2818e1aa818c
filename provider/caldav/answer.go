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
	nsServer = "http://calendarserver.org/ns/" // namespace of Apple's calendar server, for ctag; most servers support ctag
	nsApple  = "http://apple.com/ns/ical/"     // namespace of Apple's calendar program, for colors; most servers support them
)

// request sends a request and parses its answer. `base` is the address of the answer after redirects. `most` is the maximum size of the
// answer, in bytes.
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
		err = fmt.Errorf("the answer is <%.40s>, not a list of properties", root.Name)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", method, r.Shown(), err)
	}
	return root, base, nil
}

// check returns an error unless the status is 207. If the server does not support WebDAV, or if a redirect leads to a host that must not
// get the password, the error explains this.
func (s *Server) check(resp *fetch.Response, base *url.URL) error {
	switch {
	case resp.Status == whole:
		return nil
	case resp.Status == http.StatusUnauthorized && !s.home(base) && !s.ask.Secret:
		return fmt.Errorf("it redirects to %s, which does not get the password; configure that address to send the password there", fetch.Redact(base.String()))
	case resp.Status >= 200 && resp.Status < 300:
		return fmt.Errorf("status %d: there is no WebDAV at this address", resp.Status)
	}
	return resp.Check()
}

// home() reports whether an address has the scheme and host of the configured address.
func (s *Server) home(u *url.URL) bool {
	mine, err := url.Parse(s.ask.URL)
	return err == nil && fetch.SameOrigin(mine, u)
}

// A response is the part of a server's answer that describes one address (RFC 4918, section 14.24).
type response struct {
	*document.Element
	base *url.URL // base of relative references in the response
}

// responses() yields the responses that an answer contains.
func responses(root *document.Element) iter.Seq[response] {
	return func(yield func(response) bool) {
		for _, e := range root.Children {
			if e.Space == nsDAV && e.Name == "response" && !yield(response{Element: e}) {
				return
			}
		}
	}
}

// prop returns a property of the address, or nil if it is missing.
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

// good() reports whether a status is 2xx or missing.
func good(status *document.Element) bool {
	if status == nil {
		return true
	}
	words := strings.Fields(status.Text)
	return len(words) > 1 && strings.HasPrefix(words[1], "2")
}

// child returns the first child element with a name, or nil.
func child(e *document.Element, space, name string) *document.Element {
	for _, c := range e.Children {
		if c.Space == space && c.Name == name {
			return c
		}
	}
	return nil
}

// text returns the text of a property, or "".
func (r response) text(space, name string) string {
	if p := r.prop(space, name); p != nil {
		return strings.TrimSpace(p.Text)
	}
	return ""
}

// address returns the reference (href) in a property, or "".
func (r response) address(space, name string) string {
	if p := r.prop(space, name); p != nil {
		if h := child(p, nsDAV, "href"); h != nil {
			return strings.TrimSpace(h.Text)
		}
	}
	return ""
}

// leads() reports whether the response is useful for find(): it describes a calendar or refers to calendars.
func (r response) leads() bool {
	return r.isCalendar() || r.address(nsCalDAV, "calendar-home-set") != "" || r.address(nsDAV, "current-user-principal") != ""
}

func (r response) isCalendar() bool {
	kind := r.prop(nsDAV, "resourcetype")
	return kind != nil && child(kind, nsCalDAV, "calendar") != nil
}

// calendar returns the calendar that a response describes. ok is false if the response does not describe a calendar with events or tasks,
// or if the calendar's address is unusable.
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

// plainColor converts #RRGGBBAA or #RRGGBB to #rrggbb. It returns "" for any other text.
func plainColor(s string) string {
	const short, long = len("#rrggbb"), len("#rrggbbaa")
	if (len(s) != short && len(s) != long) || s[0] != '#' || strings.Trim(s[1:], "0123456789abcdefABCDEF") != "" {
		return ""
	}
	return strings.ToLower(s[:short])
}

// kinds() returns the kinds of entries that a calendar can contain. If the server does not list them, the calendar can contain all kinds
// (RFC 4791, section 5.2.3).
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
