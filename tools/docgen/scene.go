package main

import (
	"errors"
	"image"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/render"
)

// moment is the time that the pictures show. Because it is in the past, values that arrive while a picture is drawn are not out of date.
var moment = time.Date(2025, 5, 15, 10, 24, 0, 0, time.UTC)

// A scene describes how the example of a widget is drawn.
type scene struct {
	size   image.Point
	bare   bool            // draw no card around the example
	modern bool            // draw the widget with the roles of the theme
	steps  []time.Duration // times after `moment` at which the tree is updated. The picture shows the last update
	notice string          // JSON of a notification that is sent first, or ""
}

// scenes lists the kinds of widgets that are drawn in a special way.
var scenes = map[string]scene{
	"screen":          {bare: true},
	"grid":            {bare: true},
	"pill":            {bare: true},
	"flip":            {steps: []time.Duration{5 * time.Second, 5400 * time.Millisecond}},
	"camera":          {steps: []time.Duration{0, time.Second}},
	"nowplaying":      {size: image.Pt(560, 240)},
	"notifiabletext":  {bare: true, notice: `{"widget": "hall", "text": "Laundry is done", "duration": 20, "background_color": "#1f6feb"}`},
	"notifiableimage": {bare: true, notice: `{"widget": "door", "url": "http://camera.lan/door", "duration": 20}`},
}

// Sizes of the examples. If a widget is drawn with the roles of a theme, the whole picture has the size modernPicture. The widget is a part
// of this picture.
var (
	usualSize     = image.Pt(480, 240)
	modernSize    = image.Pt(560, 300)
	modernPicture = image.Pt(1280, 720)
)

func sceneOf(kind string) scene {
	s := scenes[kind]
	if k, ok := kindOfName(kind); ok && k.Modern {
		s.bare, s.modern = true, true
	}
	if s.size == (image.Point{}) {
		s.size = usualSize
		if s.modern {
			s.size = modernSize
		}
	}
	return s
}

// `card` is a template of a widgets file that shows an example on a card.
const card = `
background_color: "#0a0e16"
widgets:
  - widget: grid
    rows: 1
    columns: 1
    padding: 12
    widget_background_color: "#151b27"
    widget_corner_radius: 18
    children:
      - widget: grid
        rows: 1
        columns: 1
        padding: 14
        children:
          -
`

const bare = "background_color: \"#0b0f16\"\nwidgets:\n-\n"

// wall returns a widgets file that shows an example.
func wall(kind, yaml string) string {
	switch s := sceneOf(kind); {
	case kind == config.ScreenKind:
		return yaml
	case s.bare:
		return bare + indent(yaml, 2)
	}
	return card + indent(yaml, 12)
}

func indent(s string, by int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = strings.Repeat(" ", by) + lines[i]
	}
	return strings.Join(lines, "\n") + "\n"
}

// picture draws the example of a kind.
func (h *home) picture(kind string) (*image.RGBA, error) {
	yaml, err := example(kind)
	if err != nil {
		return nil, err
	}
	s := sceneOf(kind)
	r := &config.Report{}
	w := wallFiles{yaml: wall(kind, yaml), size: s.size, scale: 1}
	if s.modern {
		w.whole = modernPicture
	}
	t := h.build(w, r)
	defer t.close()
	if r.Failed() || len(r.Warnings()) > 0 {
		return nil, errors.New(strings.TrimSpace(r.String()))
	}
	if err := t.live(s.notice); err != nil {
		return nil, err
	}
	show := render.New(t.root, s.size)
	show.Step(moment)
	for _, later := range s.steps {
		show.Step(moment.Add(later))
	}
	return show.Frame(), nil
}
