package main

import (
	"cmp"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control/power"
	"dashboard/provider/sources"
	"dashboard/widgets"
	"dashboard/widgets/kit"
)

// A display is when a view's screen is on, as its scene has it. Without settings the screen is always on.
type display struct {
	settings *power.Settings
	when     *kit.Condition   // nil always holds
	presence *kit.Condition   // nil where no condition tells
	schedule []*kit.Condition // of the brightness, as its entries
	buttons  []button
}

// sensed reports whether anything tells that somebody is there: a condition, or touches and keys alone.
func (d display) sensed() bool {
	return d.presence != nil || d.line() != nil || d.settings != nil && d.settings.OffAfter != nil
}

// display reads when a view's screen is on: what is written for it, or for all.
func (l *loading) display(s *scene, written *config.Node) display {
	if !l.sound {
		return display{}
	}
	if written.Kind() == config.Null {
		written = l.conf.Display
	}
	if written.Kind() == config.Null {
		return display{}
	}
	d := display{settings: &power.Settings{}}
	if !written.Decode(d.settings, l.report, nil) {
		return display{}
	}
	d.buttons = readButtons(written.Get("buttons"), l.report)
	b := widgets.NewBuilder(l.env(s, sources.New(l.sources, l.client)))
	ask := func(at *config.Node, c *value.Condition) *kit.Condition {
		return b.Condition(&kit.Spec{
			Kind: "display", Pos: at.Pos(),
			Errorf:   func(part, format string, args ...any) { l.report.Errorf(at.At(part), format, args...) },
			Warnf:    func(part, format string, args ...any) { l.report.Warnf(at.At(part), format, args...) },
			Tolerate: func(part, format string, args ...any) { l.report.Tolerate(at.At(part), format, args...) },
		}, c)
	}
	if d.settings.When != nil {
		d.when = ask(written.At("when"), d.settings.When)
	}
	if p := d.settings.Presence; p != nil && p.Condition != nil {
		d.presence = ask(written.At("presence"), p.Condition)
	}
	if b := d.settings.Brightness; b != nil {
		entries := written.Get("brightness").Get("schedule").Items()
		for i, e := range b.Schedule {
			d.schedule = append(d.schedule, ask(entries[i].At("when"), e.When))
		}
	}
	return d
}

// env is what everything of a scene is built with that asks for values.
func (l *loading) env(s *scene, from *sources.Sources) kit.Env {
	return kit.Env{
		Text: l.text, Location: s.region.zone, Locale: s.region.locale, Sun: s.region.sun(), Sources: from, Programs: from, Files: l.files,
		Place: s.region.spot(), TimeSet: l.timeSet.Load, Scale: cmp.Or(s.scale, 1),
	}
}
