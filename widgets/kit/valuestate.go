package kit

import (
	"image/color"

	"dashboard/render"
)

// State is the state of a value: a color, an icon and a word. The zero value is a value without a special state.
type State struct {
	Icon, Word string
	Color      color.RGBA // premultiplied
	Bad        bool       // true if the card is tinted
}

// Stated is a widget whose value has a state. Its frame shows the state in the title line, and calls HasHead if there is one.
type Stated interface {
	State() State
	HasHead()
}

// badTint is the share of the color bad in the background of a card.
const badTint = 0.16

// Icons for the roles of states, so that no state is shown only by a color.
const (
	badIcon  = "mdi:alert-circle"
	warnIcon = "mdi:alert"
)

// StateOf returns the state of a formatted value, with the text of its range.
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

// Alarm returns the icon for a value with the color bad or warn of the theme, or "".
func (b *Builder) Alarm(said *Shown) string {
	if said.Color == nil || said.None {
		return ""
	}
	return b.AlarmIn(render.Premultiply(*said.Color))
}

// AlarmIn returns the icon for a premultiplied color that is bad or warn of the theme. For black and white themes it returns "".
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
