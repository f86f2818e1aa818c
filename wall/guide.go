package wall

import (
	"context"
	"image"
	"path"
	"reflect"
	"strings"
	"time"

	"dashboard/appliance/about"
	"dashboard/render/picture"
	"dashboard/wall/outputs"
)

const (
	// guidePause is the interval at which the guide of the set-up is read. It is short, because the guide's pictures change within a
	// second.
	guidePause = 400 * time.Millisecond
	// guideSide is the maximum side of a gallery picture that the set-up shows on the wall, in px.
	guideSide = 1920
)

// runGuide shows the guide of an appliance's set-up on the screens of this machine.
func (s *Service) runGuide(ctx context.Context) {
	if _, ok := about.Read(s.builder.Machine); !ok {
		return
	}
	tick := time.NewTicker(guidePause)
	defer tick.Stop()
	var shown *about.Guide
	for {
		if g := about.ReadGuide(s.builder.Machine); !reflect.DeepEqual(g, shown) {
			shown = g
			s.note.Guide.Store(s.guideOf(ctx, g))
			s.redraw()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// guideOf returns a guide with its picture. If the picture cannot be read, it returns nil, and the screens show the wall.
func (s *Service) guideOf(ctx context.Context, g *about.Guide) *outputs.Guide {
	if g == nil || g.Picture == "" {
		return nilOr(g)
	}
	name := strings.TrimPrefix(path.Clean("/"+g.Picture), "/")
	p, err := picture.Load(ctx, s.builder.Machine, name, image.Pt(guideSide, guideSide), picture.Contain, true)
	if err != nil || len(p.Frames) == 0 {
		s.log.Warn("cannot show the picture of the set-up", "error", err)
		return nil
	}
	return &outputs.Guide{Guide: *g, Shown: p.Frames[0].Img}
}

func nilOr(g *about.Guide) *outputs.Guide {
	if g == nil {
		return nil
	}
	return &outputs.Guide{Guide: *g}
}
