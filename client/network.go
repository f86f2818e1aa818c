package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"mime"
	"net/http"
	"time"

	"dashboard/internal/pause"
)

const (
	// rejectedPause is the pause after the token was rejected. It is long, because a user must first change a file.
	rejectedPause = 5 * time.Minute
	// `jitter` is the greatest random addition to a pause, as a share of the pause. It keeps all screens from connecting at the same moment
	// after a restart of the service.
	jitter = 0.1
)

// errRejected is returned if the service rejects the token.
var errRejected = errors.New("the service rejects the token")

// A network fetches frames from the service. Only one goroutine may use it.
type network struct {
	c      *Client
	http   *http.Client
	frames *http.Request
	events *http.Request
	log    *slog.Logger

	etag     string // tag of the present frame, or "" to fetch the whole next frame
	tiles    bool   // the present frame came in the screen's size, so that changed tiles can be copied into it
	body     []byte
	retry    *time.Timer // fires when a frame that could not be used must be fetched again
	skipping bool        // the latest frame could not be used
	outage   bool        // the loss of the connection was logged
}

func newNetwork(c *Client, transport http.RoundTripper) (*network, error) {
	n := &network{c: c, http: &http.Client{Transport: transport, CheckRedirect: redirect}, log: c.opts.Log}
	var err error
	if n.frames, err = c.opts.request("frame"); err != nil {
		return nil, err
	}
	if n.events, err = c.opts.request("events"); err == nil {
		n.events.Header.Set("A-IM", "tiles") // requests an event for every frame. The client then fetches only small tiles
	}
	return n, err
}

// request returns a request for a resource of the service.
func (o *Options) request(name string) (*http.Request, error) {
	url, err := o.resource(name)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	if o.Version != "" {
		r.Header.Set("User-Agent", "dashboard-client/"+o.Version)
	}
	if o.Token != "" {
		r.Header.Set("Authorization", "Bearer "+o.Token)
	}
	return r, nil
}

// run connects to the service again and again until ctx ends.
func (n *network) run(ctx context.Context) {
	n.retry = time.NewTimer(0)
	n.retry.Stop()
	defer n.retry.Stop()
	defer n.http.CloseIdleConnections()
	for {
		err := n.session(ctx)
		if ctx.Err() != nil {
			return
		}
		n.c.closed(err)
		n.report(err)
		if pause.For(ctx, n.pauseAfter(err)) != nil {
			return
		}
	}
}

// session() fetches the newest frame, and then follows the events until the connection ends. It returns the error that ended the
// connection, which is io.EOF if the service ended it.
func (n *network) session(ctx context.Context) error {
	if err := n.update(ctx, time.Time{}); err != nil {
		return err
	}
	a, err := do(ctx, n.http, n.events, eventSilence)
	if err != nil {
		return err
	}
	defer a.Abort()
	if err := n.eventVerdict(a); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	n.c.darkened(a.Header.Get(screenHeader) == "off")
	light, _ := parseLight(a.Header.Get(lightHeader)) // if the header is missing, the brightness is not changed
	n.c.lit(light)
	n.c.opened()
	n.report(nil)
	return n.follow(ctx, a)
}

// eventVerdict checks the answer to a request for events, like verdict(). If another server answers, such as the login page of a network,
// eventVerdict returns an error, so that this answer does not count as a connection.
func (n *network) eventVerdict(a *answer) error {
	if err := n.verdict(a); err != nil {
		return err
	}
	if kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type")); kind != "text/event-stream" {
		return fmt.Errorf("the answer is %q instead of events", kind)
	}
	return nil
}

// follow fetches a frame after each event, until reading events or fetching fails. Several events during a fetch count as one event,
// because the service only has its newest frame.
func (n *network) follow(ctx context.Context, a *answer) error {
	noticed, ended := make(chan time.Time, 1), make(chan error, 1)
	go func() {
		ended <- readEvents(a, func() {
			select {
			case <-noticed:
			default:
			}
			noticed <- time.Now() // never blocks, because this is the only sender
		}, n.c.darkened, n.c.lit)
	}()
	err := n.serve(ctx, noticed, ended)
	if err != nil {
		a.Abort()
		<-ended
	}
	return err
}

// serve fetches frames for follow(). Another goroutine reads the events. It sends the times of the events to `noticed`, and the error
// that ends the stream to `ended`.
func (n *network) serve(ctx context.Context, noticed <-chan time.Time, ended chan error) error {
	for {
		var at time.Time
		select {
		case err := <-ended:
			ended <- err // wakes the caller, which also receives from ended
			return err
		case at = <-noticed:
		case <-n.retry.C:
		}
		if err := n.update(ctx, at); err != nil {
			return err
		}
	}
}

// An unusable is the error of a frame that has arrived but cannot be shown.
type unusable struct {
	tiles bool
	err   error
}

func (u *unusable) Error() string { return u.err.Error() }
func (u *unusable) Unwrap() error { return u.err }

// update fetches the newest frame, unless the screen already shows this frame. If the answer is unusable, the last frame stays, and the
// next request asks for a whole frame. If the unusable answer consisted of tiles, the next request is sent at once.
func (n *network) update(ctx context.Context, noticed time.Time) error {
	ctx, cancel := context.WithTimeoutCause(ctx, frameTime, errSlow)
	defer cancel()
	err := n.fetch(ctx, noticed)
	var bad *unusable
	if errors.As(err, &bad) && bad.tiles {
		n.skip(bad)
		err = n.fetch(ctx, noticed)
	}
	switch {
	case errors.As(err, &bad):
		n.skip(bad)
		n.retry.Reset(n.c.opts.ReconnectDelay)
		return nil
	case err != nil:
		return fmt.Errorf("frame: %w", err)
	}
	return nil
}

// skip() handles an unusable frame: it forgets the tag, so that a whole frame is fetched next. Of several unusable frames in a row, it logs
// only the first as a warning.
func (n *network) skip(bad *unusable) {
	n.etag = ""
	n.c.skipped()
	level := slog.LevelWarn
	if n.skipping {
		level = slog.LevelDebug
	}
	n.skipping = true
	n.log.Log(context.Background(), level, "a frame cannot be used", "error", bad, "bytes", len(n.body), "tiles", bad.tiles)
}

// fetch sends one request for a frame and uses the answer. Its error may be an *unusable.
func (n *network) fetch(ctx context.Context, noticed time.Time) error {
	l := latency{noticed: noticed, asked: time.Now()}
	a, err := do(ctx, n.http, n.frameRequest(), frameSilence)
	if err != nil {
		return err
	}
	defer a.Close()
	if a.StatusCode == http.StatusServiceUnavailable {
		n.c.accepted()
		n.c.unpainted()
		n.log.Info("the service has no frame yet")
		return nil
	}
	if err := n.verdict(a); err != nil || a.StatusCode == http.StatusNotModified {
		return err
	}
	if n.body, err = a.readFile(n.body, maxFile(n.c.opts.Size)); err != nil {
		return err
	}
	l.downloaded = time.Now()
	l.published = parseUnix(a.Header.Get("X-Frame-Published-At"))
	return n.use(a.Response, l)
}

// frameRequest returns a request for the newest frame, or for the changes since the present frame.
func (n *network) frameRequest() *http.Request {
	r := n.frames.Clone(context.Background())
	if n.etag != "" {
		r.Header.Set("If-None-Match", n.etag)
		if n.tiles {
			r.Header.Set("A-IM", "tiles") // RFC 3229, section 10.5.3
		}
	}
	return r
}

// verdict() records whether the service has accepted the token. It returns an error unless the status is 200, 226 or 304.
func (n *network) verdict(a *answer) error {
	if a.StatusCode == http.StatusUnauthorized {
		n.c.refused()
		return errRejected
	}
	n.c.accepted()
	switch a.StatusCode {
	case http.StatusOK, http.StatusIMUsed, http.StatusNotModified:
		return nil
	}
	return fmt.Errorf("the service answers %d %s", a.StatusCode, http.StatusText(a.StatusCode))
}

// use() decodes the frame in the response and stores it.
func (n *network) use(r *http.Response, l latency) error {
	tiles := r.StatusCode == http.StatusIMUsed
	var err error
	if tiles {
		err = n.useTiles(r)
	} else {
		err = n.useWhole()
	}
	if err != nil {
		return &unusable{tiles, err}
	}
	n.etag, n.skipping = r.Header.Get("ETag"), false
	l.decoded = time.Now()
	n.c.received(l, len(n.body), tiles)
	n.log.Debug("frame", "etag", n.etag, "bytes", len(n.body), "tiles", tiles, "latency_ms", &l)
	return nil
}

func (n *network) useTiles(r *http.Response) error {
	if base := r.Header.Get("Delta-Base"); n.etag == "" || base != n.etag {
		return fmt.Errorf("tiles for frame %q, not for %q", base, n.etag)
	}
	return n.c.frame.setTiles(n.body)
}

func (n *network) useWhole() error {
	img, err := decode(n.body, n.c.opts.Size)
	if err != nil {
		return err
	}
	n.tiles = img.Bounds().Size() == n.c.opts.Size
	n.c.frame.setWhole(img)
	return nil
}

// report logs the beginning and the end of connections. The first error of an outage is logged as a warning, unless the service has ended
// the connection or rejects the token.
func (n *network) report(err error) {
	switch {
	case err == nil:
		n.log.Info("connected", "service", n.c.opts.URL)
		n.outage = false
	case errors.Is(err, errRejected) && n.c.opts.Paired:
		n.log.Error("the service has removed this screen; restart the client to pair it again",
			"service", n.c.opts.URL, "tried_again_in", rejectedPause.String())
		n.outage = true
	case errors.Is(err, errRejected):
		n.log.Error("the service rejects the token: server.token in client.yaml is not the service's server.auth.stream_token",
			"service", n.c.opts.URL, "tried_again_in", rejectedPause.String())
		n.outage = true
	case n.outage:
		n.log.Debug("still no connection", "error", err)
	case errors.Is(err, io.EOF):
		n.log.Info("the service ended the connection")
		n.outage = true
	default:
		n.log.Warn("no connection", "service", n.c.opts.URL, "error", err)
		n.outage = true
	}
}

// pauseAfter returns how long to wait after err before the next attempt.
func (n *network) pauseAfter(err error) time.Duration {
	if errors.Is(err, errRejected) {
		return rejectedPause
	}
	d := n.c.opts.ReconnectDelay
	return d + time.Duration(rand.Float64()*jitter*float64(d))
}
