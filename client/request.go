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
	// frameSilence and eventSilence bound how long nothing may arrive: of a frame, and of events, where a
	// service says something every 20 s, so that one such word may get lost.
	frameSilence = 30 * time.Second
	eventSilence = 45 * time.Second
	// frameTime bounds the whole of a frame: one that drips in is no use.
	frameTime = 2 * time.Minute
	// maxFileBytes bounds a frame's file on a small screen; on a larger one a file may have pixelBytes a pixel, which is
	// more than a BMP has.
	maxFileBytes = 8 << 20
	// maxRedirects bounds how often an answer may point elsewhere: a proxy's one step to https, and some.
	maxRedirects = 5
	// rememberBytes is how much of an answer nobody needs is read so that its connection can be used again.
	rememberBytes = 4 << 10
	// idleTime is how long a connection waits for its next use: longer than the usual time between two frames
	// of a clock, and shorter than most services and proxies wait.
	idleTime = 55 * time.Second
)

var (
	errSilent = errors.New("nothing has arrived for too long")
	errSlow   = errors.New("it takes too long")
	errLarge  = errors.New("more bytes than a frame of this screen can have")
	errAstray = fmt.Errorf("more than %d redirects", maxRedirects)
)

// newTransport is how connections are made; dial is nil but in tests.
func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) (*http.Transport, error) {
	t, err := fetch.NewTransport(nil)
	if err != nil {
		return nil, err
	}
	if dial != nil {
		t.DialContext = dial
	}
	t.IdleConnTimeout = idleTime
	t.DisableCompression = true // pictures are compressed already, and events should not wait to be
	return t, nil
}

// An answer is a response whose body ends, with an error, when nothing arrives for too long. Close it.
type answer struct {
	*http.Response
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	silence time.Duration
}

// do sends a request. From now on, something must arrive within silence, again and again.
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

// why is the reason for which the request was cancelled, if it was, instead of the fact.
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

// Close ends the answer. Little that is left is read, so that its connection can be used again.
func (a *answer) Close() {
	if a.ContentLength <= rememberBytes {
		_, _ = io.CopyN(io.Discard, a, rememberBytes) // a failure costs the connection
	}
	a.Body.Close()
	a.stop()
}

// Abort ends an answer that has no end of its own.
func (a *answer) Abort() {
	a.stop()
	a.Body.Close()
}

// maxFile bounds a frame's file, in bytes.
func maxFile(screen image.Point) int64 { return max(maxFileBytes, pixelBytes*area(screen)) }

// redirect lets an answer point elsewhere, and keeps the token from any other scheme, host or port: once it was left out,
// on the way back too. net/http would send it to every port of the host, and to hosts below it.
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

// origin is what an address belongs to: scheme, host and port, RFC 6454 section 4.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// readFile reads all of the body into buf, which grows as bytes arrive and not as the header says.
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
