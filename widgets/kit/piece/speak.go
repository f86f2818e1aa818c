package piece

import (
	"dashboard/internal/locale"
	"dashboard/widgets/kit"
)

// Speak implements kit.Speaker. It reads the value with its unit.
func (f *Figure) Speak(s *kit.Speech) {
	s.Open(kit.Sentence)
	f.AddTo(s)
	s.Close()
}

// AddTo appends the value with its unit to the current sentence.
func (f *Figure) AddTo(s *kit.Speech) {
	if f.Said.None && f.Said.Text == "—" {
		s.Phrase(locale.NoData)
		return
	}
	s.Add(f.Said.Text)
	if !f.Said.None && f.Said.IsNum {
		Unit(s, f.unit.Text())
	}
}

// Unit appends a unit to the number that was added last.
func Unit(s *kit.Speech, unit string) {
	if Hugs(unit) {
		s.Glue()
		s.Add(unit)
		return
	}
	s.Join(unit)
}

// Speak implements kit.Speaker.
func (p *Paragraph) Speak(s *kit.Speech) { s.Say(kit.Sentence, p.Raw) }

// Speak implements kit.Speaker.
func (*unknown) Speak(s *kit.Speech) {
	s.Open(kit.Sentence)
	s.Phrase(locale.NoData)
	s.Close()
}
