package fetch

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// Hosts lists the only hosts that a client may request. An entry is a host with or without a port.
type Hosts struct {
	// Named lists hosts that the author of a file has chosen. Their names must not resolve to addresses of the home network or of this
	// machine.
	Named []string
	// Domains lists domains of a service, each with a dot in front, such as ".example.org". The hosts in these domains are treated like
	// the hosts in Named.
	Domains []string
	// Given lists hosts that the user has chosen.
	Given []string
}

// among() reports whether a URL's host is in a list.
func among(list []string, u *url.URL) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		entry = strings.ToLower(entry)
		return entry == strings.ToLower(u.Hostname()) || entry == strings.ToLower(u.Host) || entry == strings.ToLower(u.Hostname())+":"+port(u)
	})
}

// allow reports whether a URL's host is in one of the lists.
func (h *Hosts) allow(u *url.URL) bool {
	return among(h.Named, u) || among(h.Given, u) ||
		slices.ContainsFunc(h.Domains, func(d string) bool { return strings.HasSuffix(strings.ToLower(u.Hostname()), d) })
}

// Only returns a client that requests only the given hosts, also after redirects. The new client has the options and certificates of c,
// but reads no netrc file.
func (c *Client) Only(h Hosts) *Client {
	o := c.options
	o.Netrc = ""
	t := hostTransport{hosts: &h}
	if c.given != nil {
		t.named, t.given = idle{c.given}, idle{c.given}
	} else {
		t.named, t.given = ofOptions(&o, publicGuard()), ofOptions(&o, nil)
	}
	return &Client{http: &http.Client{Transport: t, CheckRedirect: CheckRedirect}, options: o, hosts: &h, given: c.given}
}

// idle adds the method CloseIdleConnections to a transport of NewWith. The method does nothing.
type idle struct{ http.RoundTripper }

// CloseIdleConnections implements roundTripper.
func (idle) CloseIdleConnections() {}

// Within returns a client that may request only the given hosts. If c is nil or was limited before, Within returns c unchanged.
func (c *Client) Within(hosts []string) *Client {
	if c == nil || c.hosts != nil {
		return c
	}
	return c.Only(Hosts{Given: hosts})
}

// Host returns an error if the client is not allowed to request the host of a URL.
func (c *Client) Host(raw string) error {
	u, err := parseURL(raw)
	if err != nil || c == nil || c.hosts == nil || c.hosts.allow(u) {
		return err
	}
	return notAmong(u)
}

func notAmong(u *url.URL) error {
	return fmt.Errorf("%w: %s is not among the hosts", ErrRefused, u.Host)
}

// hostTransport refuses requests to hosts that are not in `hosts`. A redirect causes another request, so its host is checked too.
type hostTransport struct {
	hosts        *Hosts
	named, given roundTripper // `named` is for the hosts in Named and Domains, `given` for the hosts in Given
}

// RoundTrip implements http.RoundTripper.
func (t hostTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.hosts.allow(r.URL) {
		return nil, notAmong(r.URL)
	}
	if r.Host != "" && !strings.EqualFold(r.Host, r.URL.Host) && !t.hosts.allow(&url.URL{Scheme: r.URL.Scheme, Host: r.Host}) {
		return nil, notAmong(&url.URL{Host: r.Host}) // check the Host header too, because one server may serve several hosts
	}
	if among(t.hosts.Given, r.URL) {
		return t.given.RoundTrip(r)
	}
	return t.named.RoundTrip(r)
}

// CloseIdleConnections implements roundTripper.
func (t hostTransport) CloseIdleConnections() {
	t.named.CloseIdleConnections()
	t.given.CloseIdleConnections()
}

// ofOptions returns a transport with the options o. If `guard` is not nil, the transport connects only to proxies and to addresses that
// both `guard` and the guard of o allow.
func ofOptions(o *Options, guard *Guard) roundTripper {
	t, err := NewTransport(o)
	if err != nil {
		plain, _ := NewTransport(&Options{Guard: o.Guard})
		return agentTransport{agent: o.agent(), next: refused{err, plain}}
	}
	if guard == nil {
		return agentTransport{agent: o.agent(), next: t}
	}
	free, known := t.DialContext, proxies(t)
	guarded := &net.Dialer{Timeout: Connect, Control: func(network, address string, _ syscall.RawConn) error {
		if err := guard.Check(network, address); err != nil || o.Guard == nil {
			return err
		}
		return o.Guard.Check(network, address)
	}}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if slices.Contains(known, address) {
			return free(ctx, network, address)
		}
		return guarded.DialContext(ctx, network, address)
	}
	return agentTransport{agent: o.agent(), next: t}
}

// proxies() returns the addresses of a transport's proxies.
func proxies(t *http.Transport) (all []string) {
	for _, scheme := range []string{"http", "https"} {
		if t.Proxy == nil {
			break
		}
		u, err := t.Proxy(&http.Request{URL: &url.URL{Scheme: scheme, Host: "host.invalid"}})
		if err == nil && u != nil {
			all = append(all, net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme], "80")))
		}
	}
	return all
}
