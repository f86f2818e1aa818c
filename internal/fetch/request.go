package fetch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Limit returns the maximum number of bytes that are read from a response.
func (r *Request) Limit() int64 { return cmp.Or(r.MaxBytes, MaxJSON) }

// method() returns the method of the request in upper case.
func (r *Request) method() string { return strings.ToUpper(cmp.Or(r.Method, http.MethodGet)) }

func (r *Request) build(ctx context.Context) (*http.Request, error) {
	u, err := parseURL(r.URL)
	if err != nil {
		return nil, err
	}
	if len(r.Query) > 0 {
		q := u.Query()
		for k, v := range r.Query {
			q[k] = append(q[k], v...)
		}
		u.RawQuery = q.Encode()
	}
	body, isJSON, err := r.body()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, r.method(), u.String(), body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRequest, inner(err))
	}
	r.setHeader(req, isJSON)
	return req, nil
}

// hostPort matches an address that begins with a host and a port instead of a scheme, such as house.lan:8080/status.
var hostPort = regexp.MustCompile(`^[^/:]+:[0-9]+(?:[/?#]|$)`)

// parseURL accepts http and https addresses with a host. Its errors do not contain the URL.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if hostPort.MatchString(text) {
		u, err = &url.URL{}, nil // for url.Parse, the host may be a scheme
	}
	if err != nil {
		return nil, fmt.Errorf("%w: not a URL: %w", ErrRequest, inner(err))
	}
	if u.Scheme == "" {
		return nil, fmt.Errorf("%w: the address has no scheme: write http:// or https:// before it", ErrRequest)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%w: scheme %q is neither http nor https", ErrRequest, u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("%w: the URL has no host", ErrRequest)
	}
	return u, nil
}

// body() returns the body to send, or nil. It is a bytes.Reader, because net/http can then send it again after a redirect.
func (r *Request) body() (body io.Reader, isJSON bool, err error) {
	if r.Body != nil {
		return bytes.NewReader(r.Body), false, nil
	}
	if r.JSON == nil {
		return nil, false, nil
	}
	data, err := json.Marshal(r.JSON)
	if err != nil {
		return nil, false, fmt.Errorf("%w: body: %w", ErrRequest, err)
	}
	return bytes.NewReader(data), true, nil
}

func (r *Request) setHeader(req *http.Request, isJSON bool) {
	if isJSON {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range r.Header {
		switch {
		case strings.EqualFold(k, "Host"):
			req.Host = v
		case v != "": // it is "" if the user has left out a key
			req.Header.Set(k, v)
		}
	}
	if r.ETag != "" {
		req.Header.Set("If-None-Match", r.ETag)
	}
	if r.LastModified != "" {
		req.Header.Set("If-Modified-Since", r.LastModified)
	}
	switch {
	case r.Auth.Bearer != "":
		req.Header.Set("Authorization", "Bearer "+r.Auth.Bearer)
	case r.Auth.Username != "" || r.Auth.Password != "":
		req.SetBasicAuth(r.Auth.Username, r.Auth.Password)
	}
}

// CheckURL returns the reason why Do would refuse an address. The error does not contain the address.
func CheckURL(raw string) error {
	_, err := parseURL(raw)
	return err
}
