package classic

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. The label is the title of the child.
func (l *label) Speak(s *speech.Speech) {
	if l.words == nil {
		kit.SpeakOf(s, l.child)
		return
	}
	in := s.EnterBytes("label", l.words.Block.Raw())
	kit.SpeakOf(s, l.child)
	s.Leave(in)
}

// Speak implements speech.Speaker.
func (w *pill) Speak(s *speech.Speech) {
	kit.SpeakOf(s, w.base)
	kit.SpeakOf(s, w.badge)
}

// Speak implements speech.Speaker. It reads the time and the date.
func (w *dateClock) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	for i := range w.lines {
		s.AddBytes(w.lines[i].block.Raw())
	}
	s.Close()
}

// Speak implements speech.Speaker.
func (w *reading) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	s.Add(w.text)
	if w.stale {
		s.Phrase(locale.OutOfDate)
		s.TimeIn(locale.AsOf, w.seen.At.In(s.Zone), locale.Time)
	}
	s.Close()
}

// Speak implements speech.Speaker. It reads the notification. It also reads the child, unless the notification hides the child.
func (w *notifiableText) Speak(s *speech.Speech) {
	if w.shown != nil && w.shown.Text != "" {
		s.Open(speech.Alert)
		s.LabelPhrase(locale.TheNotification)
		s.Add(w.shown.Text)
		s.Close()
	}
	if !w.covers {
		kit.SpeakOf(s, w.child)
	}
}

// Speak implements speech.Speaker. It describes the picture of the notification. Without a notification, it reads the child.
func (w *notifiableImage) Speak(s *speech.Speech) {
	if w.shown == nil {
		kit.SpeakOf(s, w.child)
		return
	}
	s.Open(speech.Alert)
	s.LabelPhrase(locale.TheNotification)
	s.Phrase(locale.ThePicture)
	s.Close()
}

// Speak implements speech.Speaker. It reads the time of the picture, and whether the picture is outdated.
func (w *fetchedImage) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	switch {
	case w.seen == nil || !w.seen.Has():
		s.Phrase(locale.NoData)
	case w.stale:
		s.Phrase(locale.OutOfDate)
		fallthrough
	default:
		s.TimeIn(locale.AsOf, w.seen.At.In(s.Zone), locale.Time)
	}
	s.Close()
}

// Speak implements speech.Speaker. It reads each bar with its label.
func (w *barChart) Speak(s *speech.Speech) {
	if w.shown == nil || len(w.shown.Values) == 0 {
		s.Open(speech.Sentence)
		s.AddBytes(w.nothing.Block.Raw())
		s.Close()
		return
	}
	for i, v := range w.shown.Values {
		s.Open(speech.Item)
		if i < len(w.shown.Labels) {
			s.Label(w.shown.Labels[i])
		}
		s.Number(v, locale.Auto)
		s.Close()
	}
	if w.stale {
		s.Open(speech.Aside)
		s.Phrase(locale.OutOfDate)
		s.Close()
	}
}

// Speak implements speech.Speaker. It adds no text.
func (*empty) Speak(*speech.Speech) {}
