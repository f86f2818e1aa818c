// Package webdav is a provider of the photos in a folder of a WebDAV server, such as Nextcloud.
package webdav

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/caldav"
)

const (
	// maxPhotos and maxFolders are the maximum numbers of photos and folders in one list.
	maxPhotos  = 5000
	maxFolders = 200
	// maxName is the maximum length of an address or a name, in bytes.
	maxName = 1000
)

// Params are the keys of a webdav provider.
type Params struct {
	// Address of the folder.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// Levels of subfolders.
	Depth int `yaml:"depth" default:"3" min:"0" max:"10"`
	ask.Keys
	// Pause between requests for the list.
	UpdateInterval value.Duration `yaml:"update_interval" default:"1h" min:"60"`
}

// A Provider publishes a list of photos as {count, photos: [{id, name, changed, place}]}. `id` is the path relative to the folder.
type Provider struct {
	*ask.Source
	root  *url.URL // ends with a slash
	depth int
}

var _ provider.Keeper = (*Provider)(nil)

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params, d ask.Deps) (key string, v *Provider, err error) {
	s, u, err := p.Source(d, "webdav", p.URL, p.UpdateInterval)
	if err != nil {
		return "", nil, err
	}
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	s.Request.URL, s.Request.Secret = u.String(), p.URLSecret
	v = &Provider{Source: s, root: u, depth: p.Depth}
	s.Ask = v.list
	return ask.Key("webdav", []any{p}), v, nil
}

// list lists the photos in the folder and its subfolders. The folders closest to the root are first.
func (p *Provider) list(ctx context.Context) (any, error) {
	type place struct {
		at    *url.URL
		depth int
	}
	photos := []any{}
	folders := 1
	for open := []place{{p.root, 0}}; len(open) > 0; open = open[1:] {
		files, err := caldav.Folder(ctx, p.Client, p.Request, open[0].at.String())
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			name := path.Base(f.URL.Path)
			switch {
			case strings.HasPrefix(name, ".") || len(f.URL.Path) > maxName:
			case f.Folder && open[0].depth < p.depth && folders < maxFolders:
				folders++
				open = append(open, place{f.URL.JoinPath("/"), open[0].depth + 1})
			case !f.Folder && len(photos) < maxPhotos:
				photos = append(photos, p.photo(f, name))
			}
		}
	}
	if len(photos) == 0 {
		return nil, fmt.Errorf("%s: there are no files", p.Request.Shown())
	}
	return map[string]any{"count": len(photos), "photos": photos}, nil
}

// photo converts a file to the published form.
func (p *Provider) photo(f caldav.File, name string) map[string]any {
	id := strings.TrimPrefix(f.URL.EscapedPath(), p.root.EscapedPath())
	m := map[string]any{"id": id, "name": name, "place": path.Base(path.Dir(f.URL.Path))}
	if !f.Changed.IsZero() {
		m["changed"] = int(f.Changed.Unix())
	}
	return m
}

// Read requests the bytes of a photo. A photo with more than `most` bytes is an error. The caller must call `release` when it no longer
// needs `data`.
func (p *Provider) Read(ctx context.Context, id string, most int64) (data []byte, release func(), err error) {
	at, err := p.root.Parse(id)
	if err != nil || !fetch.SameOrigin(at, p.root) || !strings.HasPrefix(at.Path, p.root.Path) {
		return nil, nil, fmt.Errorf("%.80q is no file of the folder", id)
	}
	r := p.Request
	r.URL, r.MaxBytes = at.String(), most
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
