package client

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dashboard/internal/fetch"
)

const (
	// frameSilence is the longest accepted pause while a frame arrives. eventSilence is the longest accepted pause in the event stream.
	// The service sends an event or a ping at least every 20 s, so one of them may be lost.
	frameSilence = 30 * time.Second
	eventSilence = 45 * time.Second
	// frameTime bounds the time for receiving a frame.
	frameTime = 2 * time.Minute
	// maxFileBytes bounds the file of a frame on a small screen. On a larger screen the bound is pixelBytes for each pixel, which is more
	// than a BMP needs.
	maxFileBytes = 8 << 20
	// maxRedirects bounds the redirects of a request. A proxy may redirect once to https.
	maxRedirects = 5
	// rememberBytes bounds how many bytes of an unneeded body are read. After the whole body was read, the connection can be used again.
	rememberBytes = 4 << 10
	// idleTime is how long an unused connection is kept open. It is longer than the interval between frames of a clock that shows
	// seconds, and shorter than the idle timeout of most services and proxies.
	idleTime = 55 * time.Second
)

var (
	errSilent = errors.New("nothing has arrived for too long")
	errSlow   = errors.New("it takes too long")
	errLarge  = errors.New("more bytes than a frame of this screen can have")
	errAstray = fmt.Errorf("more than %d redirects", maxRedirects)
)

// newTransport returns the transport for all requests. `dial` is nil, except in tests.
func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) (*http.Transport, error) {
	t, err := fetch.NewTransport(nil)
	if err != nil {
		return nil, err
	}
	if dial != nil {
		t.DialContext = dial
	}
	t.IdleConnTimeout = idleTime
	t.DisableCompression = true // pictures are compressed already, and events must not be delayed
	return t, nil
}

// An answer is the response to a request. Reading the body returns an error if nothing arrives for too long. The caller must close the
// answer.
type answer struct {
	*http.Response
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	silence time.Duration
}

// do sends a request and returns the answer. If nothing arrives for the duration `silence`, the request and reading the answer fail.
func do(ctx context.Context, c *http.Client, req *http.Request, silence time.Duration) (*answer, error) {
	a := &answer{silence: silence}
	a.ctx, a.cancel = context.WithCancelCause(ctx)
	a.timer = time.AfterFunc(silence, func() { a.cancel(errSilent) })
	var err error
	a.Response, err = c.Do(req.WithContext(a.ctx))
	if err != nil {
		err = a.why(err)
		a.stop()
		return nil, err
	}
	return a, nil
}

// Read reads the body.
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.Body.Read(p)
	if err != nil && err != io.EOF {
		err = a.why(err)
	}
	a.timer.Reset(a.silence)
	return n, err
}

// why() returns the reason why the request was canceled, or err if the request was not canceled.
func (a *answer) why(err error) error {
	if cause := context.Cause(a.ctx); cause != nil {
		return cause
	}
	return err
}

func (a *answer) stop() {
	a.timer.Stop()
	a.cancel(nil)
}

// Close closes the answer. If the body has at most rememberBytes or an unknown length, Close first reads the rest, up to rememberBytes.
// After a complete read, the connection can be used again.
func (a *answer) Close() {
	if a.ContentLength <= rememberBytes {
		_, _ = io.CopyN(io.Discard, a, rememberBytes) // a failure only means that the connection cannot be used again
	}
	a.Body.Close()
	a.stop()
}

// Abort closes an answer that does not end, such as an event stream.
func (a *answer) Abort() {
	a.stop()
	a.Body.Close()
}

// maxFile returns the maximum size of the file of a frame, in bytes.
func maxFile(screen image.Point) int64 { return max(maxFileBytes, pixelBytes*area(screen)) }

// redirect follows redirects. After a redirect to another scheme, host or port, it removes the token from this request and from all later
// requests. net/http would send the token to every port of the host and to its subdomains.
func redirect(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errAstray
	}
	home := origin(via[0].URL)
	astray := origin(next.URL) != home
	for _, r := range via {
		astray = astray || origin(r.URL) != home
	}
	if astray {
		next.Header.Del("Authorization")
	}
	return nil
}

// origin() returns the origin of a URL: its scheme, host and port (RFC 6454, section 4).
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// readFile reads the whole body into buf. A body of more than the given number of bytes is an error. buf grows as bytes arrive, because
// the stated length may be wrong.
func (a *answer) readFile(buf []byte, most int64) ([]byte, error) {
	buf = buf[:0]
	if a.ContentLength > most {
		return buf, errLarge
	}
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := a.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > most:
			return buf, errLarge
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return buf, err
		}
	}
}
