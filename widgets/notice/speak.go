package notice

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads each notification with its time, its title, its text, its progress, and its actions. It also
// reads the number of waiting notifications.
func (w *overlay) Speak(s *speech.Speech) {
	for i := range min(len(w.shown), len(w.notices)) {
		w.say(s, i)
	}
}

func (w *overlay) say(s *speech.Speech, i int) {
	n := w.shown[i].Notification
	in := s.EnterNotice(n.ID)
	s.Open(speech.Alert)
	s.Time(n.Posted.In(w.b.Location), locale.Time)
	s.Colon()
	if s.Add(n.Title); n.Title == "" {
		s.Add(w.notices[i].plain)
	}
	if n.Count > 1 {
		s.Space()
		s.Add("×")
		s.Glue()
		s.Number(float64(n.Count), 0)
	}
	s.Close()
	if n.Title != "" {
		s.Say(speech.Alert, w.notices[i].plain)
	}
	s.Open(speech.Sentence)
	if n.Progress != nil {
		s.LabelPhrase(locale.TheProgress)
		s.Write(func(dst []byte) []byte { return w.b.Locale.AppendPercent(dst, *n.Progress, 0) })
	}
	s.Close()
	for a := range n.Actions {
		s.Say(speech.Choice, n.Actions[a].Label)
	}
	s.Open(speech.Sentence)
	if i == 0 && w.waiting > 0 {
		s.Count(locale.More, w.waiting)
	}
	s.Close()
	s.Leave(in)
}

// Speak implements speech.Speaker.
func (b *banner) Speak(s *speech.Speech) {
	if b.strip.Empty() {
		return
	}
	s.Open(speech.Alert)
	s.AddBytes(b.block.Raw())
	s.Close()
}

// Speak implements speech.Speaker.
func (s *sign) Speak(to *speech.Speech) {
	if !s.shown {
		return
	}
	to.Open(speech.Alert)
	to.AddBytes(s.title.Raw())
	to.AddBytes(s.note.Raw())
	to.Close()
}
