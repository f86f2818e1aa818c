// Package immich is a provider of photos on an Immich server. It lists photos and fetches their previews. It never requests original
// files.
package immich

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
)

const (
	// MaxPhotos is the maximum number of photos in one list. The next list has other photos, because the server chooses them at random.
	MaxPhotos = 250
	// maxNames is the maximum number of albums or people that are searched for a name.
	maxNames = 2000
	// maxText is the maximum length of a name or a place, in bytes.
	maxText = 200
)

// Params are the keys of an immich provider.
type Params struct {
	// Address of the server, without /api.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// API key with the permissions asset.read and asset.view. The selection may also need album.read, person.read or memory.read.
	Key string `yaml:"key" required:"true" minlen:"1"`
	// Photos to show: random, memories (this day in other years), {album: NAME} or {person: NAME}, by name or id.
	Select Select `yaml:"select"`
	ask.Keys
	// Pause between requests for a list of at most 250 photos.
	UpdateInterval value.Duration `yaml:"update_interval" default:"1h" min:"60"`
}

// A Provider publishes a list of photos as {count, photos: [{id, name, taken, place}]}.
type Provider struct {
	*ask.Source
	pick Select
	zone *time.Location
	now  func() time.Time
}

var _ provider.Keeper = (*Provider)(nil)

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params, d ask.Deps) (key string, v *Provider, err error) {
	s, _, err := p.Source(d, "immich", p.URL, p.UpdateInterval)
	if err != nil {
		return "", nil, err
	}
	s.Request.URL, s.Request.Secret = strings.TrimSuffix(p.URL, "/"), p.URLSecret
	header := map[string]string{"x-api-key": p.Key, "Accept": "application/json"}
	for k, v := range p.Headers {
		header[k] = v
	}
	s.Request.Header = header
	v = &Provider{Source: s, pick: p.Select, zone: d.Location, now: time.Now}
	if v.zone == nil {
		v.zone = time.Local
	}
	s.Ask = v.list
	return ask.Key("immich", []any{p, v.zone.String()}), v, nil
}

// list() requests a list of the selected photos.
func (p *Provider) list(ctx context.Context) (any, error) {
	body := map[string]any{"size": MaxPhotos, "type": "IMAGE", "withExif": true}
	var err error
	switch {
	case p.pick.Memories:
		return p.memories(ctx)
	case p.pick.Album != "":
		var id string
		id, err = p.find(ctx, p.pick.Album, "/api/albums", "albumName", "album")
		body["albumIds"] = []string{id}
	case p.pick.Person != "":
		var id string
		id, err = p.find(ctx, p.pick.Person, "/api/search/person?name="+url.QueryEscape(p.pick.Person), "name", "person")
		body["personIds"] = []string{id}
	}
	if err != nil {
		return nil, err
	}
	var all album
	err = p.get(ctx, &fetch.Request{Method: http.MethodPost, JSON: body}, "/api/search/random", all.read)
	return p.value(&all, err)
}

// memories() requests photos of this day in earlier years.
func (p *Provider) memories(ctx context.Context) (any, error) {
	y, m, d := p.now().In(p.zone).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	var all album
	err := p.get(ctx, &fetch.Request{}, "/api/memories?type=on_this_day&for="+url.QueryEscape(day), all.readMemories)
	return p.value(&all, err)
}

// errNone is returned if there are no photos to show.
var errNone = errors.New("there are no photos of the kind selected")

// value returns the photos of an album in the published form.
func (p *Provider) value(all *album, err error) (any, error) {
	if err == nil && len(all.photos) == 0 {
		err = fmt.Errorf("%s: %w", p.Request.Shown(), errNone)
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"count": len(all.photos), "photos": all.photos}, nil
}

// isID matches an ID of Immich, which is a UUID.
var isID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// find returns the ID of the album or person with the given name. If `name` is already an ID, it returns `name`.
func (p *Provider) find(ctx context.Context, name, path, key, kind string) (string, error) {
	if isID.MatchString(name) {
		return name, nil
	}
	n := names{key: key, want: name}
	if err := p.get(ctx, &fetch.Request{}, path, n.read); err != nil {
		return "", err
	}
	if n.id == "" {
		return "", fmt.Errorf("%s: there is no %s '%s'", p.Request.Shown(), kind, name)
	}
	return n.id, nil
}

// get sends a request and passes the answer to the function `read`.
func (p *Provider) get(ctx context.Context, r *fetch.Request, path string, read func([]byte) error) error {
	own := p.Request
	own.Method, own.JSON, own.URL = r.Method, r.JSON, p.Request.URL+path
	resp, err := p.Client.Do(ctx, &own)
	if err != nil {
		return err
	}
	defer resp.Release()
	if resp.Status == http.StatusCreated { // older servers answer a POST with this status
		resp.Status = http.StatusOK
	}
	if err = resp.Check(); err == nil {
		err = read(resp.Body)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", own.Shown(), err)
	}
	return nil
}

// Preview requests a preview of a photo: a JPEG or WebP picture with a side of about 1440 pixels. A picture with more than `most` bytes is
// an error. The caller must call `release` when it no longer needs `data`.
func (p *Provider) Preview(ctx context.Context, id string, most int64) (data []byte, release func(), err error) {
	if !isID.MatchString(id) {
		return nil, nil, fmt.Errorf("%.40q is no id of a photo", id)
	}
	r := p.Request
	r.URL += "/api/assets/" + id + "/thumbnail?size=preview"
	r.MaxBytes = most
	r.Header = map[string]string{}
	for k, v := range p.Request.Header {
		r.Header[k] = v
	}
	r.Header["Accept"] = "image/*"
	resp, err := p.Client.Do(ctx, &r)
	if err != nil {
		return nil, nil, err
	}
	if err := resp.Check(); err != nil {
		resp.Release()
		return nil, nil, fmt.Errorf("%s: %w", r.Shown(), err)
	}
	return resp.Body, resp.Release, nil
}
