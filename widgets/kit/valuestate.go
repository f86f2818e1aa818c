package kit

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit/format"
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
	// Painted returns the rectangles of the value and of the content below the value, after the last Update.
	Painted() (value, below image.Rectangle)
}

// badTint is the share of the color "bad" in a tinted card.
const badTint = 0.16

// Icons for states, so that a state is never shown by a color alone.
const (
	badIcon   = "mdi:alert-circle"
	warnIcon  = "mdi:alert"
	goodIcon  = "mdi:check-circle"
	colorIcon = "mdi:flag" // icon for any other color, on a screen without colors
)

// StateOf returns the state of a formatted value. The word of the state is the text of the value's range.
func (b *Builder) StateOf(said *format.Shown) State {
	if said.None || said.Color == nil && said.Icon == "" && said.Range == "" {
		return State{}
	}
	st := State{Icon: said.Icon, Word: said.Range, Color: b.Role("muted")}
	if said.Color != nil {
		st.Color = render.Premultiply(*said.Color)
	}
	alarm := b.Alarm(said)
	st.Bad = alarm == badIcon && !b.Look.Ink
	if st.Icon == "" {
		st.Icon = b.Sign(said)
	}
	if st.Icon == "" && st.Word == "" {
		return State{}
	}
	return st
}

// Alarm returns an icon for a value with the color "bad" or "warn". For other values, it returns "".
func (b *Builder) Alarm(said *format.Shown) string { return alarmIcons[b.AlarmRole(said)] }

// Sign returns the icon of Alarm. On a screen without colors, Sign also returns an icon for other colors. A range without an upper bound
// has an arrow up, and a range without a lower bound has an arrow down. An entry of the key `map` without a text has the icon of SignIn.
func (b *Builder) Sign(said *format.Shown) string {
	icon := b.Alarm(said)
	if icon != "" || !b.Look.Ink || said.None || said.Color == nil || said.Role == "text" || said.Role == "muted" {
		return icon
	}
	switch r := said.Bound; {
	case r == nil && said.Told:
	case r == nil:
		return signOf(said.Role)
	case r.Below == nil:
		return "mdi:arrow-up"
	case r.Above == nil:
		return "mdi:arrow-down"
	}
	return ""
}

// alarmIcons are the icons of the roles that are an alarm.
var alarmIcons = map[string]string{"bad": badIcon, "warn": warnIcon}

// AlarmRole returns "bad" or "warn" for a value with this color. For other values, it returns "".
func (b *Builder) AlarmRole(said *format.Shown) string {
	if said.Color == nil || said.None {
		return ""
	}
	return b.roleOf(said.Role, *said.Color)
}

// roleOf returns `name` if it is "bad" or "warn". If `name` is "", roleOf compares c with the theme's colors for these two roles. In all
// other cases it returns "". Black-and-white themes have one color for all states, so only `name` is used there.
func (b *Builder) roleOf(name string, c color.NRGBA) string {
	switch {
	case name != "" || b.Look.Ink:
	case c == b.Look.Colors["bad"]:
		name = "bad"
	case c == b.Look.Colors["warn"]:
		name = "warn"
	}
	if alarmIcons[name] == "" {
		return ""
	}
	return name
}

// SignIn returns the icon of AlarmIn. On a screen without colors, it also returns an icon for any other color from the file or from data.
func (b *Builder) SignIn(v any) string {
	if icon := b.AlarmIn(v); icon != "" || !b.Look.Ink || v == nil || v == "" {
		return icon
	}
	name, _ := v.(string)
	if c, ok := v.(theme.RoleColor); ok {
		name = c.Role
	} else if role, ok := b.Look.Roles[name]; ok {
		name = role
	}
	return signOf(name)
}

// signOf returns the icon of a color that is no alarm, for a screen without colors. `name` is the role of the color, or another text.
func signOf(name string) string {
	switch name {
	case "text", "muted", "faint":
		return ""
	case "good":
		return goodIcon
	}
	return colorIcon
}

// AlarmIn returns an icon if a color from the file or from data is "bad" or "warn". Otherwise, it returns "".
func (b *Builder) AlarmIn(v any) string {
	c, name := color.NRGBA{}, ""
	switch v := v.(type) {
	case theme.RoleColor:
		c, name = v.NRGBA, v.Role
	case color.NRGBA:
		c = v
	case string:
		if known, ok := b.Look.Colors[v]; ok {
			c, name = known, v
			if role, ok := b.Look.Roles[v]; ok {
				name = role
			}
		} else if parsed, err := theme.ParseColor(v); err == nil {
			c = parsed.NRGBA
		}
	}
	return alarmIcons[b.roleOf(name, c)]
}
