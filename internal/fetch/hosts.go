package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// Hosts lists the only hosts that a client may request. An entry is a host, or a host and its port.
type Hosts struct {
	// Named hosts were chosen by the author of a file. Their names must not resolve to addresses of the home network or of this
	// machine.
	Named []string
	// Given hosts were chosen by the user.
	Given []string
}

// allow reports whether a URL's host is in the list.
func (h *Hosts) allow(u *url.URL) bool {
	match := func(entry string) bool {
		entry = strings.ToLower(entry)
		return entry == strings.ToLower(u.Hostname()) || entry == strings.ToLower(u.Host) || entry == strings.ToLower(u.Hostname())+":"+port(u)
	}
	return slices.ContainsFunc(h.Named, match) || slices.ContainsFunc(h.Given, match)
}

// chosen reports whether the user chose the host of a dialed address.
func (h *Hosts) chosen(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(h.Given, func(entry string) bool {
		name := entry
		if n, _, err := net.SplitHostPort(entry); err == nil {
			name = n
		}
		return strings.EqualFold(strings.Trim(name, "[]"), host)
	})
}

// Only returns a client with the options of c that requests only the given hosts, also after redirects. It reads no netrc file.
func (c *Client) Only(h Hosts) *Client {
	o := c.options
	o.Netrc = ""
	next := roundTripper(nil)
	if c.given != nil {
		next = idle{c.given}
	} else {
		next = guardNamed(&o, &h)
	}
	return &Client{http: &http.Client{Transport: hostTransport{&h, next}, CheckRedirect: CheckRedirect}, options: o, hosts: &h, given: c.given}
}

// idle is a transport of a test. It keeps no connections.
type idle struct{ http.RoundTripper }

// CloseIdleConnections implements roundTripper.
func (idle) CloseIdleConnections() {}

// Within returns a client that may request only some of the hosts of c. If c is nil or already limited to certain hosts, Within
// returns c unchanged.
func (c *Client) Within(hosts []string) *Client {
	if c == nil || c.hosts != nil {
		return c
	}
	return c.Only(Hosts{Given: hosts})
}

// Host returns an error unless the client may request the host of a URL.
func (c *Client) Host(raw string) error {
	u, err := parseURL(raw)
	if err != nil || c.hosts == nil || c.hosts.allow(u) {
		return err
	}
	return notAmong(u)
}

func notAmong(u *url.URL) error {
	return fmt.Errorf("%w: %s is not among the hosts", ErrRefused, u.Host)
}

// hostTransport refuses requests to other hosts. A redirect is another request, so it is checked too.
type hostTransport struct {
	hosts *Hosts
	next  roundTripper
}

// RoundTrip implements http.RoundTripper.
func (t hostTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.hosts.allow(r.URL) {
		return nil, notAmong(r.URL)
	}
	if r.Host != "" && !strings.EqualFold(r.Host, r.URL.Host) && !t.hosts.allow(&url.URL{Scheme: r.URL.Scheme, Host: r.Host}) {
		return nil, notAmong(&url.URL{Host: r.Host}) // one server may serve many names
	}
	return t.next.RoundTrip(r)
}

// CloseIdleConnections implements roundTripper.
func (t hostTransport) CloseIdleConnections() { t.next.CloseIdleConnections() }

// guardNamed returns a transport that connects to home addresses only for hosts that the user chose.
func guardNamed(o *Options, h *Hosts) roundTripper {
	t, err := NewTransport(o)
	if err != nil {
		plain, _ := NewTransport(&Options{Guard: o.Guard})
		return agentTransport{agent: o.agent(), next: refused{err, plain}}
	}
	free := t.DialContext
	guard := publicGuard()
	guarded := &net.Dialer{Timeout: Connect, Control: func(network, address string, _ syscall.RawConn) error {
		return guard.Check(network, address)
	}}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if isNamed(h, address) && !h.chosen(address) {
			return guarded.DialContext(ctx, network, address)
		}
		return free(ctx, network, address) // the host of a user, or the proxy
	}
	return agentTransport{agent: o.agent(), next: t}
}

// isNamed reports whether a dialed address belongs to a named host. The address of a proxy does not.
func isNamed(h *Hosts, address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return true
	}
	return slices.ContainsFunc(h.Named, func(entry string) bool {
		return strings.EqualFold(entry, host) || strings.EqualFold(entry, net.JoinHostPort(host, port))
	})
}
