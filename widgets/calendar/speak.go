package calendar

import (
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It lists each day with its events.
func (w *agenda) Speak(s *speech.Speech) {
	n := min(len(w.entries), w.limit)
	for i, e := range w.entries[:n] {
		if w.headed(i) {
			s.Open(speech.Heading)
			appendDayTo(s, w.b, w.midnight(e.ahead), e.ahead)
			s.Close()
		}
		w.entry(s, e)
	}
	s.Open(speech.Sentence)
	if n == 0 {
		s.Add(w.nothing())
	} else if more := len(w.entries) - n; more > 0 && w.params.Limit == 0 {
		s.Count(locale.More, more)
	}
	s.Close()
}

// entry() describes an event: its time, title, place and calendar. Without headings, it also names the day.
func (w *agenda) entry(s *speech.Speech, e agendaEntry) {
	from, to := w.midnight(e.ahead), w.midnight(e.ahead+1)
	s.Open(speech.Item)
	if !w.params.Headings {
		appendDayTo(s, w.b, from, e.ahead)
	}
	if !e.task || !e.event.AllDay {
		addWhen(s, w.b, e.event, from, to)
	}
	if !w.params.Headings && w.params.Relative && e.event.AllDay && e.ahead > 1 {
		s.Write(func(dst []byte) []byte { return w.b.Locale.AppendRelative(dst, from, w.midnight(0)) })
	}
	s.Colon()
	now := s.Now
	if e.task || e.event.AllDay || !e.event.Start.Before(now) || !e.event.End.After(now) {
		now = time.Time{}
	}
	tellEvent(s, w.b, e.event, !now.IsZero(), w.params.Location, len(w.events.Calendars) > 1)
	if e.event.Task != nil {
		s.Add(e.event.Task.Problem)
	}
	if until := e.event.Start.Sub(s.Now); w.params.Relative && !e.event.AllDay && until > 0 && until <= soon {
		s.Write(func(dst []byte) []byte {
			return w.b.Locale.AppendRelative(dst, e.event.Start, s.Now.Add(1-time.Minute))
		})
	}
	s.Close()
}

// addWhen appends the time of an event on a day. It includes the end if the event ends on the same day.
func addWhen(s *speech.Speech, b *kit.Builder, e *calendar.Event, from, to time.Time) {
	s.Write(func(dst []byte) []byte {
		dst = appendWhen(b, dst, e, from, to)
		if e.AllDay || !e.End.After(e.Start) || e.Start.Before(from) || e.End.After(to) {
			return dst
		}
		return appendTime(b, append(dst, " – "...), e.End)
	})
}

// tellEvent appends the title of an event. If `under` is true, it appends "now". If `place` is true, it appends the place. If `named` is
// true, it appends the name of the calendar.
func tellEvent(s *speech.Speech, b *kit.Builder, e *calendar.Event, under, place, named bool) {
	if e.Calendar.Kind == kindBirthday {
		tellBirthday(s, e)
	} else {
		s.Add(e.Title)
	}
	if under {
		s.Phrase(locale.Now)
	}
	if place {
		s.Add(e.Location[:min(len(e.Location), maxPlace)])
	}
	if named {
		s.Add(e.Calendar.Name)
	}
}

// tellBirthday appends the person's name and age.
func tellBirthday(s *speech.Speech, e *calendar.Event) {
	s.Add(bare(e.Title))
	if n := age(e); n > 0 {
		s.Space()
		s.Count(locale.Turns, n)
	}
}

// appendDayTo appends the name of a day. `ahead` is the number of days from today.
func appendDayTo(s *speech.Speech, b *kit.Builder, day time.Time, ahead int) {
	if near := b.Locale.NearDay(ahead); near != "" {
		s.AddCapital(near)
		return
	}
	s.Write(func(dst []byte) []byte { return appendDay(b, dst, day, ahead, false) })
}

// Speak implements speech.Speaker. It describes the current event or the next event.
func (w *nextEvent) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	if w.event == nil {
		s.AddBytes(w.title.Raw)
		s.Add(w.none.Text())
		s.Close()
		return
	}
	now := s.Now.In(zone(w.events))
	s.Write(func(dst []byte) []byte { return w.appendSpan(dst, now) })
	s.Even()
	s.Colon()
	tellEvent(s, w.b, w.event, false, true, len(w.events.Calendars) > 1)
	s.Close()
}

// Speak implements speech.Speaker. It describes the state of the room, the current event, and the next events of a day.
func (w *roomSign) Speak(s *speech.Speech) {
	now := s.Now.In(zone(w.events))
	s.Open(speech.Sentence)
	s.AddBytes(w.word.Raw)
	if w.known {
		s.Write(func(dst []byte) []byte { return w.appendLeft(w.appendUntil(dst, now), now) })
		s.Even()
	}
	s.Close()
	s.Open(speech.Sentence)
	if e := w.state.Now; e != nil {
		s.Add(e.Title)
		s.Add(e.Organizer)
	}
	s.Close()
	ahead := 0
	if l := w.list; l != nil && l.shown > 0 {
		ahead = l.ahead
		s.Open(speech.Heading)
		appendDayTo(s, w.b, l.day, ahead)
		s.Close()
	}
	day, end, n := piece.MidnightOf(now, ahead), piece.MidnightOf(now, ahead+1), 0
	for _, e := range w.events.List {
		if kit.During(e, day, end) && e.Start.After(now) && n < mostSpoken {
			n++
			s.Open(speech.Item)
			addWhen(s, w.b, e, day, end)
			s.Colon()
			tellEvent(s, w.b, e, false, false, false)
			s.Add(e.Organizer)
			s.Close()
		}
	}
}

// sayEvent describes an event of a day.
func sayEvent(s *speech.Speech, b *kit.Builder, e *calendar.Event, from, to time.Time, named bool) {
	s.Open(speech.Item)
	addWhen(s, b, e, from, to)
	s.Colon()
	tellEvent(s, b, e, !e.AllDay && e.Start.Before(s.Now) && e.End.After(s.Now), false, named)
	s.Close()
}

// mostSpoken is the maximum number of events that a week or month widget describes.
const mostSpoken = 200

// sayDay describes the events of a day below a heading with the name of the day. It describes at most `room` events and returns their
// number. If there are no events, it adds no heading.
func sayDay(s *speech.Speech, w *kit.Events, from, to time.Time, ahead, room int) (n int) {
	for _, e := range w.List {
		if !kit.During(e, from, to) || n >= room {
			continue
		}
		if n == 0 {
			s.Open(speech.Heading)
			appendDayTo(s, w.B, from, ahead)
			s.Close()
		}
		sayEvent(s, w.B, e, from, to, len(w.Calendars) > 1)
		n++
	}
	return n
}

// Speak implements speech.Speaker. It lists each day that has events.
func (w *week) Speak(s *speech.Speech) {
	days, said := w.days, 0
	if w.by {
		days = 1
	}
	for d := range days {
		said += sayDay(s, w.events, piece.MidnightOf(w.day, d), piece.MidnightOf(w.day, d+1), d, mostSpoken-said)
	}
	sayNothing(s, w.b, w.events, said)
}

// sayNothing reports that there are no events, or that the events are not loaded yet. `said` is the number of events that were described.
func sayNothing(s *speech.Speech, b *kit.Builder, e *kit.Events, said int) {
	s.Open(speech.Sentence)
	switch {
	case said > 0:
	case e.Agenda == nil:
		s.Phrase(locale.NoData)
	default:
		s.Phrase(locale.NothingPlanned)
	}
	s.Close()
}

// HeadOf implements kit.Headed.
func (w *month) HeadOf() *kit.Head { return w.head }

// Speak implements speech.Speaker. It appends today's date, and lists each shown day that has events.
func (w *month) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	s.Time(w.shown, locale.DateFull)
	s.Close()
	if !w.events.Asked() {
		return
	}
	first, said := piece.MidnightOf(w.first, 0), 0
	for d := range w.rows * piece.DaysOfWeek {
		day := piece.MidnightOf(first, d)
		said += sayDay(s, w.events, day, piece.MidnightOf(first, d+1), piece.DaysBetween(w.shown, day), mostSpoken-said)
	}
	sayNothing(s, w.b, w.events, said)
}
