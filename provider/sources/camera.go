package sources

import (
	"cmp"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/homeassistant"
	"dashboard/provider/mpd"
	fetched "dashboard/provider/picture"
	"dashboard/provider/query"
	"dashboard/render/picture"
)

// cameraKinds maps the values of query.Picture.Camera to the kinds of cameras.
var cameraKinds = map[string]fetched.Kind{"auto": fetched.Auto, "mjpeg": fetched.MJPEG, "snapshot": fetched.Snapshot}

// livePicture answers three kinds of requests: for the picture of a camera, for a picture whose address is in a cell, and for a picture
// that is requested at an interval.
func (s *Sources) livePicture(a query.Asker, q query.Picture) (v provider.Typed[*picture.Picture], ok bool) {
	c := fetched.Config{
		Request: fetch.Request{URL: q.URL, Secret: q.URLSecret}, Files: s.Files, From: q.At, Found: s.Found, Paths: q.Path,
		Interval: q.Refresh, Box: q.Box, Fit: q.Fit, Smooth: q.Smooth,
	}
	kind := cameraKinds[q.Camera]
	words := []string{"live", q.Camera, rootKey(s.Files)}
	switch {
	case q.Entity != "":
		if c.Request, ok = s.cameraOf(a, q); !ok {
			return v, false
		}
		if kind == fetched.Auto {
			kind = fetched.Snapshot
		}
	case q.At != nil:
		words = append(words, cellKey(q.At), s.foundKey(), q.Player)
		s.cover(q, &c)
	case q.Path:
		c.Request.URL = "file://" + strings.TrimPrefix(q.URL, "file://")
	default:
		if err := cmp.Or(fetch.CheckURL(q.URL), s.client.Host(q.URL)); err != nil {
			a.Errorf("url", "%v", err)
			return v, false
		}
	}
	made := provider.Provider(fetched.NewCamera(c, kind, s.client, s.decoding))
	if q.Camera == "" {
		c.Static, c.Jitter = c.Interval == 0 && c.From == nil, min(c.Interval/10, time.Second)
		made = fetched.New(c, s.client, s.decoding)
	}
	v.Cell = s.add(a, c.Key(words...), made)
	return v, true
}

// cameraOf returns the request for the picture of a camera entity. ok is false if an error was reported.
func (s *Sources) cameraOf(a query.Asker, q query.Picture) (r fetch.Request, ok bool) {
	p, _ := s.set.Provider(q.Home)
	home, is := p.(*homeassistant.Provider)
	if !is {
		a.Errorf("entity", "there is no provider '%s' of type homeassistant to ask; write 'homeassistant' with url and token in conf.yaml", q.Home)
		return r, false
	}
	if !s.sees(q.Entity) {
		a.Errorf("entity", "the recipe was not given the entity %s", q.Entity)
		return r, false
	}
	r, err := home.Home().Camera(q.Entity, q.Camera == "mjpeg")
	if err != nil {
		a.Errorf("entity", "%v", err)
		return r, false
	}
	return r, true
}

// cover() completes the configuration for the cover of a song. MPD itself sends covers. Home Assistant sends the path of a cover on its
// server.
func (s *Sources) cover(q query.Picture, c *fetched.Config) {
	if q.Player == "" {
		return
	}
	c.Cover = true
	switch p, _ := s.set.Provider(q.Player); p := p.(type) {
	case *mpd.Provider:
		c.Read = p.Cover
	case *homeassistant.Provider:
		c.Request = p.Home().Base()
	}
}
