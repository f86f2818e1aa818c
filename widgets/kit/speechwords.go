package kit

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/internal/locale"
)

// Phrase appends a phrase of the wall's language, with a capital letter at the beginning of a part.
func (s *Speech) Phrase(p locale.Phrase) { s.PhraseWith(p, "") }

// LabelPhrase is Label for a phrase.
func (s *Speech) LabelPhrase(p locale.Phrase) {
	s.Phrase(p)
	s.colon()
}

// PhraseWith appends a phrase with a text put in.
func (s *Speech) PhraseWith(p locale.Phrase, with string) {
	if !s.next(len(s.Locale.Say(p)) + len(with)) {
		return
	}
	from := len(s.text)
	s.text = s.Locale.AppendPhrase(s.text, p, with)
	s.capital(from)
}

// PhraseBefore appends the beginning of a phrase with a placeholder, and PhraseBehind its end. The inserted text is appended between
// them with Write.
func (s *Speech) PhraseBefore(p locale.Phrase) {
	if before, _, _ := strings.Cut(s.Locale.Say(p), "{}"); s.next(len(before)) {
		from := len(s.text)
		s.text = append(s.text, before...)
		s.capital(from)
	}
}

// PhraseBehind appends what follows the placeholder of a phrase.
func (s *Speech) PhraseBehind(p locale.Phrase) {
	_, after, _ := strings.Cut(s.Locale.Say(p), "{}")
	s.text = append(s.text, after...)
}

// Write has f append to the text. The bytes are not changed. With and Time are shorter.
func (s *Speech) Write(f func([]byte) []byte) {
	if s.next(0) {
		s.text = f(s.text)
	}
}

// capital makes the first letter of a part a capital.
func (s *Speech) capital(from int) {
	if from != s.from {
		return
	}
	r, n := utf8.DecodeRune(s.text[from:])
	up := unicode.ToUpper(r)
	if r == 'i' && (s.Locale.Language == "tr" || s.Locale.Language == "az") {
		up = 'İ'
	}
	if up == r || n == 0 {
		return
	}
	var buf [utf8.UTFMax]byte
	m := utf8.EncodeRune(buf[:], up)
	for range m - n {
		s.text = append(s.text, 0)
	}
	copy(s.text[from+m:], s.text[from+n:])
	copy(s.text[from:], buf[:m])
}

// Time appends a moment.
func (s *Speech) Time(t time.Time, w locale.Word) {
	if s.next(0) {
		s.text = s.Locale.Append(s.text, t, w)
	}
}

// TimeIn appends a phrase with a moment put in.
func (s *Speech) TimeIn(p locale.Phrase, t time.Time, w locale.Word) {
	s.PhraseBefore(p)
	s.text = s.Locale.Append(s.text, t, w)
	s.PhraseBehind(p)
}

// Number appends a number.
func (s *Speech) Number(v float64, decimals int) {
	if s.next(0) {
		s.text = s.Locale.AppendNumber(s.text, v, decimals, false)
	}
}

// Count appends a phrase with a number put in.
func (s *Speech) Count(p locale.Phrase, n int) {
	s.PhraseBefore(p)
	s.text = s.Locale.AppendNumber(s.text, float64(n), 0, false)
	s.PhraseBehind(p)
}

// Duration appends a length of time.
func (s *Speech) Duration(d time.Duration) {
	if s.next(0) {
		s.text = s.Locale.AppendDuration(s.text, d)
	}
}

// Say is one part of some texts.
func (s *Speech) Say(t Tone, texts ...string) {
	s.Open(t)
	for _, text := range texts {
		s.Add(text)
	}
	s.Close()
}

// Colon appends a colon after a text: the next text follows it.
func (s *Speech) Colon() {
	if s.open && len(s.text) > s.from {
		s.colon()
	}
}

// Even brings the open part into one line, after Write.
func (s *Speech) Even() { s.evenFrom(s.from) }
