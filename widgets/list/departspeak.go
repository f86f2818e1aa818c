package list

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads each departure as an item.
func (w *departures) Speak(s *speech.Speech) {
	for i := range w.rows[:w.shown] {
		r := &w.rows[i]
		s.Open(speech.Item)
		s.AddBytes(r.line.Raw)
		s.Space()
		s.LabelBytes(r.to.Raw)
		s.AddBytes(r.time.Raw)
		if len(r.unit.Raw) > 0 && len(r.time.Raw) > 0 {
			s.Space()
		}
		s.AddBytes(r.unit.Raw)
		if r.cancelled && len(r.time.Raw) > 0 {
			s.Phrase(locale.CrossedOut)
		}
		s.AddBytes(r.delay.Raw)
		s.AddBytes(r.platform.Raw)
		s.Close()
	}
	if len(w.notice.Raw) > 0 {
		s.Open(speech.Alert)
		s.AddBytes(w.notice.Raw)
		s.Close()
	}
	if w.shown == 0 && len(w.notice.Raw) == 0 {
		s.Open(speech.Sentence)
		if w.seen.Has() && w.seen.Err == nil && w.p.Empty != "" {
			s.Add(w.p.Empty)
		} else {
			s.Phrase(locale.NoData)
		}
		s.Close()
	}
}
