package piece

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It appends the value with its unit.
func (f *Figure) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	f.AddTo(s)
	s.Close()
}

// AddTo appends the value with its unit, and the text of its threshold, to the current sentence.
func (f *Figure) AddTo(s *speech.Speech) {
	if f.Said.None && f.Said.Text == "—" {
		s.Phrase(locale.NoData)
		return
	}
	s.Add(f.Said.Text)
	if !f.Said.None && f.Said.IsNum {
		Unit(s, f.unit.Text())
	}
	if f.Said.Range != "" && !f.Said.Told {
		s.Add(f.Said.Range)
	}
}

// Unit appends a unit to the number that was added last.
func Unit(s *speech.Speech, unit string) {
	if Hugs(unit) {
		s.Glue()
		s.Add(unit)
		return
	}
	s.Join(unit)
}

// Speak implements speech.Speaker.
func (p *Paragraph) Speak(s *speech.Speech) { s.Say(speech.Sentence, p.Raw) }

// Speak implements speech.Speaker.
func (*unknown) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	s.Phrase(locale.NoData)
	s.Close()
}
