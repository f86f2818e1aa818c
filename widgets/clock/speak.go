package clock

import (
	"time"

	"dashboard/control/timer"
	"dashboard/internal/locale"
	"dashboard/internal/localtime"
	"dashboard/internal/moon"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads the time, the date and the week.
func (w *digital) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	now := s.Now.In(w.loc)
	if w.time != nil {
		s.Add(w.time.Raw)
		if w.small != nil {
			s.Glue()
			s.Add(":")
			s.Glue()
			s.Add(w.small.Raw)
		}
		if w.half != nil {
			s.Join(w.half.Raw)
		}
	}
	for i, d := range w.dates {
		if i > 0 && i < w.nameLines() {
			s.Join(d.Raw)
		} else {
			s.Add(d.Raw)
		}
	}
	if w.week {
		_, week := w.b.Locale.Week(now)
		s.Count(locale.WeekNumber, week)
	}
	if !w.b.TimeSet() {
		s.Phrase(locale.TimeNotSet)
	}
	s.Close()
}

// Speak implements speech.Speaker.
func (w *dial) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	s.Time(s.Now.In(w.loc), locale.Time)
	if w.date != nil {
		s.Add(w.date.Raw)
	}
	s.Close()
}

// Speak implements speech.Speaker.
func (w *spoken) Speak(s *speech.Speech) { w.block.Speak(s) }

// Speak implements speech.Speaker. It reads each place with its time.
func (w *world) Speak(s *speech.Speech) {
	for i := range w.rows {
		r := &w.rows[i]
		s.Open(speech.Item)
		s.Label(r.zone.Name)
		s.Add(r.time.Raw)
		if r.away != nil {
			s.Add(r.away.Raw)
		}
		s.Close()
	}
}

// Speak implements speech.Speaker. It reads the title of the event and the remaining time. Without a title, it reads the remaining time
// and then the date.
func (w *countdown) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	if w.title != "" {
		s.Label(w.title)
	}
	s.AddBytes(w.number.Raw)
	if len(w.unit.Raw) > 0 {
		s.Space()
		s.AddBytes(w.unit.Raw)
	}
	if w.title == "" {
		s.AddBytes(w.foot.Raw)
	}
	s.Close()
}

// `states` are the phrases for the states of a timer.
var states = map[timer.State]locale.Phrase{timer.Running: locale.Running, timer.Stopped: locale.Paused, timer.Over: locale.TimeIsUp}

// Speak implements speech.Speaker. It reads the remaining time, the duration, the end, and the presets.
func (w *timerWidget) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	if w.waits() {
		s.AddBytes(w.idle.Raw)
	} else {
		s.AddBytes(w.digits.Raw)
	}
	if p, ok := states[w.state]; ok {
		s.Phrase(p)
	}
	s.AddBytes(w.foot.Raw)
	s.Close()
	for i := range w.chips {
		s.Open(speech.Item)
		s.AddBytes(w.chips[i].Raw)
		s.Close()
	}
}

// Speak implements speech.Speaker. It reads the phase, the lit share, and the dates of the next full moon and new moon.
func (w *lunar) Speak(s *speech.Speech) {
	angle := moon.Angle(w.shown)
	s.Open(speech.Sentence)
	s.Phrase(locale.NewMoon + locale.Phrase(moon.Phase(angle)))
	s.Write(func(dst []byte) []byte { return w.b.Locale.AppendPercent(dst, moon.Lit(angle), 0) })
	s.Close()
	full, empty := moon.Next(w.shown, moon.Full), moon.Next(w.shown, moon.New)
	if full.Before(empty) {
		w.addPhase(s, locale.FullMoon, full)
	}
	w.addPhase(s, locale.NewMoon, empty)
	if !full.Before(empty) {
		w.addPhase(s, locale.FullMoon, full)
	}
}

// addPhase adds a phrase for a phase with its date.
func (w *lunar) addPhase(s *speech.Speech, phase locale.Phrase, at time.Time) {
	s.Open(speech.Sentence)
	s.LabelPhrase(phase)
	s.Time(at.In(w.b.Location), locale.Date)
	s.Close()
}

// HeadOf implements kit.Headed.
func (w *sunpath) HeadOf() *kit.Head { return w.head }

// Speak implements speech.Speaker. It reads the length of the day, the change since yesterday, sunrise, noon and sunset.
func (w *sunpath) Speak(s *speech.Speech) {
	now := w.shown.In(w.b.Location)
	rise, set := w.turns(now)
	s.Open(speech.Sentence)
	if w.head != nil {
		s.Add(w.head.NoteIn.Text())
	}
	today := w.daylight(now)
	s.Duration(today.Round(time.Minute))
	switch {
	case rise.IsZero() && today > 0:
		s.Phrase(locale.NoSunset)
	case rise.IsZero() && set.IsZero():
		s.Phrase(locale.NoSunrise)
	default:
		w.tellChange(s, today-w.daylight(localtime.Yesterday(now)))
	}
	s.Close()
	s.Open(speech.Sentence)
	if !rise.IsZero() {
		w.addTurn(s, locale.Sunrise, rise)
	}
	if !rise.IsZero() && !set.IsZero() {
		w.addTurn(s, locale.Noon, rise.Add(set.Sub(rise)/2))
	}
	if !set.IsZero() {
		w.addTurn(s, locale.Sunset, set)
	}
	s.Close()
}

// addTurn appends the phrase for sunrise, noon or sunset with its time.
func (w *sunpath) addTurn(s *speech.Speech, turn locale.Phrase, at time.Time) {
	s.Phrase(turn)
	s.Space()
	s.Time(at, locale.Time)
}

// tellChange appends the difference between the length of today and the length of yesterday.
func (w *sunpath) tellChange(s *speech.Speech, change time.Duration) {
	phrase := locale.LongerThanYesterday
	if change < 0 {
		phrase = locale.ShorterThanYesterday
	}
	s.Space()
	s.Phrase(locale.OfDaylight)
	s.PhraseBefore(phrase)
	s.Glue()
	s.Duration(change.Abs().Round(time.Minute))
	s.PhraseBehind(phrase)
}
