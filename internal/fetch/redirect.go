package fetch

import (
	"fmt"
	"net/http"
	"net/url"
)

// agentTransport sets the User-Agent of every request that has no User-Agent.
type agentTransport struct {
	agent string
	next  roundTripper
}

// roundTripper is a transport whose idle connections can be closed.
type roundTripper interface {
	http.RoundTripper
	CloseIdleConnections()
}

// RoundTrip sends a request with the inner transport. If the request has no User-Agent, RoundTrip adds one.
func (a agentTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("User-Agent") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", a.agent)
	}
	return a.next.RoundTrip(r)
}

// CloseIdleConnections closes the idle connections of the inner transport. http.Client.CloseIdleConnections calls this method.
func (a agentTransport) CloseIdleConnections() { a.next.CloseIdleConnections() }

// `harmless` are the headers that a request keeps after a redirect to another host. Content-Type is kept too if the request has a body.
// Every other header may contain a key that only the first host may receive. net/http removes Authorization and cookies, but cannot
// recognize headers such as X-Api-Key.
var harmless = []string{"Accept", "Accept-Language", "Depth", "User-Agent"}

// CheckRedirect is a function for the field CheckRedirect of http.Client. It is for requests whose addresses may contain keys. It limits
// the number of redirects. It removes the credentials of the first host from requests to other hosts. The credentials stay removed even
// if a later redirect leads back to the first host, because another server chose that redirect.
func CheckRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if req.URL.Scheme != "http" && req.URL.Scheme != "https" {
		return fmt.Errorf("%w: redirect to scheme %q", ErrRequest, req.URL.Scheme)
	}
	if err := keepMethod(req, via[0]); err != nil {
		return err
	}
	left := !SameOrigin(via[0].URL, req.URL)
	for _, r := range via[1:] {
		left = left || !SameOrigin(via[0].URL, r.URL)
	}
	if left {
		kept := make(http.Header)
		for _, k := range harmless {
			if v := req.Header.Values(k); len(v) > 0 {
				kept[k] = v
			}
		}
		if t := req.Header.Get("Content-Type"); t != "" && req.Body != nil {
			kept.Set("Content-Type", t)
		}
		req.Header = kept
	}
	req.Header.Del("Referer") // the query of the address in this header may contain a key
	return nil
}

// SameOrigin reports whether requests to b may contain the credentials for a. The scheme, the host and the port must be equal. A change
// from http to https on their standard ports is allowed too.
func SameOrigin(a, b *url.URL) bool {
	if a.Hostname() != b.Hostname() {
		return false
	}
	if a.Scheme == b.Scheme {
		return port(a) == port(b)
	}
	return a.Scheme == "http" && port(a) == "80" && b.Scheme == "https" && port(b) == "443"
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// keepMethod keeps the method of a redirected PROPFIND or REPORT. These two methods change nothing on the server. net/http would turn
// every method except HEAD into GET. According to RFC 9110, sections 15.4.2 and 15.4.3, a redirect may turn only POST into GET.
func keepMethod(req, first *http.Request) error {
	if first.Method != "PROPFIND" && first.Method != "REPORT" || req.Method == first.Method {
		return nil
	}
	if r := req.Response; r == nil || r.StatusCode != http.StatusMovedPermanently && r.StatusCode != http.StatusFound {
		return nil
	}
	req.Method = first.Method
	if first.GetBody == nil {
		return nil
	}
	body, err := first.GetBody()
	if err != nil {
		return err
	}
	req.Body, req.GetBody, req.ContentLength = body, first.GetBody, first.ContentLength
	req.Header.Set("Content-Type", first.Header.Get("Content-Type"))
	return nil
}
