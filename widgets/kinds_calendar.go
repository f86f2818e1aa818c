package widgets

// calendarKinds is the part of the catalog with kinds for events.
func calendarKinds() []Kind {
	return []Kind{
		modern("agenda", "The events of calendars in the days to come.", 0, 0, framing{card: true}, func(p *AgendaParams) *Framed { return &p.Framed }, buildAgenda),
		modern("nextevent", "The event under way or the next one; or the sign of a room, free or busy.", 0, 0, framing{card: true}, func(p *NextEventParams) *Framed { return &p.Framed }, buildNextEvent),
		modern("week", "Days, or calendars, side by side, with their events hour by hour.", 0, 0, framing{card: true}, func(p *WeekParams) *Framed { return &p.Framed }, buildWeek),
		modern("month", "The days of the month, today marked, with events of calendars.", 0, 0, framing{card: true}, func(p *MonthParams) *Framed { return &p.Framed }, buildMonth),
	}
}
