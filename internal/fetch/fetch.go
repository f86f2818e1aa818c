// Package fetch makes one HTTP request and returns its response. It limits the time, the bytes and the redirects. Its errors name the host,
// but they never contain a secret.
package fetch

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/folder"
)

// Bounds of one request. A field of [Request] may override a bound.
const (
	Timeout = 30 * time.Second // time limit from the start of the name look-up to the last byte of the body
	// Connect is the time limit for the name look-up and the TCP connection. Devices at home answer within milliseconds or not at all.
	Connect  = 5 * time.Second
	MaxJSON  = 8 << 20  // maximum size of a document, after decompression
	MaxImage = 16 << 20 // maximum size of an encoded picture

	maxRedirects = 5        // a chain http→https, host→www and path→path/ has three redirects
	maxHeader    = 64 << 10 // maximum size of a response header. Servers commonly stop at 16 KiB
	idlePerHost  = 2        // maximum number of idle connections to one host
	idleTotal    = 16       // maximum number of idle connections to all hosts. A board has few file handles and little memory
	idleTimeout  = 90 * time.Second

	small  = 1 << 20 // bytes of a body that are read without waiting for other requests
	middle = 8 << 20 // bytes reserved for a larger body of unknown length. Above this size, the body fails unless more bytes are free at once
)

// Causes of a failed request. Use errors.Is to test for them.
var (
	ErrUnavailable = errors.New("unavailable")        // no complete response, because of the name, the connection, TLS or a timeout
	ErrTooLarge    = errors.New("answer too large")   // more bytes than allowed
	ErrRefused     = errors.New("address refused")    // refused by the guard
	ErrRequest     = errors.New("impossible request") // the URL, the method or the body is invalid

	ErrPage = errors.New("the answer is a web page, not data; check the address and the login")
)

// An Error names the request that failed and wraps the cause. URL has the form of [Request.Shown].
type Error struct {
	Method, URL string
	Err         error
}

// Error implements error.
func (e *Error) Error() string { return e.Method + " " + e.URL + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// A StatusError reports a response with an unexpected status.
type StatusError struct {
	Code int
	Body string        // beginning of the response's text
	Wait time.Duration // pause that the server requests, or 0 for none
}

// RetryAfter returns the pause that the server requests (RFC 9110, section 10.2.3), or 0.
func (e *StatusError) RetryAfter() time.Duration { return e.Wait }

// Error implements error.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("status %d %s", e.Code, http.StatusText(e.Code))
	if e.Code == http.StatusUnauthorized {
		text += " (check the name and the password, or the token)"
	}
	if e.Body != "" {
		text += ": " + e.Body
	}
	return strings.TrimSpace(text)
}

// Auth is the identity of the sender of a request. The zero value means an anonymous request. A bearer token takes precedence over a name
// and a password. A name and a password are sent with basic authentication (RFC 7617). If the server requires digest authentication (RFC
// 7616), the request is repeated with a digest.
type Auth struct {
	Bearer             string
	Username, Password string
	Tokens             Tokens // source of the bearer token for each request, or nil
}

// Tokens is a source of access tokens, which expire after some time.
type Tokens interface {
	// Token returns a token that is valid now.
	Token(ctx context.Context) (string, error)
	// Refuse records that a server did not accept a token (status 401).
	Refuse(token string)
}

// signed() returns a copy of the request with an access token from Auth.Tokens.
func (r *Request) signed(ctx context.Context) (*Request, error) {
	if r.Auth.Tokens == nil {
		return r, nil
	}
	token, err := r.Auth.Tokens.Token(ctx)
	if err != nil {
		return nil, err
	}
	own := *r
	own.Auth.Bearer = token
	return &own, nil
}

// A Request describes what to fetch. Only URL is required. Do does not change the request.
type Request struct {
	Method   string // "" = GET
	URL      string // http or https
	Secret   bool   // true if the URL is never shown, not even its host
	Header   map[string]string
	Query    url.Values // added to the query of the URL
	Body     []byte     // sent unchanged. Takes precedence over JSON
	JSON     any        // if not nil, sent as JSON with its content type
	Auth     Auth       // overrides an Authorization in Header
	Timeout  time.Duration
	MaxBytes int64 // 0 = MaxJSON

	// ETag and LastModified come from an earlier response that the caller still has. The server can then answer that nothing has changed
	// (Response.NotModified).
	ETag, LastModified string

	// CAFile is the path of a file with certificates of authorities, or "" for none. The request trusts these authorities in addition to
	// the authorities that the client trusts.
	CAFile string
}

// A Response is a complete response. The caller owns Body. If a body has more than 1 MiB, Do waits until there is room for it next to the
// bodies of other requests ([budget.Memory]). This waiting time is part of Timeout. The body keeps its room until Release. So even many
// cameras at once need only the memory for a few bodies.
type Response struct {
	Status             int
	URL                string // URL that answered, after redirects; "" for a file
	ContentType        string
	Body               []byte
	ETag, LastModified string
	Expires            time.Time     // time until which the response is valid, or zero
	RetryAfter         time.Duration // pause that the server requests, or 0 for none
	Whole              int64         // if Body is a part of a file (Content-Range), the size of the whole file in bytes, or 0 if unknown

	bodies *budget.Budget // nil for a file
	held   int64          // bytes that the response has taken from the budget `bodies`
	asked  *Request       // nil for a file
}

// Release returns the memory of Body, which the caller must not use after that. Call it early, because other requests may wait for the
// memory. Unless the request has set MaxBytes to at most 1 MiB, its response must be released. A second call does nothing.
func (r *Response) Release() {
	if r.held > 0 {
		r.bodies.Give(r.held)
		r.held = 0
	}
}

// NotModified reports whether the caller's copy is still valid.
func (r *Response) NotModified() bool { return r.Status == http.StatusNotModified }

// Check returns a [*StatusError] if the status is not 200.
func (r *Response) Check() error {
	if r.Status == http.StatusOK {
		return nil
	}
	return &StatusError{Code: r.Status, Body: r.said(), Wait: r.RetryAfter}
}

// A Client makes requests. The requests share connections. A Client may be used by many goroutines at once.
type Client struct {
	http    *http.Client
	guarded bool
	options Options
	hosts   *Hosts            // only hosts that may be requested, or nil for all
	given   http.RoundTripper // transport of NewWith, or nil for the network

	mu      sync.Mutex
	special map[string]trusting // clients for requests with a CAFile, by the path of this file
	files   *folder.Root        // see root(); nil before the first request with a CAFile
}

// Options of a client.
type Options struct {
	// Guard decides to which addresses the client may connect, also after a redirect. If Guard is nil, all addresses are allowed. A
	// client with a guard uses no proxy, because a proxy would hide the address.
	Guard *Guard
	// UserAgent is the User-Agent of requests that do not set this header. "" = "dashboard".
	UserAgent string
	// CABundle is a file or folder of certificates that replaces the system's certificates. CAFile is a file of additional certificates.
	// All these files are in PEM format.
	CABundle, CAFile string
	// Netrc is a file with user names and passwords by host, for requests without credentials. "" = none. A client with a guard ignores
	// it.
	Netrc string

	parsed *x509.CertPool // certificates of CABundle and CAFile, after they were read
}

// New returns a client. If o is nil, the environment of the process sets the options (see [Environment]). If the certificates of CABundle
// or CAFile are not valid, New still returns a client, but each https request fails with the reason.
func New(o *Options) *Client {
	if o == nil {
		o = Environment(os.Getenv)
	}
	t, err := NewTransport(o)
	next := roundTripper(t)
	if err != nil {
		plain, _ := NewTransport(&Options{Guard: o.Guard})
		next = refused{err, plain}
	}
	c := NewWith(agentTransport{agent: o.agent(), next: next})
	c.guarded, c.options, c.given = o.Guard != nil, *o, nil
	if err == nil && t.TLSClientConfig != nil {
		c.options.parsed = t.TLSClientConfig.RootCAs
	}
	return c
}

func (o *Options) agent() string { return cmp.Or(o.UserAgent, "dashboard") }

// NewWith returns a client that sends all requests through t. A test can use a t that returns recorded responses.
func NewWith(t http.RoundTripper) *Client {
	return &Client{http: &http.Client{Transport: t, CheckRedirect: CheckRedirect}, given: t}
}

// CloseIdle closes the connections that no request uses at the moment.
func (c *Client) CloseIdle() {
	c.http.CloseIdleConnections()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.special {
		h.CloseIdleConnections()
	}
}

// Do makes the request and reads the whole response, no matter which status the response has. Every error is an [*Error].
func (c *Client) Do(ctx context.Context, r *Request) (*Response, error) {
	resp, err := c.do(ctx, r)
	if err != nil {
		return nil, r.Failure(err)
	}
	return resp, nil
}

func (c *Client) do(ctx context.Context, r *Request) (*Response, error) {
	if strings.HasPrefix(r.URL, "file://") {
		return nil, fmt.Errorf("%w: files are not allowed here", ErrRequest)
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.Timeout, Timeout))
	defer cancel()
	r, resp, err := c.answer(ctx, r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	bodies := budget.Of(ctx).Bodies
	body, held, err := readAll(ctx, bodies, resp.Body, resp.ContentLength, r.Limit())
	if err != nil {
		return nil, err
	}
	return &Response{
		Status: resp.StatusCode, URL: answered(resp), ContentType: resp.Header.Get("Content-Type"), Body: body, asked: r,
		ETag: resp.Header.Get("ETag"), LastModified: resp.Header.Get("Last-Modified"), bodies: bodies, held: held,
		Whole: whole(resp.Header.Get("Content-Range")), Expires: expires(resp.Header, time.Now()), RetryAfter: retryAfter(resp.Header, time.Now()),
	}, nil
}

// whole() returns the size of a file in a Content-Range such as "bytes 0-99/1234" (RFC 9110, section 14.4), or 0 if the size is unknown.
func whole(contentRange string) int64 {
	_, length, _ := strings.Cut(contentRange, "/")
	n, err := strconv.ParseInt(length, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// answer() sends a request. If the request has Tokens, it is sent with a token. If the server refuses the token, answer() repeats the
// request once with a new token.
func (c *Client) answer(ctx context.Context, r *Request) (*Request, *http.Response, error) {
	for again := r.Auth.Tokens != nil; ; again = false {
		signed, err := r.signed(ctx)
		if err != nil {
			return r, nil, err
		}
		resp, err := c.send(ctx, signed)
		if err != nil || !again || resp.StatusCode != http.StatusUnauthorized {
			return signed, resp, err
		}
		drop(resp)
		r.Auth.Tokens.Refuse(signed.Auth.Bearer)
	}
}

// answered() returns the address that a response comes from, or "" if the transport does not set this address.
func answered(resp *http.Response) string {
	if resp.Request == nil || resp.Request.URL == nil {
		return ""
	}
	return resp.Request.URL.String()
}

// send makes the request and returns the response. The caller has to close the body.
func (c *Client) send(ctx context.Context, r *Request) (*http.Response, error) {
	req, err := r.build(ctx)
	if err != nil {
		return nil, err
	}
	if req.Header.Get("Authorization") == "" && req.URL.User == nil && !c.guarded {
		if who, ok := netrc(c.options.Netrc, req.URL.Hostname()); ok {
			req.SetBasicAuth(who.Username, who.Password)
		}
	}
	h, err := c.connect(r.CAFile)
	if err != nil {
		return nil, err
	}
	resp, err := h.Do(req)
	if err != nil {
		return nil, cause(err)
	}
	if again := answerTo(req, resp); again != nil {
		drop(resp)
		if resp, err = h.Do(again); err != nil {
			return nil, cause(err)
		}
	}
	return resp, nil
}

// cause() classifies an error of http.Client and removes the URL from it.
func cause(err error) error {
	err = inner(err)
	if errors.Is(err, ErrRefused) || errors.Is(err, ErrRequest) {
		return err
	}
	return unavailable(err)
}

func unavailable(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: timed out: %w", ErrUnavailable, err)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// inner() removes the wrapping errors whose texts repeat the URL.
func inner(err error) error {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err
}

// Redact returns only the scheme and the host of a URL, because paths and queries may contain keys. Examples are the URL of a bot and of a
// private calendar. The path of a file is returned completely. A text that is not a URL becomes a fixed text.
func Redact(raw string) string {
	if strings.HasPrefix(raw, "file://") {
		return raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "(no URL)"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
}
