package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/icloud"
	"dashboard/provider/immich"
	"dashboard/provider/photos"
	fetched "dashboard/provider/picture"
	"dashboard/provider/query"
	"dashboard/provider/webdav"
	"dashboard/render/picture"
)

// pictureJitter is the maximum random time that is added to the pause between requests. The random time is also at most half of the
// pause. It keeps walls that started together from sending their requests together.
const pictureJitter = 15 * time.Second

// Picture returns a cell with a picture. [query.Picture] describes where the address of the picture comes from.
func (s *Sources) Picture(a query.Asker, q query.Picture) (provider.Typed[*picture.Picture], bool) {
	s = s.of(a)
	if q.At != nil || q.Camera != "" || q.Refresh > 0 {
		return s.livePicture(a, q)
	}
	auth, err := q.Auth.Who()
	if err != nil {
		a.Errorf("auth", "%v", err)
	}
	c := fetched.Config{Request: fetch.Request{Auth: auth}, Files: s.Files, Found: s.Found, Box: q.Box, Fit: q.Fit, Smooth: q.Smooth}
	key, ok := "", false
	if q.From != nil {
		key, ok = s.fromValue(a, q, &c)
	} else {
		key, ok = s.fromAddress(a, q, &c)
	}
	if !ok || err != nil {
		return provider.Typed[*picture.Picture]{}, false
	}
	return provider.Typed[*picture.Picture]{Cell: s.add(a, key, fetched.New(c, s.client, s.decoding))}, true
}

// Photos returns a cell with the photos of a folder, one after another. c selects the photos and has their size. Photos sets c.Files,
// c.Keep and c.Turn.
func (s *Sources) Photos(a query.Asker, c photos.Config) *provider.Cell {
	s = s.of(a)
	c.Files, c.Keep, c.Turn = s.Files, s.Kept, s.decoding
	if c.Files == nil {
		c.Files = folder.Dir("")
	}
	return s.add(a, c.Key()+rootKey(c.Files), photos.New(c))
}

// albumKinds are the types of the providers that have photos.
var albumKinds = []string{"immich", "webdav", "icloud"}

// Album returns a cell with the photos of a provider, one after another. If `name` is "", it uses the first type in albumKinds that occurs
// in providers.yaml. There must be only one provider of this type.
func (s *Sources) Album(a query.Asker, name string, c photos.Config) (*provider.Cell, bool) {
	s = s.of(a)
	kind := s.Kind(name)
	if name == "" || !slices.Contains(albumKinds, kind) {
		kind = albumKinds[0]
		for _, k := range albumKinds[1:] {
			if name == "" && len(s.ofKind(k)) > 0 && len(s.ofKind(kind)) == 0 {
				kind = k
			}
		}
	}
	if name == "" && len(s.ofKind(kind)) == 0 {
		a.Errorf("", "needs a path, the folder of the photos, or a provider of type immich, webdav or icloud in providers.yaml")
		return nil, false
	}
	name, ok := s.madeName(a, kind, name)
	if !ok {
		return nil, false
	}
	cell, ok := s.set.Named(name)
	from := &album{cell: cell, zone: c.Zone}
	switch p, _ := s.set.Provider(name); p := p.(type) {
	case *immich.Provider:
		from.read = p.Preview
	case *webdav.Provider:
		from.read, from.original = p.Read, true
	case *icloud.Provider:
		from.read = p.Read
	default:
		return nil, false
	}
	c.Path, c.Album, c.Keep, c.Turn = kind+" "+name, from, s.Kept, s.decoding
	return s.add(a, c.Key()+" "+cellKey(cell), photos.New(c)), ok
}

// fromValue completes the configuration for a picture whose address is a value.
func (s *Sources) fromValue(a query.Asker, q query.Picture, c *fetched.Config) (key string, ok bool) {
	src, ok := s.value(a, *q.From)
	if !ok {
		return "", false
	}
	c.From = s.derive(a, "address", []string{q.From.Pick.Path, q.From.Pick.JQ}, false, func(ctx context.Context, values []any) (any, error) {
		return src.pick.Apply(ctx, values[0])
	}, src.cell)
	return c.Key(cellKey(c.From), s.foundKey()), true
}

// fromAddress completes the configuration for a picture whose address is fixed, or is in a document.
func (s *Sources) fromAddress(a query.Asker, q query.Picture, c *fetched.Config) (key string, ok bool) {
	c.Request.URL, c.Request.Header, c.Request.Timeout = q.URL, q.Headers, time.Duration(q.Timeout*float64(time.Second))
	c.Request.Secret = q.URLSecret
	c.Interval, c.Static = time.Duration(q.UpdateFrequency)*time.Second, q.Static
	c.Jitter = min(c.Interval/2, pictureJitter)
	ok = true
	file := ask.IsFile(q.URL)
	if !file {
		if err := cmp.Or(fetch.CheckURL(q.URL), s.client.Host(q.URL)); err != nil {
			a.Errorf("url", "%v", err)
			ok = false
		}
	}
	x, sound := extractor(a, q.Pick())
	if sound && !x.Empty() && !file {
		c.Pick = x // not set for a file, because a file is the picture itself, as it is in Grydgets
	}
	return c.Key(q.JSONPath, q.JQExpression, s.foundKey()), ok && sound
}

// foundKey returns a text that identifies s.Found, the client for addresses from data. When the list of forbidden addresses changes,
// s.Found is a new client, and the new key makes pictures use a new provider.
func (s *Sources) foundKey() string { return fmt.Sprintf("found %p", s.Found) }
