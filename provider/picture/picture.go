// Package picture is a provider of pictures from an address or a camera. It decodes the pictures for the size at which they are shown.
package picture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"net/url"
	"strings"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/render/picture"
)

// A Config selects a picture and describes how it is shown. The picture's address is the URL of Request. If Pick is set, the address is in
// the answer to Request. If From is set, the address is the value of the cell From.
type Config struct {
	Request fetch.Request      // URL is http, https, or file:// and a path
	Pick    *extract.Extractor // finds the address in the document that answers Request; may be nil
	From    *provider.Cell     // cell that contains the address, or nil. With From, Request has only the login and the timeout
	// Found is the client for addresses that come from Pick or From. Found should refuse addresses of this machine. If Found is nil, the
	// usual client is used. The usual client is also used for an address on the server of Request.
	Found *fetch.Client `json:"-"`

	Interval time.Duration // time between two requests; with From, 0 means a request only after the address changes
	Jitter   time.Duration // maximum of a random time that is added to Interval
	Static   bool          // whether the requests end after the first success
	Paths    bool          // whether From contains the path of a file
	// Cover means that From contains the address of a song's cover. The cover may be missing, and the picture is then nil. An address
	// without a host is on the server of Request. The palette of the picture is computed.
	Cover bool
	// Read returns the bytes of the cover whose name is the value of From. A cover of more than `most` bytes is an error. Read returns no
	// bytes if the song has no cover. Read may be nil.
	Read  func(ctx context.Context, name string, most int64) ([]byte, error) `json:"-"`
	Files fs.FS                                                              // root of file:// addresses; nil is the working directory

	Box    image.Point // size of the shown picture, in pixels
	Fit    picture.Fit
	Smooth bool
}

// Key returns a text that is equal for equal configurations. `words` identify the definitions of Pick and From. The text does not reveal
// values.
func (c Config) Key(words ...string) string {
	c.Pick, c.From = nil, nil
	data, err := json.Marshal(struct {
		Config
		Words []string
	}{c, words})
	if err != nil { // json.Marshal fails only for values that a request cannot contain
		data = fmt.Appendf(nil, "%+v %q", c, words)
	}
	sum := sha256.Sum256(data)
	return "picture:" + hex.EncodeToString(sum[:16])
}

// A Provider publishes a *picture.Picture each time the picture changes. If a picture cannot be fetched or decoded, the last picture
// stays.
type Provider struct {
	c      Config
	client *fetch.Client
	turn   chan struct{} // holds a token while a picture is decoded; if nil, several pictures may be decoded at once

	shown          string            // address of the published picture
	failed         string            // address of the last attempt, if it failed; otherwise ""
	sum            [sha256.Size]byte // checksum of the published picture's bytes
	etag, modified string
}

var _ provider.Provider = (*Provider)(nil)

// New returns a provider. `turn` is a channel with capacity 1. Providers that share this channel decode only one picture at a time, so
// that decoding needs the memory for only one picture.
func New(c Config, client *fetch.Client, turn chan struct{}) *Provider {
	return &Provider{c: c, client: client, turn: turn}
}

// Kind is "picture".
func (p *Provider) Kind() string { return "picture" }

// From implements provider.Made.
func (p *Provider) From() []*provider.Cell {
	if p.c.From == nil {
		return nil
	}
	return []*provider.Cell{p.c.From}
}

// Run fetches the picture at once, after each interval, and when the address changes. After a failure it retries sooner.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	p.forget()
	poll := provider.Poll{Interval: p.c.Interval, Jitter: p.c.Jitter, Once: p.c.Static, Promise: !p.c.Static}
	if p.c.From != nil {
		changed := make(chan struct{}, 1)
		defer p.c.From.Watch(changed)()
		poll = provider.Poll{Interval: p.c.Interval, Jitter: p.c.Jitter, Promise: p.c.Interval > 0, Changed: changed}
	}
	return poll.Run(ctx, cell, func(ctx context.Context, due bool) provider.Result {
		if due || p.c.From == nil { // a changed document alone must not fetch a refused picture again
			p.missing(cell)
		}
		return p.once(ctx, due)
	})
}

// missing() makes the next attempt publish its picture even if the picture is unchanged, because the cell has refused the picture.
func (p *Provider) missing(cell *provider.Cell) {
	if cell.Refused() {
		p.shown, p.sum = "", [sha256.Size]byte{}
	}
}

// forget removes the state of an earlier Run.
func (p *Provider) forget() { p.shown, p.failed, p.sum = "", "", [sha256.Size]byte{} }

// errNoAddress is returned if a document or cell does not contain an address.
var errNoAddress = errors.New("is not the address of a picture")

// errLocal is returned if data contains the address of a file on this machine.
var errLocal = errors.New("the data name a file of this machine; only http and https addresses of pictures are fetched from data")

// clientFor returns the client for an address. The client is Found if the address comes from data and is on another server than Request.
func (p *Provider) clientFor(address string) *fetch.Client {
	if p.c.Found == nil || p.c.From == nil && p.c.Pick == nil {
		return p.client
	}
	written, err := url.Parse(p.c.Request.URL)
	to, wrong := url.Parse(address)
	if err == nil && wrong == nil && written.Host != "" && fetch.SameOrigin(written, to) {
		return p.client
	}
	return p.c.Found
}

// unnamed is the value of the field `failed` if the address is not known.
const unnamed = "?"

// once() makes one attempt. With From, the address of the published picture and the address that failed last are requested again only after
// a pause.
func (p *Provider) once(ctx context.Context, due bool) provider.Result {
	req, err := p.request(ctx)
	switch {
	case err != nil:
		p.failed = unnamed
		return provider.Fail(err, false)
	case req == nil:
		return provider.Result{Outcome: provider.Nothing}
	case p.c.Cover && req.URL == "":
		return p.uncovered()
	case p.c.From == nil || due && p.c.Interval > 0:
	case req.URL == p.failed && !due:
		return provider.Result{Outcome: provider.Pending}
	case req.URL == p.shown && p.failed == "":
		return provider.Result{Outcome: provider.Nothing}
	case req.URL == p.shown:
		p.failed = ""
		return provider.Result{Outcome: provider.Unchanged}
	}
	fetch := p.fetch
	if p.c.Read != nil {
		fetch = p.read
	}
	pic, err := fetch(ctx, req)
	if errors.Is(err, errUncovered) {
		return p.uncovered()
	}
	if err != nil {
		p.failed = req.URL
		return provider.Fail(err, false)
	}
	p.failed = ""
	if pic == nil {
		return provider.Result{Outcome: provider.Unchanged}
	}
	return provider.Result{Value: pic}
}

// request returns the next request, or nil if there is no address yet. If the source of the address has failed, request returns the error
// of that source.
func (p *Provider) request(ctx context.Context) (*fetch.Request, error) {
	req := p.c.Request
	switch {
	case p.c.From != nil:
		s := p.c.From.Load()
		if !s.Has() {
			return nil, s.Err
		}
		text, ok := s.Value.(string)
		if p.c.Cover && (s.Value == nil || ok && text == "") {
			req.URL = ""
			return &req, nil
		}
		if !ok || text == "" {
			return nil, fmt.Errorf("%.60q %w", fmt.Sprint(s.Value), errNoAddress)
		}
		switch req.URL = text; {
		case !p.c.Paths && ask.IsFile(text):
			return nil, errLocal
		case p.c.Paths && !ask.IsFile(text):
			req.URL = "file://" + text
		case p.c.Cover && p.c.Read == nil:
			req.URL = resolved(p.c.Request.URL, text)
		}
	case p.c.Pick != nil:
		found, err := p.ask(ctx, &req)
		switch {
		case err != nil:
			return nil, err
		case ask.IsFile(found):
			return nil, fmt.Errorf("%s: %w", req.Shown(), errLocal)
		}
		req = fetch.Request{URL: found, Timeout: req.Timeout} // without headers and login, because this may be another server
	}
	req.MaxBytes = picture.MaxBytes
	return &req, nil
}

// ask fetches the document and returns the picture's address in it.
func (p *Provider) ask(ctx context.Context, req *fetch.Request) (string, error) {
	resp, err := ask.Do(ctx, p.client, p.c.Files, req)
	if err != nil {
		return "", err
	}
	defer resp.Release()
	v := any(nil)
	if err = resp.Check(); err == nil {
		v, err = p.c.Pick.Read(ctx, resp.Body)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", req.Shown(), err)
	}
	found, ok := v.(string)
	if !ok || found == "" {
		return "", fmt.Errorf("%s: %.60q %w", req.Shown(), fmt.Sprint(v), errNoAddress)
	}
	return strings.TrimSpace(found), nil
}

// fetch returns the picture, or nil if it is equal to the published picture.
func (p *Provider) fetch(ctx context.Context, req *fetch.Request) (*picture.Picture, error) {
	same := req.URL == p.shown
	if same {
		req.ETag, req.LastModified = p.etag, p.modified
	}
	resp, err := ask.Do(ctx, p.clientFor(req.URL), p.c.Files, req)
	if err != nil {
		return nil, err
	}
	defer resp.Release()
	if same && resp.NotModified() {
		return nil, nil
	}
	if err := resp.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", req.Shown(), err)
	}
	sum := sha256.Sum256(resp.Body)
	if sum == p.sum {
		p.keep(req.URL, sum, resp)
		return nil, nil
	}
	pic, err := p.decode(ctx, resp.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", req.Shown(), err)
	}
	p.keep(req.URL, sum, resp)
	return pic, nil
}

// keep() records which picture is published.
func (p *Provider) keep(address string, sum [sha256.Size]byte, resp *fetch.Response) {
	p.shown, p.sum, p.etag, p.modified = address, sum, resp.ETag, resp.LastModified
}

// decode waits for a token in the channel `turn` and decodes a picture.
func (p *Provider) decode(ctx context.Context, data []byte) (*picture.Picture, error) {
	if p.turn != nil {
		select {
		case p.turn <- struct{}{}:
			defer func() { <-p.turn }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	pic, err := picture.Decode(ctx, data, p.c.Box, p.c.Fit, p.c.Smooth)
	if err == nil && p.c.Cover {
		colors := picture.Palette(pic.Frames[0].Img)
		pic.Colors = colors[:]
	}
	return pic, err
}
