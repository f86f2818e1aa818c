package classic

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit"
)

// Speak implements kit.Speaker. The label is the title of the child.
func (l *label) Speak(s *kit.Speech) {
	if l.words == nil {
		kit.SpeakOf(s, l.child)
		return
	}
	in := s.EnterBytes("label", l.words.Block.Raw())
	kit.SpeakOf(s, l.child)
	s.Leave(in)
}

// Speak implements kit.Speaker.
func (w *pill) Speak(s *kit.Speech) {
	kit.SpeakOf(s, w.base)
	kit.SpeakOf(s, w.badge)
}

// Speak implements kit.Speaker. It reads the time and the date.
func (w *dateClock) Speak(s *kit.Speech) {
	s.Open(kit.Sentence)
	for i := range w.lines {
		s.AddBytes(w.lines[i].block.Raw())
	}
	s.Close()
}

// Speak implements kit.Speaker.
func (w *reading) Speak(s *kit.Speech) {
	s.Open(kit.Sentence)
	s.Add(w.text)
	if w.stale {
		s.Phrase(locale.OutOfDate)
		s.TimeIn(locale.AsOf, w.seen.At.In(s.Zone), locale.Time)
	}
	s.Close()
}

// Speak implements kit.Speaker. It reads the notification. It also reads the child, unless the notification hides the child.
func (w *notifiableText) Speak(s *kit.Speech) {
	if w.shown != nil && w.shown.Text != "" {
		s.Open(kit.Alert)
		s.LabelPhrase(locale.TheNotification)
		s.Add(w.shown.Text)
		s.Close()
	}
	if !w.covers {
		kit.SpeakOf(s, w.child)
	}
}

// Speak implements kit.Speaker. It describes the picture of the notification. Without a notification, it reads the child.
func (w *notifiableImage) Speak(s *kit.Speech) {
	if w.shown == nil {
		kit.SpeakOf(s, w.child)
		return
	}
	s.Open(kit.Alert)
	s.LabelPhrase(locale.TheNotification)
	s.Phrase(locale.ThePicture)
	s.Close()
}

// Speak implements kit.Speaker. It reads the time of the picture, and whether the picture is outdated.
func (w *fetchedImage) Speak(s *kit.Speech) {
	s.Open(kit.Sentence)
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

// Speak implements kit.Speaker. It reads each bar with its label.
func (w *barChart) Speak(s *kit.Speech) {
	if w.shown == nil || len(w.shown.Values) == 0 {
		s.Open(kit.Sentence)
		s.AddBytes(w.nothing.Block.Raw())
		s.Close()
		return
	}
	for i, v := range w.shown.Values {
		s.Open(kit.Item)
		if i < len(w.shown.Labels) {
			s.Label(w.shown.Labels[i])
		}
		s.Number(v, locale.Auto)
		s.Close()
	}
	if w.stale {
		s.Open(kit.Aside)
		s.Phrase(locale.OutOfDate)
		s.Close()
	}
}

// Speak implements kit.Speaker. It adds no text.
func (*empty) Speak(*kit.Speech) {}
