package media

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads the name and the caption of the picture.
func (w *photosWidget) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	if w.now == nil {
		s.Phrase(locale.NoData)
		s.Close()
		return
	}
	s.LabelPhrase(locale.ThePicture)
	s.Add(w.now.Name)
	if w.told != "name" {
		s.AddBytes(w.caption.Raw)
	}
	s.Close()
}

// Speak implements speech.Speaker. It reads the time of the picture or, for an outdated picture with a badge, the age. Without a picture,
// it reads the failure or that the picture is loading.
func (w *fadingImage) Speak(s *speech.Speech) {
	switch {
	case !w.failed.IsZero():
		w.lost.Speak(s)
	case w.waits:
		s.Open(speech.Aside)
		s.Phrase(locale.Loading)
		s.Close()
	case w.film.Pic == nil:
		s.Say(speech.Sentence, "—")
	case w.stale && w.badge != nil:
		s.Open(speech.Aside)
		s.TimeIn(locale.LastPicture, w.badge.at.In(w.b.Location), locale.Time)
		s.AddBytes(w.badge.words.Raw)
		s.Close()
	case w.stale:
		s.Open(speech.Aside)
		s.Phrase(locale.OutOfDate)
		s.Close()
	default:
		s.Open(speech.Sentence)
		at := w.seen.At
		if at.After(s.Now) { // a recorded picture may be newer than a frozen clock
			at = s.Now
		}
		s.TimeIn(locale.AsOf, at.In(w.b.Location), locale.Time)
		s.Close()
	}
}

// Speak implements speech.Speaker. It adds no text, because a picture file has no description.
func (w *imageWidget) Speak(*speech.Speech) {}
