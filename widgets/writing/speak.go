package writing

import (
	"strings"

	"dashboard/internal/locale"
	"dashboard/internal/markdown"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads the number with its unit, or the text.
func (w *liveText) Speak(s *speech.Speech) {
	if w.number {
		w.figure.Speak(s)
		return
	}
	w.para.Speak(s)
}

// Speak implements speech.Speaker. An icon has no description.
func (w *iconWidget) Speak(*speech.Speech) {}

// Speak implements speech.Speaker. It reads the caption and the content of the code. For a network or a contact, it reads the type of the
// code instead of the content, because the content may include a password.
func (w *qrWidget) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	s.LabelPhrase(locale.TheQRCode)
	switch {
	case w.unreadable() && w.label != "":
		s.Add(w.label)
	case w.network != nil && (w.unreadable() || w.words[0] != nil):
		s.Add(w.network.SSID)
	case w.caption != nil:
		s.Add(w.caption.Raw)
	}
	kind, _, _ := strings.Cut(w.text, ":")
	switch {
	case w.code == nil:
		s.Phrase(locale.NoData)
	case kind == "WIFI" || kind == "MECARD":
		s.Add(kind)
	default:
		s.Add(w.text)
	}
	s.Close()
}

// Speak implements speech.Speaker.
func (w *markdownWidget) Speak(s *speech.Speech) {
	if w.raw == "—" {
		s.Say(speech.Sentence, w.raw)
		return
	}
	for i := range w.blocks {
		speakBlock(s, &w.blocks[i])
	}
}

// speakBlock reads a block of a text.
func speakBlock(s *speech.Speech, m *markdown.Block) {
	if m.Kind == markdown.Table {
		speakRows(s, m)
		return
	}
	switch {
	case m.Kind == markdown.Heading:
		s.Open(speech.Heading)
	case m.Mark != "":
		s.Open(speech.Item)
	default:
		s.Open(speech.Sentence)
	}
	if m.Mark != "•" && m.Mark != "" {
		s.Add(m.Mark)
		s.Space()
	}
	speakSpans(s, m.Spans)
	if m.Task == markdown.Done {
		s.Phrase(locale.Done)
	}
	s.Close()
}

// speakSpans appends runs of text.
func speakSpans(s *speech.Speech, spans []markdown.Span) {
	for i := range spans {
		if s.AddRun(spans[i].Text); spans[i].Break {
			s.AddRun(" ")
		}
	}
}

// speakRows reads a table. Each row is one item of a list.
func speakRows(s *speech.Speech, m *markdown.Block) {
	for _, row := range m.Rows {
		s.Open(speech.Item)
		for i := range row {
			if i > 0 {
				s.AddRun(", ")
			}
			speakSpans(s, row[i].Spans)
		}
		s.Close()
	}
}
