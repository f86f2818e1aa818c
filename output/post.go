package output

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"dashboard/internal/fetch"
	"dashboard/render/ink"

	"github.com/cenkalti/backoff/v5"
)

const (
	// DefaultMinInterval is the default for the least time between two uploads.
	DefaultMinInterval = 60 * time.Second

	uploadTimeout = 30 * time.Second // limit of a whole request, including the response

	firstRetry = time.Second     // pause after the first failure, doubled after each further one …
	lastRetry  = 5 * time.Minute // … up to this limit, so that uploads resume soon after an outage
)

// Trigger is the reason for an upload.
type Trigger string

const (
	// OnDirty uploads frames that have changes. It is the default.
	OnDirty Trigger = "on_dirty"
	// OnInterval uploads the newest frame every MinInterval, changed or not.
	OnInterval Trigger = "interval"
)

// Auth is the login at an endpoint: a bearer token, or a user and a password. The zero value means no login.
type Auth struct {
	Bearer             string
	Username, Password string
}

// Multipart sends the picture as a file in a form. Empty names mean "file" and "image.<format>".
type Multipart struct {
	FieldName, Filename string
}

// AfterPost is a request sent after each successful upload, without authentication and without a second try.
type AfterPost struct {
	URL    string
	Secret bool   // the URL is never shown, not even its host
	Method string // GET, POST, PUT or DELETE ("" means GET)
}

// PostOptions set the address and the interval of uploads.
type PostOptions struct {
	URL         string
	Secret      bool          // the URL is never shown, not even its host
	Format      string        // png (or ""), jpg, jpeg, bmp
	UserAgent   string        // "" means Go's default
	Trigger     Trigger       // "" means OnDirty
	MinInterval time.Duration // minimum time between the starts of two uploads. 0 means DefaultMinInterval
	Auth        Auth
	Multipart   *Multipart        // nil sends the picture as the body
	AfterPost   *AfterPost        // nil sends nothing
	Encoder     Encoder           // nil means the standard encoder of Format
	Palette     *ink.Palette      // nil means all colors. Otherwise Format is png or bmp, and equal pictures are not sent again
	Transport   http.RoundTripper // nil means a transport of fetch.NewTransport
	Log         *slog.Logger      // nil is silent
}

// Post uploads the newest frame to an endpoint, one at a time. After a failure it waits 1 s, 2 s, 4 s and so on up to 5 min, and
// then uploads the frame that is newest at that time. Each pause is up to half longer or shorter at random.
type Post struct {
	*Pacer
	o      PostOptions
	format format
	inks   *inks // nil means all colors
	client *http.Client
	buf    bytes.Buffer

	skipped bool // the latest picture equals the previous one
}

var _ FrameDrawer = (*Post)(nil)

// NewPost checks the options. Nothing is sent before Run.
func NewPost(o PostOptions) (*Post, error) {
	f, err := newFormat(o.Format, o.Encoder)
	if err != nil {
		return nil, err
	}
	inks, err := newInks(o.Palette, f)
	if err != nil {
		return nil, err
	}
	o.Trigger = cmp.Or(o.Trigger, OnDirty)
	o.MinInterval = cmp.Or(o.MinInterval, DefaultMinInterval)
	if err := o.check(); err != nil {
		return nil, err
	}
	t, err := transport(o.Transport)
	if err != nil {
		return nil, err
	}
	p := &Post{o: o, format: f, inks: inks, client: &http.Client{Transport: t, Timeout: uploadTimeout, CheckRedirect: checkRedirect}}
	p.Pacer = NewPacer(Pacing{
		Name: "post " + o.host(),
		Draw: p.encode, Send: p.upload, After: p.after,
		Interval: o.MinInterval, Repeat: o.Trigger == OnInterval, Retry: newBackoff(),
		Limit: uploadTimeout + DefaultLimit, Log: o.Log,
	})
	return p, nil
}

// host returns the part of the address that may be shown, because the rest may contain a secret. It returns "" if the whole address
// is secret.
func (o *PostOptions) host() string {
	if o.Secret {
		return "(secret address)"
	}
	target, _ := url.Parse(o.URL) // check did
	return target.Host
}

func (o *PostOptions) check() error {
	if err := CheckURL("url", o.URL); err != nil {
		return err
	}
	if o.Trigger != OnDirty && o.Trigger != OnInterval {
		return fmt.Errorf("trigger %q is not one of %s, %s", o.Trigger, OnDirty, OnInterval)
	}
	if o.MinInterval < 0 {
		return fmt.Errorf("min_interval %v is negative", o.MinInterval)
	}
	if o.AfterPost == nil {
		return nil
	}
	after := *o.AfterPost
	after.Method = cmp.Or(after.Method, http.MethodGet)
	o.AfterPost = &after
	methods := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}
	if !slices.Contains(methods, after.Method) {
		return fmt.Errorf("after_post.method %q is not one of %v", after.Method, methods)
	}
	return CheckURL("after_post.url", after.URL)
}

// CheckURL returns an error for an invalid address. The error begins with the key of the address. It does not contain the address,
// which may include a password.
func CheckURL(key, s string) error {
	u, err := url.Parse(s)
	if err != nil {
		return fmt.Errorf("%s: %w", key, errors.Unwrap(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s is not an http or https address", key)
	}
	return nil
}

// transport returns t, or a new transport if t is nil.
func transport(t http.RoundTripper) (http.RoundTripper, error) {
	if t != nil {
		return t, nil
	}
	return fetch.NewTransport(nil)
}

func newBackoff() *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval:     firstRetry,
		RandomizationFactor: backoff.DefaultRandomizationFactor,
		Multiplier:          2,
		MaxInterval:         lastRetry,
	}
}

// Run uploads until ctx ends, which also cancels a running upload.
func (p *Post) Run(ctx context.Context) {
	defer p.client.CloseIdleConnections()
	p.Pacer.Run(ctx)
}

// encode encodes a frame.
func (p *Post) encode(img *image.RGBA, _ []image.Rectangle) error {
	return p.format.take(&p.buf, img, p.inks, p.Regions())
}

// upload sends the encoded picture.
func (p *Post) upload(ctx context.Context) error {
	if p.skipped = p.inks != nil && p.o.Trigger == OnDirty && p.inks.same(); p.skipped {
		return nil
	}
	req, err := p.request(ctx, p.buf.Bytes())
	if err != nil {
		return err
	}
	if err = p.send(req, p.o.Secret); err == nil && p.inks != nil {
		p.inks.sent()
	}
	return err
}
