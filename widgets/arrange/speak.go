package arrange

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker.
func (w *layout) Speak(s *speech.Speech) { kit.SpeakAll(s, w.children) }

// Speak implements speech.Speaker.
func (w *Line) Speak(s *speech.Speech) { kit.SpeakAll(s, w.Children) }

// Speak implements speech.Speaker. It starts with the bottom child and ends with the top child.
func (w *stack) Speak(s *speech.Speech) { kit.SpeakAll(s, w.children) }

// Speak implements speech.Speaker.
func (g *grid) Speak(s *speech.Speech) {
	for i := range g.cells {
		kit.SpeakOf(s, g.cells[i].child)
	}
}

// Speak implements speech.Speaker. It describes the current page, or all pages with their names if s.All is set.
func (w *pages) Speak(s *speech.Speech) {
	if !s.All {
		kit.SpeakOf(s, w.children[w.current].Widget)
		return
	}
	for i, k := range w.children {
		in := s.EnterPage(k.Spec.Name, i+1, len(w.children))
		kit.SpeakOf(s, k.Widget)
		s.Leave(in)
	}
}

// Speak implements speech.Speaker. It describes the child that is shown. During a slide, it describes the child that slides in. If to.All
// is set, it describes all children.
func (s *Slider) Speak(to *speech.Speech) {
	shown := s.Shown
	if s.Sliding {
		shown = s.next
	}
	for i, child := range s.Children {
		if i == shown || to.All {
			kit.SpeakOf(to, child)
		}
	}
}

// Speak implements speech.Speaker. It describes the value, the change of the value, the exceeded limit, the sparkline, and the child
// widgets.
func (w *card) Speak(s *speech.Speech) {
	if w.figure != nil {
		s.Open(speech.Sentence)
		w.figure.AddTo(s)
		if w.trend != nil {
			w.trend.addChange(s)
		}
		if w.beyond != nil {
			s.Add(w.beyond.text.Raw)
		}
		s.Close()
	}
	kit.SpeakOf(s, w.spark)
	if w.column != nil {
		w.column.Speak(s)
	}
}

// `directions` are the phrases for the icons of a trend.
var directions = map[string]locale.Phrase{"mdi:arrow-up": locale.Rising, "mdi:arrow-down": locale.Falling, "mdi:arrow-right": locale.Steady}

// addChange appends the change and its period.
func (w *trend) addChange(s *speech.Speech) {
	if way, ok := directions[w.mark.Name]; ok && w.text.Raw != "" {
		s.Phrase(way)
		s.Join(w.text.Raw)
		s.Duration(w.long)
	}
}

// Speak implements speech.Speaker. It adds no text.
func (space) Speak(*speech.Speech) {}
