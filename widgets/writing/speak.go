package writing

import (
	"strings"

	"dashboard/internal/locale"
	"dashboard/internal/markdown"
	"dashboard/widgets/kit"
)

// Speak implements kit.Speaker. It reads the number with its unit, or the text.
func (w *liveText) Speak(s *kit.Speech) {
	if w.number {
		w.figure.Speak(s)
		return
	}
	w.para.Speak(s)
}

// Speak implements kit.Speaker. An icon has no description.
func (w *iconWidget) Speak(*kit.Speech) {}

// Speak implements kit.Speaker. It reads the caption and the content of the code. For a network or a contact, it omits the content,
// because it may include a password.
func (w *qrWidget) Speak(s *kit.Speech) {
	s.Open(kit.Sentence)
	s.LabelPhrase(locale.TheQRCode)
	switch {
	case w.unreadable() && w.label != "":
		s.Add(w.label)
	case w.unreadable() && w.network != nil:
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

// Speak implements kit.Speaker.
func (w *markdownWidget) Speak(s *kit.Speech) {
	if w.raw == "—" {
		s.Say(kit.Sentence, w.raw)
		return
	}
	for i := range w.blocks {
		speakBlock(s, &w.blocks[i])
	}
}

// speakBlock reads a block of a text.
func speakBlock(s *kit.Speech, m *markdown.Block) {
	if m.Kind == markdown.Table {
		speakRows(s, m)
		return
	}
	switch {
	case m.Kind == markdown.Heading:
		s.Open(kit.Heading)
	case m.Mark != "":
		s.Open(kit.Item)
	default:
		s.Open(kit.Sentence)
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
func speakSpans(s *kit.Speech, spans []markdown.Span) {
	for i := range spans {
		if s.AddRun(spans[i].Text); spans[i].Break {
			s.AddRun(" ")
		}
	}
}

// speakRows reads a table. Each row is one item of a list.
func speakRows(s *kit.Speech, m *markdown.Block) {
	for _, row := range m.Rows {
		s.Open(kit.Item)
		for i := range row {
			if i > 0 {
				s.AddRun(", ")
			}
			speakSpans(s, row[i].Spans)
		}
		s.Close()
	}
}
