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
	// frameSilence and eventSilence limit silence in a frame and in events. A service sends something every 20 s, and one message
	// may be lost.
	frameSilence = 30 * time.Second
	eventSilence = 45 * time.Second
	// frameTime limits the transfer of a frame.
	frameTime = 2 * time.Minute
	// maxFileBytes limits a frame's file on a small screen. On a larger screen the limit is pixelBytes for each pixel, which is
	// more than a BMP needs.
	maxFileBytes = 8 << 20
	// maxRedirects limits redirects. A proxy's step to https is one of them.
	maxRedirects = 5
	// rememberBytes is the part of an unneeded answer that is read to reuse the connection.
	rememberBytes = 4 << 10
	// idleTime is the lifetime of an idle connection: longer than the interval of a clock's frames, and shorter than the limit of
	// most services and proxies.
	idleTime = 55 * time.Second
)

var (
	errSilent = errors.New("nothing has arrived for too long")
	errSlow   = errors.New("it takes too long")
	errLarge  = errors.New("more bytes than a frame of this screen can have")
	errAstray = fmt.Errorf("more than %d redirects", maxRedirects)
)

// newTransport returns the transport for connections. dial is nil except in tests.
func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) (*http.Transport, error) {
	t, err := fetch.NewTransport(nil)
	if err != nil {
		return nil, err
	}
	if dial != nil {
		t.DialContext = dial
	}
	t.IdleConnTimeout = idleTime
	t.DisableCompression = true // pictures are already compressed, and events must not be delayed
	return t, nil
}

// An answer is a response whose body ends with an error if nothing arrives for too long. The caller has to close it.
type answer struct {
	*http.Response
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	silence time.Duration
}

// do sends a request. From then on, an error ends the answer if nothing arrives for the duration of silence.
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

// why returns the reason for which the request was canceled, or err if it was not.
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

// Close ends the answer. If little is left, it reads the rest, so that the connection can be used again.
func (a *answer) Close() {
	if a.ContentLength <= rememberBytes {
		_, _ = io.CopyN(io.Discard, a, rememberBytes) // a failure only costs the connection
	}
	a.Body.Close()
	a.stop()
}

// Abort ends an endless answer.
func (a *answer) Abort() {
	a.stop()
	a.Body.Close()
}

// maxFile returns the limit of a frame's file, in bytes.
func maxFile(screen image.Point) int64 { return max(maxFileBytes, pixelBytes*area(screen)) }

// redirect follows redirects. It drops the token at the first redirect to another scheme, host or port, and does not restore it.
// net/http would send the token to every port of the host and to its subdomains.
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

// origin returns the origin of an address: scheme, host and port, RFC 6454 section 4.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// readFile reads the whole body into buf, which grows as bytes arrive, whatever length the header states.
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
