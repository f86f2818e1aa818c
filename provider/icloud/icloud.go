// Package icloud is a provider of the photos in a shared album of iCloud. The owner of the album must have published the album as a web
// page.
package icloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
)

const (
	// maxPhotos is the maximum number of photos in one list. iCloud allows 5000 photos in an album.
	maxPhotos = 5000
	// maxText is the maximum length of a caption or of the album's name, in bytes.
	maxText = 200
	// maxSide is the maximum width or height of the requested pictures. The largest picture within this limit is requested.
	maxSide = 4096
	// first is the server that gets the first request. If the album is on another server, the answer names that server.
	first = "p23-sharedstreams.icloud.com"
	// moved is the status of an answer that names the album's server.
	moved = 330
)

// domains are the domains to which requests are sent.
var domains = []string{".icloud.com", ".icloud-content.com"}

// isToken matches the name of an album in the album's address. isID matches the ID of a photo: the name of the photo, a slash, and the
// name of its picture.
var (
	isToken = regexp.MustCompile(`^[A-Za-z0-9]{8,64}$`)
	isID    = regexp.MustCompile(`^([A-Za-z0-9-]{8,64})/([A-Za-z0-9]{8,128})$`)
)

// Params are the keys of an icloud provider.
type Params struct {
	// Address of the album's public website.
	URL string `yaml:"url" required:"true"`
	ask.Keys
	// Pause between requests for the list.
	UpdateInterval value.Duration `yaml:"update_interval" default:"1h" min:"60"`
}

// A Provider publishes a list of photos as {count, photos: [{id, name, changed, place}]}. `name` is the caption, `changed` is the time at
// which the photo was taken, and `place` is the name of the album.
type Provider struct {
	*ask.Source
	token string
	host  atomic.Pointer[string] // server of the album
}

var _ provider.Keeper = (*Provider)(nil)

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params, d ask.Deps) (key string, v *Provider, err error) {
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme != "https" || !strings.HasSuffix(u.Hostname(), domains[0]) {
		return "", nil, errors.New("url: must be the address of a shared album, such as https://www.icloud.com/sharedalbum/#B0a1b2c3d4e5f6")
	}
	token, _, _ := strings.Cut(u.Fragment, ";") // the address of a single photo has a semicolon and more text after the name of the album
	if !isToken.MatchString(token) {
		return "", nil, errors.New("url: must end with # and the name of the shared album: copy the address of its public website")
	}
	if d.Client != nil {
		d.Client = d.Client.Only(fetch.Hosts{Domains: domains})
	}
	s, _, err := p.Source(d, "icloud", "https://"+first+"/", p.UpdateInterval)
	if err != nil {
		return "", nil, err
	}
	s.Request.Secret = true // anyone with the album's name can see its photos
	v = &Provider{Source: s, token: token}
	host := first
	v.host.Store(&host)
	s.Ask = v.list
	return ask.Key("icloud", []any{p}), v, nil
}

// post sends a request about the album and decodes the answer. If another server has the album, post sends the request to that server.
func (p *Provider) post(ctx context.Context, method string, body, into any) error {
	resp, err := p.send(ctx, method, body)
	if err != nil {
		return err
	}
	if resp.Status == moved {
		var to struct {
			Host string `json:"X-Apple-MMe-Host"`
		}
		err := json.Unmarshal(resp.Body, &to)
		resp.Release()
		if err != nil || !strings.HasSuffix(to.Host, domains[0]) {
			return errors.New("the answer does not name the server of the album")
		}
		p.host.Store(&to.Host)
		if resp, err = p.send(ctx, method, body); err != nil {
			return err
		}
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return err
	}
	return json.Unmarshal(resp.Body, into)
}

func (p *Provider) send(ctx context.Context, method string, body any) (*fetch.Response, error) {
	r := p.Request
	r.Method, r.JSON, r.URL = http.MethodPost, body, "https://"+*p.host.Load()+"/"+p.token+"/sharedstreams/"+method
	return p.Client.Do(ctx, &r)
}

// A photo is an entry of the album.
type photo struct {
	ID       string             `json:"photoGuid"`
	Caption  string             `json:"caption"`
	Taken    string             `json:"dateCreated"`
	Type     string             `json:"mediaAssetType"`
	Pictures map[string]picture `json:"derivatives"`
}

// A picture is one size of a photo. Width and Height may be numbers or strings in JSON.
type picture struct {
	Checksum string      `json:"checksum"`
	Width    json.Number `json:"width"`
	Height   json.Number `json:"height"`
}

// best() returns the ID of the largest picture within maxSide, or "" if no picture is small enough.
func (f *photo) best() (id string) {
	most := int64(0)
	for _, c := range f.Pictures {
		w, _ := c.Width.Int64()
		h, _ := c.Height.Int64()
		if own := f.ID + "/" + c.Checksum; max(w, h) <= maxSide && w*h > most && isID.MatchString(own) {
			id, most = own, w*h
		}
	}
	return id
}

// list requests the photos of the album.
func (p *Provider) list(ctx context.Context) (any, error) {
	var album struct {
		Name   string  `json:"streamName"`
		Photos []photo `json:"photos"`
	}
	if err := p.post(ctx, "webstream", map[string]any{"streamCtag": nil}, &album); err != nil {
		return nil, fmt.Errorf("the shared album: %w", err)
	}
	photos := []any{}
	for i := range album.Photos {
		f := &album.Photos[i]
		id := f.best()
		if id == "" || f.Type == "video" || len(photos) == maxPhotos {
			continue
		}
		m := map[string]any{"id": id, "name": cut(f.Caption), "place": cut(album.Name)}
		if at, err := time.Parse(time.RFC3339, f.Taken); err == nil {
			m["changed"] = int(at.Unix())
		}
		photos = append(photos, m)
	}
	if len(photos) == 0 {
		return nil, errors.New("the shared album has no photos")
	}
	return map[string]any{"count": len(photos), "photos": photos}, nil
}

// cut cuts a text to maxText bytes.
func cut(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxText)], "") }

// Read requests the bytes of a photo. A photo with more than `most` bytes is an error. The caller must call `release` when it no longer
// needs `data`.
func (p *Provider) Read(ctx context.Context, id string, most int64) (data []byte, release func(), err error) {
	m := isID.FindStringSubmatch(id)
	if m == nil {
		return nil, nil, fmt.Errorf("%.80q is no photo of the album", id)
	}
	var at struct {
		Items map[string]struct {
			Host string `json:"url_location"`
			Path string `json:"url_path"`
		} `json:"items"`
	}
	// The address of a picture is valid for a short time, so the address is requested each time.
	if err := p.post(ctx, "webasseturls", map[string]any{"photoGuids": []string{m[1]}}, &at); err != nil {
		return nil, nil, fmt.Errorf("the address of a photo: %w", err)
	}
	r := p.Request
	r.URL, r.MaxBytes = "https://"+at.Items[m[2]].Host+at.Items[m[2]].Path, most
	resp, err := p.Client.Do(ctx, &r)
	if err != nil {
		return nil, nil, err
	}
	if err := resp.Check(); err != nil {
		resp.Release()
		return nil, nil, fmt.Errorf("a photo of the shared album: %w", err)
	}
	return resp.Body, resp.Release, nil
}
