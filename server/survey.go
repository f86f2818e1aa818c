package server

import (
	"context"
	"image"
	"net/http"
	"time"

	"dashboard/control"
)

// A Surveyor lists the widgets on the wall.
type Surveyor interface {
	// Survey returns the widgets from back to front, and the parts that react to taps. It may take as long as painting a frame.
	Survey(ctx context.Context, view string) ([]Widget, []Handle, error)
}

// A Handle is a part of the picture that reacts to taps.
type Handle struct {
	Label, State string
	Icon         string      // icon such as mdi:home, or ""
	Path         string      // outline of the icon as SVG path data in a square of 24 units, or ""
	At           image.Point // position in px of the frame
	Toggles      bool        // true if a tap switches something

	Entity, Provider string // Home Assistant entity that a tap controls, and its provider; may be ""
	Slider           *Slider
}

// A Slider describes an entity's number that can be set.
type Slider struct {
	Value, Min, Max, Step float64
	Unit                  string
}

// A Widget is a visible widget of the wall.
type Widget struct {
	Kind, Name          string          // Name is Kind if the widget has no name
	File                string          // configuration file of the widget
	FirstLine, LastLine int             // lines of the widget in this file, from 1
	Bounds              image.Rectangle // rectangle in px of the frame
	Sources             []Source
}

// A Source is a provider whose values a widget shows.
type Source struct {
	Name  string
	Value string // beginning of the newest valid value as JSON, or ""
	Age   any    // age of the value in whole seconds, or nil if there is no value
	Stale bool
	Error any // error of the last attempt as text, or nil after a success

	Warnings []string // possible problems of the value
}

// widgets() answers GET /widgets. The remote shows this data for the widget under the pointer.
func (s *Server) widgets(w http.ResponseWriter, r *http.Request) {
	if s.deps.Surveyor == nil || !s.settings.Load().StreamOn {
		refuse(w, http.StatusNotFound, "no stream output is configured")
		return
	}
	stream, ok := s.streamOf(w, r)
	if !ok {
		return
	}
	list, handles, err := s.deps.Surveyor.Survey(r.Context(), r.URL.Query().Get("view"))
	if err != nil {
		refuseFor(w, time.Second, http.StatusServiceUnavailable, "the wall does not answer")
		return
	}
	all := make([]fields, len(list))
	for i, it := range list {
		all[i] = it.fields()
	}
	size := stream.Bounds().Size()
	taps := make([]fields, len(handles))
	for i, h := range handles {
		taps[i] = fields{
			"label": h.Label, "state": control.OrNull(h.State), "icon": control.OrNull(h.Icon), "icon_path": control.OrNull(h.Path),
			"x": h.At.X, "y": h.At.Y, "toggles": h.Toggles, "slider": h.slider(),
		}
	}
	answer(w, http.StatusOK, fields{"success": true, "width": size.X, "height": size.Y, "widgets": all, "taps": taps})
}

// slider describes the number that a slider sets. If there is no slider, it returns nil.
func (h Handle) slider() any {
	if h.Slider == nil {
		return nil
	}
	s := *h.Slider
	return fields{"entity": h.Entity, "provider": h.Provider, "value": s.Value, "min": s.Min, "max": s.Max, "step": s.Step, "unit": s.Unit}
}

func (w Widget) fields() fields {
	sources := make([]fields, len(w.Sources))
	for i, s := range w.Sources {
		sources[i] = fields{"name": s.Name, "value": s.Value, "seconds_since_value": s.Age, "stale": s.Stale, "error": s.Error, "warnings": s.Warnings}
	}
	return fields{
		"kind": w.Kind, "name": w.Name, "file": w.File, "first_line": w.FirstLine, "last_line": w.LastLine,
		"x": w.Bounds.Min.X, "y": w.Bounds.Min.Y, "width": w.Bounds.Dx(), "height": w.Bounds.Dy(), "providers": sources,
	}
}
