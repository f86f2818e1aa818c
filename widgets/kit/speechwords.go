package kit

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/internal/locale"
)

// Phrase appends a phrase in the wall's language, with a capital letter at the start of a part.
func (s *Speech) Phrase(p locale.Phrase) { s.PhraseWith(p, "") }

// LabelPhrase is like Label for a phrase.
func (s *Speech) LabelPhrase(p locale.Phrase) {
	s.Phrase(p)
	s.colon()
}

// PhraseWith appends a phrase. with replaces its placeholder.
func (s *Speech) PhraseWith(p locale.Phrase, with string) {
	if !s.next(len(s.Locale.Say(p)) + len(with)) {
		return
	}
	from := len(s.text)
	s.text = s.Locale.AppendPhrase(s.text, p, with)
	s.capital(from)
}

// PhraseBefore appends the text before the placeholder of a phrase, and PhraseBehind the text after it. The caller appends the
// value between them with Write.
func (s *Speech) PhraseBefore(p locale.Phrase) {
	if before, _, _ := strings.Cut(s.Locale.Say(p), "{}"); s.next(len(before)) {
		from := len(s.text)
		s.text = append(s.text, before...)
		s.capital(from)
	}
}

// PhraseBehind appends the text after the placeholder of a phrase.
func (s *Speech) PhraseBehind(p locale.Phrase) {
	_, after, _ := strings.Cut(s.Locale.Say(p), "{}")
	s.text = append(s.text, after...)
}

// Write appends with f. The appended bytes are not changed. With and Time are shorter.
func (s *Speech) Write(f func([]byte) []byte) {
	if s.next(0) {
		s.text = f(s.text)
	}
}

// capital changes the first letter of a part to a capital.
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

// Time appends a formatted time.
func (s *Speech) Time(t time.Time, w locale.Word) {
	if s.next(0) {
		s.text = s.Locale.Append(s.text, t, w)
	}
}

// TimeIn appends a phrase with a time in place of its placeholder.
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

// Count appends a phrase with a number in place of its placeholder.
func (s *Speech) Count(p locale.Phrase, n int) {
	s.PhraseBefore(p)
	s.text = s.Locale.AppendNumber(s.text, float64(n), 0, false)
	s.PhraseBehind(p)
}

// Duration appends a duration.
func (s *Speech) Duration(d time.Duration) {
	if s.next(0) {
		s.text = s.Locale.AppendDuration(s.text, d)
	}
}

// Say adds a complete part with the given texts.
func (s *Speech) Say(t Tone, texts ...string) {
	s.Open(t)
	for _, text := range texts {
		s.Add(text)
	}
	s.Close()
}

// Colon appends a colon after a text. The next text follows after a space.
func (s *Speech) Colon() {
	if s.open && len(s.text) > s.from {
		s.colon()
	}
}

// Even replaces line breaks in the open part, after Write.
func (s *Speech) Even() { s.evenFrom(s.from) }
