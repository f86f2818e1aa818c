package walltest

import (
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/calendar"
)

// FamilyAgenda is an agenda widget in YAML for the family's calendars, without its closing brace.
const FamilyAgenda = "{widget: agenda, provider: calendar-family, title: Calendar, icon: mdi:calendar-blank-outline"

// Family is the name of the provider of type calendar in tests.
const Family = "calendar-family"

// Anna is one of the family's calendars.
var Anna = &calendar.Calendar{Name: "Anna", Color: "series1", Kind: "event"}

// Ben is one of the family's calendars.
var Ben = &calendar.Calendar{Name: "Ben", Color: "series2", Kind: "event"}

// Bins is one of the family's calendars.
var Bins = &calendar.Calendar{Name: "Bins", Color: "good", Kind: "event"}

// Birthdays is one of the family's calendars.
var Birthdays = &calendar.Calendar{Name: "Birthdays", Color: "warn", Kind: "birthday"}

// A Planned event is a test event. Day is the number of days from today, and From and To are minutes of the day. If From is -1, the event
// takes whole days, and To is the number of days after the first.
type Planned struct {
	Day, From, To int
	Title         string
	Of            *calendar.Calendar
}

// Plans are test events, starting on the day of T0. They are sorted by their day.
var Plans = []Planned{
	{0, -1, 0, "Recycling out", Bins},
	{0, 9 * 60, 10 * 60, "Breakfast with Lena", Anna},
	{0, 12 * 60, 13 * 60, "Lunch", Ben},
	{0, 13*60 + 10, 14 * 60, "Dentist, Anna", Anna},
	{0, 18*60 + 30, 20 * 60, "Choir rehearsal", Ben},
	{1, -1, 0, "Jonas", Birthdays},
	{1, 16 * 60, 17 * 60, "Swimming", Anna},
	{2, 9 * 60, 12 * 60, "Market, then brunch at Mira's with the whole family", Bins},
	{3, -1, 4, "Lisbon", Anna},
	{4, 10 * 60, 11 * 60, "Plumber", Ben},
	{5, 9 * 60, 9*60 + 30, "Standup", Ben}, {5, 9 * 60, 10*60 + 30, "Interview", Anna}, {5, 10 * 60, 12 * 60, "Physio", Ben},
	{5, 14 * 60, 15 * 60, "Tea", Anna}, {5, 15 * 60, 16 * 60, "Bank", Bins}, {5, 17 * 60, 18 * 60, "Gym", Ben}, {5, 19 * 60, 20 * 60, "Cinema", Anna},
	{9, -1, 1, "Fair", Bins},
	{12, 20 * 60, 23 * 60, "Concert", Ben},
	{40, -1, 0, "Holiday", Bins},
}

// AgendaOf returns the family's agenda for the time `now`, in the time zone of `now`.
func AgendaOf(now time.Time, plans []Planned) *calendar.Agenda {
	zone := now.Location()
	at := func(day, minute int) time.Time {
		return localtime.At(now.Year(), now.Month(), now.Day()+day, minute, zone)
	}
	a := &calendar.Agenda{Calendars: []*calendar.Calendar{Anna, Ben, Bins, Birthdays}, Zone: zone, From: at(-7, 0), To: at(400, 0)}
	for _, p := range plans {
		e := &calendar.Event{Title: p.Title, Start: at(p.Day, p.From), End: at(p.Day, p.To), Busy: true, Calendar: p.Of, Location: "Mill Street 4"}
		if p.From < 0 {
			e.Start, e.End, e.AllDay = at(p.Day, 0), at(p.Day+p.To+1, 0), true
		}
		e.First = e.Start
		if p.Of == Birthdays {
			e.First = e.Start.AddDate(-9, 0, 0)
		}
		a.Events = append(a.Events, e)
	}
	v, _ := a.At(now)
	return v
}

// Planning returns a function that publishes the family's agenda.
func Planning(plans []Planned) func(*Data) {
	return func(d *Data) { d.ByName[Family].Publish(AgendaOf(T0, plans), T0) }
}

// FamilyMonth is a month widget in YAML for the family's calendars, without its closing brace.
const FamilyMonth = "{widget: month, provider: calendar-family"

// NextFamily is a nextevent widget in YAML for the family's calendars, without its closing brace.
const NextFamily = "{widget: nextevent, provider: calendar-family"

// FamilyWeek is a week widget in YAML for the family's calendars, without its closing brace.
const FamilyWeek = "{widget: week, provider: calendar-family, title: Week, icon: mdi:calendar-week"
