package speech

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/internal/locale"
)

// Phrase appends a phrase in the wall's language. At the start of a part, its first letter becomes a capital.
func (s *Speech) Phrase(p locale.Phrase) { s.PhraseWith(p, "") }

// LabelPhrase is like Label for a phrase.
func (s *Speech) LabelPhrase(p locale.Phrase) {
	s.Phrase(p)
	s.colon()
}

// PhraseWith appends a phrase, with its placeholder replaced by `with`.
func (s *Speech) PhraseWith(p locale.Phrase, with string) {
	if !s.next(len(s.Locale.Say(p)) + len(with)) {
		return
	}
	from := len(s.text)
	s.text = s.Locale.AppendPhrase(s.text, p, with)
	s.capital(from)
}

// PhraseBefore appends the part of a phrase before its placeholder. The caller then appends a value with Write and calls PhraseBehind.
func (s *Speech) PhraseBefore(p locale.Phrase) {
	if before, _, _ := strings.Cut(s.Locale.Say(p), "{}"); s.next(len(before)) {
		from := len(s.text)
		s.text = append(s.text, before...)
		s.capital(from)
	}
}

// PhraseBehind appends the part of a phrase after its placeholder.
func (s *Speech) PhraseBehind(p locale.Phrase) {
	_, after, _ := strings.Cut(s.Locale.Say(p), "{}")
	s.text = append(s.text, after...)
}

// Write lets f append bytes to the open part. These bytes are not changed.
func (s *Speech) Write(f func([]byte) []byte) {
	if s.next(0) {
		s.text = f(s.text)
	}
}

// capital() makes the first letter of a part a capital, if `from` is the start of the part.
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

// TimeIn appends a phrase, in which a time replaces the placeholder.
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

// Count appends a phrase, in which a number replaces the placeholder.
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

// Say adds a complete part, which consists of the given texts.
func (s *Speech) Say(t Tone, texts ...string) {
	s.Open(t)
	for _, text := range texts {
		s.Add(text)
	}
	s.Close()
}

// Colon appends a colon. The next text follows after a space, without a comma.
func (s *Speech) Colon() {
	if s.open && len(s.text) > s.from {
		s.colon()
	}
}

// Even replaces separators in the open part, as evenFrom does. It is used after Write.
func (s *Speech) Even() { s.evenFrom(s.from) }
