package weather

import (
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/weather"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads the warnings, the current weather, the hours, the days, and the credit.
func (w *forecast) Speak(s *speech.Speech) {
	v := &w.told.view
	if !w.told.known {
		s.Say(speech.Sentence, "—")
		return
	}
	w.sayAlerts(s, v)
	for _, p := range w.parts {
		switch p {
		case partCurrent:
			w.sayNow(s, v)
		case partHours:
			w.sayHours(s, v)
		case partDays:
			w.sayDays(s, v)
		}
	}
	s.Say(speech.Aside, w.told.credit)
}

// told holds the content of a weather widget for Speak.
type told struct {
	view
	known        bool
	wind, credit string
}

// note() stores the content for Speak.
func (w *forecast) note(v view, known bool) {
	w.told = told{view: v, known: known, wind: wind(w.b, &v.Current)}
	if v.Credit != "" {
		w.told.credit, _ = w.credit.texts(&v)
	}
}

// sayNow reads the current weather, the wind, sunrise and sunset, today's range of temperatures, and the next rain. If the widget shows
// the next hours, sayNow also reads them.
func (w *forecast) sayNow(s *speech.Speech, v *view) {
	c := &v.Current
	s.Open(speech.Sentence)
	s.Write(func(dst []byte) []byte { return degrees(w.b, dst, c.Temp) })
	s.Add(c.Kind.Text(w.b.Locale))
	if c.Feels.Has() {
		s.PhraseBefore(locale.FeelsLike)
		s.Glue()
		s.Write(func(dst []byte) []byte { return degrees(w.b, dst, c.Feels) })
		s.PhraseBehind(locale.FeelsLike)
	}
	s.Add(w.told.wind)
	s.Close()
	s.Open(speech.Sentence)
	if v.today != nil {
		sayTurn(s, locale.Sunrise, v.today.Sunrise, v.zone)
		sayTurn(s, locale.Sunset, v.today.Sunset, v.zone)
	}
	s.Close()
	if v.today != nil && v.today.Max.Has() {
		s.Open(speech.Sentence)
		s.AddCapital(w.b.Locale.NearDay(0))
		s.Colon()
		w.sayRange(s, v.today)
		s.Close()
	}
	w.sayRain(s, v)
	w.now.strip.Speak(s)
}

// Speak implements speech.Speaker. It reads each hour with its temperature.
func (s *skyStrip) Speak(to *speech.Speech) {
	if s.used == 0 {
		return
	}
	to.Open(speech.Sentence)
	for i := range s.hours[:s.used] {
		h := &s.hours[i]
		to.Add(h.time.Raw)
		to.Colon()
		to.Add(h.temp.Raw)
	}
	to.Close()
}

// sayTurn appends a sunrise or a sunset with its time.
func sayTurn(s *speech.Speech, turn locale.Phrase, at time.Time, zone *time.Location) {
	if !at.IsZero() {
		s.Phrase(turn)
		s.Space()
		s.Time(at.In(zone), locale.Time)
	}
}

// sayRain reads the start and the end of the next precipitation, after its word, such as "snow".
func (w *forecast) sayRain(s *speech.Speech, v *view) {
	from, to := shower(v.hours)
	if from.IsZero() {
		return
	}
	s.Open(speech.Sentence)
	s.LabelPhrase(locale.Rain)
	first, _ := showerOf(v.hours)
	s.Add(wetWord(w.b, &v.hours[first]))
	s.Space()
	if from.After(v.now) {
		s.Time(from.In(v.zone), locale.Time)
	} else {
		s.Phrase(locale.Now)
	}
	if !to.IsZero() {
		s.Space()
		s.Add("–")
		s.Space()
		s.Time(to.In(v.zone), locale.Time)
	}
	s.Close()
}

// sayHours reads the highest and the lowest temperature of the curve.
func (w *forecast) sayHours(s *speech.Speech, v *view) {
	hours := v.hours[:min(len(v.hours), w.hours.count+1)]
	low, high := coldest(hours)
	if !high.Has() || len(hours) < 2 {
		return
	}
	s.Open(speech.Sentence)
	s.Number(float64(len(hours)-1), 0)
	s.Join(w.b.Locale.UnitOfTime(time.Hour, len(hours)-1))
	s.Colon()
	w.sayPeak(s, locale.Highest, hours, high, v.zone)
	w.sayPeak(s, locale.Lowest, hours, low, v.zone)
	s.Close()
}

// sayPeak appends a temperature and the first hour that has it.
func (w *forecast) sayPeak(s *speech.Speech, p locale.Phrase, hours []weather.Hour, t weather.Number, zone *time.Location) {
	for i := range hours {
		if hours[i].Temp == t {
			s.Phrase(p)
			s.Space()
			s.Write(func(dst []byte) []byte {
				dst = append(degrees(w.b, dst, t), " ("...)
				return append(w.b.Locale.Append(dst, hours[i].At.In(zone), locale.Time), ')')
			})
			return
		}
	}
}

// sayDays reads each day with its weather and its range of temperatures.
func (w *forecast) sayDays(s *speech.Speech, v *view) {
	first := 0
	if w.begun(v) {
		first = 1
	}
	for i := first; i < min(len(v.days), first+w.days.limit); i++ {
		d := &v.days[i]
		s.Open(speech.Item)
		s.Label(w.b.Locale.Day(d.Date.Weekday(), false))
		s.Add(w.kind(d).Text(w.b.Locale))
		w.sayRange(s, d)
		s.Close()
	}
}

// sayRange appends the highest and the lowest temperature of a day.
func (w *forecast) sayRange(s *speech.Speech, d *weather.Day) {
	if d.Max.Has() {
		s.Phrase(locale.Highest)
		s.Space()
		s.Write(func(dst []byte) []byte { return degrees(w.b, dst, d.Max) })
	}
	if d.Min.Has() {
		s.Phrase(locale.Lowest)
		s.Space()
		s.Write(func(dst []byte) []byte { return degrees(w.b, dst, d.Min) })
	}
}

// sayAlerts reads the official warnings if the file selects them. Severe warnings come first.
func (w *forecast) sayAlerts(s *speech.Speech, v *view) {
	if !w.days.shows(partAlerts) {
		return
	}
	for _, grave := range [...]bool{true, false} {
		for i := range v.alerts {
			if a := &v.alerts[i]; a.Grave == grave {
				s.Open(speech.Alert)
				s.LabelPhrase(locale.Warning)
				s.Add(a.Title)
				if !a.Until.IsZero() {
					s.TimeIn(locale.Until, a.Until.In(v.zone), locale.Time)
				}
				s.Close()
			}
		}
	}
}

// HeadOf implements kit.Headed.
func (w *airquality) HeadOf() *kit.Head { return w.head }

// Speak implements speech.Speaker. It reads the index with its class, and each row.
func (w *airquality) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	if w.figure != nil {
		s.Add(w.figure.Raw)
		if w.indexed {
			s.Phrase(locale.AirGood + locale.Phrase(w.level))
		}
	}
	s.Add(w.none.Raw)
	s.Close()
	for i := range w.rows[:w.used] {
		s.Open(speech.Item)
		s.Label(w.rows[i].name.Raw)
		s.Add(w.rows[i].level.Raw)
		s.Close()
	}
}
