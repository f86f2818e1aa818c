package kit

import (
	"image/color"

	"dashboard/render"
)

// State is a special state of a value, shown by a color, an icon and a word. The zero value means that the state is normal.
type State struct {
	Icon, Word string
	Color      color.RGBA // premultiplied
	Bad        bool       // true if the card gets a tint
}

// Stated is implemented by widgets whose value has a state. If the frame has a title line, the
// frame calls HasHead and shows the state in the title line.
type Stated interface {
	State() State
	HasHead()
}

// badTint is the share of the color "bad" in a tinted card.
const badTint = 0.16

// Icons for states, so that a state is never shown by a color alone.
const (
	badIcon  = "mdi:alert-circle"
	warnIcon = "mdi:alert"
)

// StateOf returns the state of a formatted value. The word of the state is the text of the value's range.
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

// Alarm returns an icon for a value with the color "bad" or "warn". For other values, it returns "".
func (b *Builder) Alarm(said *Shown) string {
	if said.Color == nil || said.None {
		return ""
	}
	return b.AlarmIn(render.Premultiply(*said.Color))
}

// AlarmIn returns an icon if a premultiplied color is "bad" or "warn" of the theme. Otherwise, and on black-and-white themes, it returns
// "".
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
