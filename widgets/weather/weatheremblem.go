package weather

import (
	"image"

	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// An emblem is the icon of a kind of weather. It has one color or is a colored drawing.
type emblem struct {
	w    *forecast
	mark *kit.Mark
	sky  sky
	ink  string
}

func (w *forecast) emblem() *emblem { return &emblem{w: w, mark: w.b.Mark(image.Rectangle{})} }

// set shows the icon of a kind of weather in a box.
func (e *emblem) set(k weather.Kind, isDay bool, box image.Rectangle) {
	e.ink = emblemInk(k, isDay)
	e.mark.Place(box)
	if e.w.drawn && k != weather.Unknown {
		e.mark.Set("")
		e.sky.draw(&e.w.b.Outlines, box, k, isDay)
		return
	}
	e.sky.used = 0
	e.mark.Set("mdi:" + k.Icon(isDay))
}

// clear() removes the icon.
func (e *emblem) clear() {
	e.sky.used = 0
	e.mark.Set("")
}

func (e *emblem) paint(c render.Canvas) {
	if e.sky.used > 0 {
		e.sky.paint(c, &e.w.inks, e.w.stale)
		return
	}
	e.mark.Paint(c, e.w.ink(e.ink))
}

// emblemInk returns the color role for an icon with one color.
func emblemInk(k weather.Kind, isDay bool) string {
	switch k {
	case weather.Clear, weather.MainlyClear, weather.PartlyCloudy:
		if isDay {
			return "sun"
		}
		return "text"
	case weather.Cloudy, weather.Fog, weather.Windy, weather.Unknown:
		return "muted"
	case weather.Thunderstorm, weather.ThunderstormHail:
		return "warn"
	}
	return "accent"
}
