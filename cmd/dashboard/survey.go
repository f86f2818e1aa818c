package main

import (
	"cmp"
	"context"
	"image"
	"time"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/server"
	"dashboard/wall/fact"
	"dashboard/widgets/kit"
)

// A place is where a widget stands in the files, and where its values come from.
type place struct {
	file        string
	first, last int // lines
	providers   []string
}

// places are those of a tree's widgets, by position.
type places map[string]place

// add adds a widget and those in it.
func (p places) add(w *config.Widget) {
	file, first, last := w.Node().Lines()
	at := place{file: file, first: first, last: last}
	for _, n := range w.Node().Get("providers").Items() {
		at.providers = append(at.providers, n.Text())
	}
	p[w.Pos()] = at
	for _, c := range w.Children {
		p.add(c)
	}
}

// Survey implements server.Surveyor: it tells of the widgets of a view, those behind first.
func (s *service) Survey(ctx context.Context, view string) ([]server.Widget, error) {
	var shown *shown
	var areas []kit.Area
	v := s.all()[cmp.Or(view, config.MainView)]
	if v == nil {
		return []server.Widget{}, nil // it has just gone
	}
	err := v.loop.Do(ctx, func(r *render.Renderer) {
		shown = v.shown.Load()
		areas = shown.tree().survey.Take(r)
	})
	if err != nil {
		return nil, err
	}
	now := time.Now()
	known := map[string]provider.Status{}
	for _, st := range s.builder.providers.Status(now) {
		known[st.Name] = st
	}
	list := []server.Widget{}
	for _, a := range areas {
		if a.Kind == config.ScreenKind {
			continue // it is everywhere
		}
		at := shown.tree().places[a.Pos]
		w := server.Widget{Kind: a.Kind, Name: a.Name, File: at.file, FirstLine: at.first, LastLine: at.last, Bounds: onPicture(a.Bounds, shown.scene)}
		for _, name := range at.providers {
			w.Sources = append(w.Sources, s.sourceOf(known[name], now))
		}
		list = append(list, w)
	}
	return list, nil
}

// onPicture is where a part of the frame is on the picture, which may be turned by 180 degrees.
func onPicture(r image.Rectangle, s *scene) image.Rectangle {
	if !s.graphics.Flip {
		return r
	}
	return image.Rectangle{Min: s.size.Sub(r.Max), Max: s.size.Sub(r.Min)}
}

func (s *service) sourceOf(st provider.Status, now time.Time) server.Source {
	return server.Source{
		Name: st.Name, Value: s.excerpts.of(st), Stale: st.Stale, Age: fact.Age(now, st.At), Error: fact.Error(st.Err),
	}
}
