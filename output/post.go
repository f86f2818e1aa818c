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
	// DefaultMinInterval is the default of PostOptions.MinInterval.
	DefaultMinInterval = 60 * time.Second

	uploadTimeout = 30 * time.Second // bound of a whole request, including the response

	firstRetry = time.Second     // pause after the first failure. Each further pause is twice as long
	lastRetry  = 5 * time.Minute // maximum pause, so that uploads continue soon after an outage
)

// Trigger determines when a frame is uploaded.
type Trigger string

const (
	// OnDirty uploads a frame when it has changed. It is the default.
	OnDirty Trigger = "on_dirty"
	// OnInterval uploads the newest frame in every MinInterval, even if nothing has changed.
	OnInterval Trigger = "interval"
)

// Auth contains the credentials for an endpoint: a bearer token, or a user and a password. The zero value means no authentication.
type Auth struct {
	Bearer             string
	Username, Password string
}

// Multipart sends the picture as a file in a form. The default names are "file" and "image.<format>".
type Multipart struct {
	FieldName, Filename string
}

// AfterPost is a request that is sent after each successful upload. It has no authentication, and is not repeated after a failure.
type AfterPost struct {
	URL    string
	Secret bool   // do not show the URL in logs or errors, not even its host
	Method string // GET, POST, PUT or DELETE. "" means GET
}

// PostOptions describe the endpoint and the upload.
type PostOptions struct {
	URL         string
	Secret      bool          // do not show the URL in logs or errors, not even its host
	Format      string        // png, jpg, jpeg or bmp. "" means png
	UserAgent   string        // "" means the default of Go
	Trigger     Trigger       // "" means OnDirty
	MinInterval time.Duration // minimum time from the start of a successful upload to the next upload. 0 means DefaultMinInterval
	Auth        Auth
	Multipart   *Multipart        // nil: the picture is the body of the request
	AfterPost   *AfterPost        // nil: no further request
	Encoder     Encoder           // encodes the pictures, unless Palette is set. nil means the standard encoder of Format
	Palette     *ink.Palette      // nil: all colors. Otherwise Format is png or bmp, and OnDirty does not send an unchanged picture again
	Transport   http.RoundTripper // nil means a new transport of fetch.NewTransport
	Log         *slog.Logger      // nil logs nothing
}

// Post uploads the newest frame to an endpoint. There is only one upload at a time. After a failure
// it waits 1 s, 2 s, 4 s and so on, up to 5 min. Each pause is changed at random, by up to half of
// its length. After the pause, Post uploads the frame that is then the newest.
type Post struct {
	*Pacer
	o      PostOptions
	format format
	inks   *inks // nil for all colors
	client *http.Client
	buf    bytes.Buffer

	skipped bool // the latest picture equals the previous picture, so it was not sent
}

var _ FrameDrawer = (*Post)(nil)

// NewPost returns an output with the given options, or an error if they are invalid. It sends nothing before Run.
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

// host() returns only the host of the URL, because the rest of the URL may contain a secret. If the whole URL is secret, host() returns a
// placeholder.
func (o *PostOptions) host() string {
	if o.Secret {
		return "(secret address)"
	}
	target, _ := url.Parse(o.URL) // check has already parsed it
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

// CheckURL returns an error if the URL s is invalid. The error begins with `key`, which is the URL's key in the configuration. The error
// does not contain the URL, which may include a password.
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

// transport() returns t. If t is nil, it returns a new transport of package fetch.
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

// Run uploads frames until ctx ends. The end of ctx also cancels a running upload.
func (p *Post) Run(ctx context.Context) {
	defer p.client.CloseIdleConnections()
	p.Pacer.Run(ctx)
}

// encode encodes a frame for upload.
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
