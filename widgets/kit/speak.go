package kit

import (
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit/speech"
)

// SpeakOf calls Speak if the widget implements Speaker.
func SpeakOf(s *speech.Speech, w render.Widget) {
	if k, ok := w.(speech.Speaker); ok {
		k.Speak(s)
	}
}

// SpeakAll calls Speak of the children that are shown.
func SpeakAll(s *speech.Speech, all []*Child) {
	for _, k := range all {
		if k.Shown && !k.Rect.Empty() {
			SpeakOf(s, k.Widget)
		}
	}
}

// Speak implements Speaker. If the widget panics, Speak ends the unfinished part and adds the message of the panel.
func (g *Guard) Speak(s *speech.Speech) {
	in := s.Here()
	if !g.down {
		g.speak(s)
	}
	if g.down {
		s.Leave(in) // the widget may have left its sections open
		if g.stop != nil {
			g.stop.words.Speak(s)
			return
		}
		s.Open(speech.Alert)
		s.AddBytes(g.panel.Raw())
		s.Close()
	}
}

func (g *Guard) speak(s *speech.Speech) {
	defer g.contain()
	if f, ok := g.Inner.(*Frame); ok {
		f.speak(s, g.kind)
		return
	}
	in := s.Enter(g.kind, "", "")
	SpeakOf(s, g.Inner)
	s.Leave(in)
}

// speak appends the title line, the content, and the state of the values.
func (w *Frame) speak(s *speech.Speech, kind string) {
	if !w.Shown || w.opaque == 0 {
		return
	}
	title, note := "", ""
	if w.Head != nil {
		title, note = w.Head.TitleIn.Text(), w.Head.NoteIn.Text()
		s.Picture(w.Head.IconIn.Text())
	}
	if title == "" {
		title = headOf(w.Inner)
	}
	in := s.Enter(kind, title, note)
	if w.Values.Failed.IsZero() {
		SpeakOf(s, w.Inner)
	} else {
		w.sayFailed(s)
	}
	if w.Values.waiting && w.awaited != nil && w.awaited.Raw != "" {
		s.Open(speech.Aside)
		s.Phrase(locale.FirstValue)
		s.Close()
	}
	if !w.Values.stale.IsZero() {
		s.Open(speech.Aside)
		s.Phrase(locale.OutOfDate)
		w.b.saySince(s, w.Values.stale)
		s.Close()
	}
	s.Leave(in)
}

// Headed is a widget that creates its title line itself.
type Headed interface{ HeadOf() *Head }

// headOf returns the title of a widget that is Headed, or "".
func headOf(w render.Widget) string {
	h, ok := w.(Headed)
	if !ok || h.HeadOf() == nil {
		return ""
	}
	return h.HeadOf().TitleIn.Text()
}

// sayFailed appends the source, the reason for missing values, and the time of the failure.
func (w *Frame) sayFailed(s *speech.Speech) {
	reason, _ := reasonOf(w.Values.class)
	s.Open(speech.Alert)
	s.Add(sourceName(w.Values.source))
	s.Phrase(reason.text)
	w.b.saySince(s, w.Values.Failed)
	s.Close()
}

// saySince appends "since" and the time `at`. If `at` is today, it appends the time of day, otherwise the date.
func (b *Builder) saySince(s *speech.Speech, at time.Time) {
	at, now := at.In(b.Location), s.Now.In(b.Location)
	word := locale.Time
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		word = locale.Date
	}
	s.TimeIn(locale.Since, at, word)
}

// Speak implements Speaker.
func (w TextWidget) Speak(s *speech.Speech) { w.Words.SpeakTo(s) }

// SpeakTo appends the text as a sentence.
func (w *Words) SpeakTo(s *speech.Speech) {
	s.Open(speech.Sentence)
	s.AddBytes(w.Block.Raw())
	s.Close()
}

// Speak implements Speaker. It appends the shown reason and the time of the failure. It omits the time until the next attempt, because a
// screen reader would read each change.
func (f *Failing) Speak(s *speech.Speech) {
	s.Open(speech.Alert)
	s.Add(f.Words.Raw)
	s.Add(f.more.Raw)
	s.Add(f.Time.Raw)
	s.Close()
}
