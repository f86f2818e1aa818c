package kit

import (
	"image/color"

	"dashboard/render"
)

// State is the condition of a value: a color, an icon and a word. The zero value is a value without a condition.
type State struct {
	Icon, Word string
	Color      color.RGBA // premultiplied
	Bad        bool       // the card is tinted
}

// Stated is a widget whose value has a condition. Its frame shows it in the title line, and calls HasHead if there is one.
type Stated interface {
	State() State
	HasHead()
}

// badTint is the share of the color bad in the surface of a card.
const badTint = 0.16

// Icons of the roles of conditions, so that no state is a color alone.
const (
	badIcon  = "mdi:alert-circle"
	warnIcon = "mdi:alert"
)

// StateOf is the condition of a shown value, with the word of its range.
func (b *Builder) StateOf(said *Shown) State {
	if said.None || said.Color == nil && said.Icon == "" && said.Range == "" {
		return State{}
	}
	st := State{Icon: said.Icon, Word: said.Range, Color: b.Role("muted")}
	if said.Color != nil {
		st.Color = render.Premultiply(*said.Color)
	}
	alarm := b.Alarm(said)
	st.Bad = alarm == badIcon
	if st.Icon == "" {
		st.Icon = alarm
	}
	if st.Icon == "" && st.Word == "" {
		return State{}
	}
	return st
}

// Alarm is the icon of a value whose color is the theme's bad or warn, or "".
func (b *Builder) Alarm(said *Shown) string {
	if said.Color == nil || said.None {
		return ""
	}
	return b.AlarmIn(render.Premultiply(*said.Color))
}

// AlarmIn is the icon of a color, premultiplied, if it is the theme's bad or warn. Black and white looks have none.
func (b *Builder) AlarmIn(c color.RGBA) string {
	switch {
	case b.Look.Ink:
	case c == b.Role("bad"):
		return badIcon
	case c == b.Role("warn"):
		return warnIcon
	}
	return ""
}
