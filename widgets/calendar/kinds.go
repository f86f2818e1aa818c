// Package calendar shows events: agendas, weeks, months and the next event.
package calendar

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("agenda", "Events of calendars in the next days.", 0, 0, kit.Framing{Card: true}, func(p *AgendaParams) *kit.Framed { return &p.Framed }, buildAgenda),
		kit.Modern("nextevent", "The current or next event, or the state of a room: free or busy.", 0, 0, kit.Framing{Card: true}, func(p *NextEventParams) *kit.Framed { return &p.Framed }, buildNextEvent),
		kit.Modern("week", "Days or calendars in columns side by side, with their events hour by hour.", 0, 0, kit.Framing{Card: true}, func(p *WeekParams) *kit.Framed { return &p.Framed }, buildWeek),
		kit.Modern("month", "The days of the month, today marked, with events of calendars.", 0, 0, kit.Framing{Card: true}, func(p *MonthParams) *kit.Framed { return &p.Framed }, buildMonth),
	}
}
