package picture

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render/picture"
)

// TestCovers: a cover has its palette, and the address of a cover may be relative. After a song without a cover, the cover of an earlier
// song can appear again.
func TestCovers(t *testing.T) {
	const server, base = "http://home/api/cover?token=x", "http://home/"
	read := func(bytes string) func(context.Context, string, int64) ([]byte, error) {
		return func(context.Context, string, int64) ([]byte, error) { return []byte(bytes), nil }
	}
	for name, tt := range map[string]struct {
		c        Config
		names    []any // values of the cell From, one after another; a text is the name or address of a cover
		has      bool  // whether there is a cover at the end
		err      bool
		requests int
	}{
		"relative":             {Config{Request: fetch.Request{URL: base}}, []any{"/api/cover?token=x"}, true, false, 1},
		"whole":                {Config{}, []any{server}, true, false, 1},
		"none":                 {Config{}, []any{server, nil}, false, false, 1},
		"no text":              {Config{}, []any{server, ""}, false, false, 1},
		"comes back":           {Config{}, []any{server, nil, server}, true, false, 2},
		"not an address":       {Config{}, []any{7.0}, false, true, 0},
		"a file":               {Config{}, []any{"file:///etc/passwd"}, false, true, 0},
		"not there":            {Config{Request: fetch.Request{URL: base}}, []any{"/none"}, false, true, 1},
		"read":                 {Config{Read: read(dot(t, 90))}, []any{"a.mp3"}, true, false, 0},
		"read, none":           {Config{Read: read("")}, []any{"a.mp3"}, false, false, 0},
		"read, no picture":     {Config{Read: read("x")}, []any{"a.mp3"}, false, true, 0},
		"read, the next equal": {Config{Read: read(dot(t, 90))}, []any{"a.mp3", "b.mp3"}, true, false, 0},
		"read, failing": {Config{Read: func(context.Context, string, int64) ([]byte, error) {
			return nil, errors.New("gone")
		}}, []any{"a.mp3"}, false, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{pages: map[string]string{server: dot(t, 100), "http://home/none": ""}}
				c := tt.c
				c.Cover, c.From = true, provider.NewCell(nil)
				c.From.Publish(tt.names[0], time.Now())
				var change []func()
				for _, n := range tt.names[1:] {
					change = append(change, func() { c.From.Publish(n, time.Now()) })
				}
				s := run(t, w, c, time.Second, change...).Load()
				pic, _ := s.Value.(*picture.Picture)
				if (pic != nil) != tt.has || (s.Err != nil) != tt.err || w.count() != tt.requests {
					t.Errorf("got the picture %v, error %v, %d requests", pic != nil, s.Err, w.count())
				}
				if pic != nil && len(pic.Colors) != picture.PaletteColors {
					t.Errorf("got the colors %v", pic.Colors)
				}
			})
		})
	}
}
