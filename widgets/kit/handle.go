package kit

import (
	"image"
	"time"

	"dashboard/control"
	"dashboard/render"
	"dashboard/widgets/kit/speech"
)

// A Handle is a part of the wall that reacts to taps.
type Handle struct {
	Label, State string      // name and current value, may be ""
	Icon         string      // icon such as mdi:home, or ""
	At           image.Point // center of the part in the frame, in px
	Toggles      bool        // true if a tap on the part switches an entity

	Entity, Provider string // Home Assistant entity and provider of the action, may be ""
}

// A Handled is a widget with several parts that have actions.
type Handled interface {
	// Handles calls `each` for every visible part. The arguments are the rectangle of the part, the
	// action of a tap, and a function that describes the part.
	Handles(each func(r image.Rectangle, a *control.Action, speak func(*speech.Speech)))
}

// maxHandles is the maximum number of handles of a wall, because a remote control shows them as a list.
const maxHandles = 64

// handles() appends the handles of the widget in g. `at` is the visible part of this widget, in the coordinates of the frame.
func (s *Survey) handles(g *Guard, c render.Canvas, at image.Rectangle) {
	origin := c.Org.Add(c.Base)
	if a := g.Common().OnTap; a != nil {
		asked := g.Asked(a)
		s.handle(g, at, &asked, g.Speak)
	}
	in, off := g.Content()
	h, ok := in.(Handled)
	if !ok || g.down {
		return
	}
	defer g.contain()
	h.Handles(func(r image.Rectangle, a *control.Action, speak func(*speech.Speech)) {
		s.handle(g, r.Add(off).Add(origin).Intersect(at), a, speak)
	})
}

// handle appends a handle for a part, unless the rectangle of the part is empty or the wall already has maxHandles handles.
func (s *Survey) handle(g *Guard, at image.Rectangle, a *control.Action, speak func(*speech.Speech)) {
	if at.Empty() || len(s.taps) >= maxHandles {
		return
	}
	var words speech.Speech
	words.Begin(g.env.Locale, time.Local, g.now, false)
	speak(&words)
	words.Close()
	h := Handle{At: at.Min.Add(at.Size().Div(2))}
	if a.Verb == "action" {
		h.Entity, h.Provider = a.Args.Text("entity"), a.Args.Text("provider")
		h.Toggles = a.Args.Text("action") == control.ToggleAction
	}
	h.Icon = words.Icon
	if h.Label, h.State = words.Summary(); h.Label == "" {
		h.Label = g.name
	}
	s.taps = append(s.taps, h)
}
