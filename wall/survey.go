package wall

import (
	"cmp"
	"context"
	"image"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/server"
	"dashboard/wall/fact"
	"dashboard/wall/scene"
	"dashboard/wall/view"
	"dashboard/widgets/kit"
)

// Survey implements server.Surveyor. It lists the widgets of a view from back to front.
func (s *Service) Survey(ctx context.Context, name string) ([]server.Widget, []server.Handle, error) {
	var shown *view.Shown
	var areas []kit.Area
	var taps []kit.Handle
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil {
		return []server.Widget{}, nil, nil // the view was just removed
	}
	err := v.Loop.Do(ctx, func(r *render.Renderer) {
		shown = v.Shown.Load()
		areas, taps = shown.Tree().Survey.Take(r), shown.Tree().Survey.Handles()
	})
	if err != nil {
		return nil, nil, err
	}
	now := time.Now()
	known := map[string]provider.Status{}
	for _, st := range s.builder.Providers.Status(now) {
		known[st.Name] = st
	}
	list := []server.Widget{}
	for _, a := range areas {
		if a.Kind == config.ScreenKind {
			continue // the area of the screen covers the whole wall, so it is not listed
		}
		at := shown.Tree().Places[a.Pos]
		w := server.Widget{Kind: a.Kind, Name: a.Name, File: at.File, FirstLine: at.First, LastLine: at.Last, Bounds: onPicture(a.Bounds, shown.Scene)}
		for _, from := range at.Providers {
			if st, ok := known[from]; ok {
				w.Sources = append(w.Sources, s.sourceOf(st, now))
			}
		}
		list = append(list, w)
	}
	handles := handlesOf(taps, shown.Scene)
	for i := range handles {
		if r, ok := icon.Lookup(strings.TrimPrefix(handles[i].Icon, icon.Prefix)); ok {
			handles[i].Path = s.builder.Text.IconPath(r)
		}
		if r, ok := s.sliderOf(ctx, &handles[i]); ok {
			handles[i].Slider = &server.Slider{Value: r.Value, Min: r.Min, Max: r.Max, Step: r.Step, Unit: r.Unit}
		}
	}
	return list, handles, nil
}

// handlesOf returns the parts with a label that react to taps, with their positions in the picture.
func handlesOf(taps []kit.Handle, s *scene.Scene) []server.Handle {
	list := []server.Handle{}
	for _, h := range taps {
		if h.At = onPicture(image.Rectangle{Min: h.At, Max: h.At}, s).Min; h.Label != "" {
			list = append(list, server.Handle{
				Label: h.Label, State: h.State, Icon: h.Icon, At: h.At, Toggles: h.Toggles, Entity: h.Entity, Provider: h.Provider,
			})
		}
	}
	return list
}

// onPicture converts a rectangle of the frame to the picture. The frame may be rotated by 180 degrees.
func onPicture(r image.Rectangle, s *scene.Scene) image.Rectangle {
	if !s.Graphics.Flip {
		return r
	}
	return image.Rectangle{Min: s.Size.Sub(r.Max), Max: s.Size.Sub(r.Min)}
}

func (s *Service) sourceOf(st provider.Status, now time.Time) server.Source {
	return server.Source{
		Name: st.Name, Value: s.excerpts.Of(st), Stale: st.Stale, Age: fact.Age(now, st.At), Error: fact.Error(st.Err), Warnings: s.warningsOf(st),
	}
}

// warningsOf returns the warnings of a source, with masked secrets.
func (s *Service) warningsOf(st provider.Status) []string {
	all := []string{}
	mask := s.main().Shown.Load().Gen.Secrets.Mask()
	for _, w := range provider.Warnings(st.Value) {
		all = append(all, mask.Replace(w))
	}
	return all
}
