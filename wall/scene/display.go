package scene

import (
	"cmp"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control"
	"dashboard/control/power"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/widgets"
	"dashboard/widgets/kit"
)

// A Display describes when the screen of a view is on. If there are no settings, the screen is always on.
type Display struct {
	Settings *power.Settings
	When     *kit.Condition   // condition under which the screen is on, or nil if it is always on
	Presence *kit.Condition   // condition under which a person counts as present, or nil
	Schedule []*kit.Condition // conditions of the brightness schedule, in the order of its entries
	Buttons  []Button
}

// Sensed reports whether the presence of a person is detected: by a condition, by a GPIO line, or by touches and keys.
func (d Display) Sensed() bool {
	return d.Presence != nil || d.Line() != nil || d.Settings != nil && d.Settings.OffAfter != nil
}

// display reads the display settings of a view. If the view has no display settings, it reads the settings of conf.yaml.
func (l *loading) display(s *Scene, written *config.Node) Display {
	if !l.sound {
		return Display{}
	}
	if written.Kind() == config.Null {
		written = l.Conf.Display
	}
	if written.Kind() == config.Null {
		return Display{}
	}
	d := Display{Settings: &power.Settings{}}
	if !written.Decode(d.Settings, l.report, nil) {
		return Display{}
	}
	d.Buttons = readButtons(written.Get("buttons"), l.report)
	b := widgets.NewBuilder(l.env(s, sources.New(l.Sources, l.Client)))
	ask := func(at *config.Node, c *value.Condition) *kit.Condition {
		return b.Condition(&kit.Spec{
			Kind: "display", Pos: at.Pos(),
			Errorf:   func(part, format string, args ...any) { l.report.Errorf(at.At(part), format, args...) },
			Warnf:    func(part, format string, args ...any) { l.report.Warnf(at.At(part), format, args...) },
			Tolerate: func(part, format string, args ...any) { l.report.Tolerate(at.At(part), format, args...) },
		}, c)
	}
	if d.Settings.When != nil {
		d.When = ask(written.At("when"), d.Settings.When)
	}
	if p := d.Settings.Presence; p != nil && p.Condition != nil {
		d.Presence = ask(written.At("presence"), p.Condition)
	}
	if b := d.Settings.Brightness; b != nil {
		entries := written.Get("brightness").Get("schedule").Items()
		for i, e := range b.Schedule {
			d.Schedule = append(d.Schedule, ask(entries[i].At("when"), e.When))
		}
	}
	return d
}

// env returns the part of a widget's environment that conditions need to read values.
func (l *loading) env(s *Scene, from *sources.Sources) kit.Env {
	return kit.Env{
		Drawing: kit.Drawing{Text: l.Text, Location: s.Region.Zone, Locale: s.Region.Locale, Files: l.files, Scale: cmp.Or(s.Scale, 1)},
		Data:    kit.Data{Sun: s.Region.Sun(), Sources: from, Programs: from, Place: s.Region.spot(), TimeSet: l.TimeSet.Load},
	}
}

// Line returns the GPIO line that detects presence, or nil.
func (d Display) Line() *power.Line {
	if d.Settings == nil || d.Settings.Presence == nil {
		return nil
	}
	return d.Settings.Presence.Line
}

// Entry returns the number of the first entry in the brightness schedule whose condition holds. The first entry has the number 1. If no
// condition holds, Entry returns 0. It evaluates all conditions, because each evaluation records the time of its next change.
func (d Display) Entry(t render.Tick) int {
	first := 0
	for i, c := range d.Schedule {
		if holds, _ := c.At(t); holds && first == 0 {
			first = i + 1
		}
	}
	return first
}

// maxButtons is the maximum number of buttons of a view. It is the number of GPIO lines on the header of a board.
const maxButtons = 28

// A Button is a button at a GPIO line, with its actions.
type Button struct {
	GPIO    int             `yaml:"gpio" required:"true" min:"0" max:"1023"`
	Pull    string          `yaml:"pull" default:"up" enum:"up,down"`
	OnPress *control.Action `yaml:"on_press"`
	OnHold  *control.Action `yaml:"on_hold"`
}

// readButtons reads the list of buttons in a node.
func readButtons(n *config.Node, r *config.Report) []Button {
	if n.Kind() == config.Null {
		return nil
	}
	if n.Kind() != config.List || n.Len() > maxButtons {
		r.Errorf(n, "must be a list of at most %d buttons, such as [{gpio: 27, on_press: {page: next}}]", maxButtons)
		return nil
	}
	var all []Button
	for _, item := range n.Items() {
		var b Button
		if item.Decode(&b, r, nil) {
			all = append(all, b)
		}
		for _, a := range []*control.Action{b.OnPress, b.OnHold} {
			switch {
			case a != nil && a.Verb == control.Toggle:
				r.Errorf(item, "toggle is about a widget's own entity: write {action: light.toggle, entity: light.hall}")
			case a != nil && a.Verb == control.Done:
				r.Errorf(item, "done is about the task of a row of a list: write {todo: Milk} to add one")
			}
		}
	}
	return all
}
