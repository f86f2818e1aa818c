// Package speech describes a wall as text: headings and sentences that a screen reader reads.
package speech

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/internal/locale"
)

// A Speaker is a widget that can describe its content with headings and sentences.
type Speaker interface {
	// Speak appends a description of the content, as of the last Update, to s. It allocates no memory.
	Speak(s *Speech)
}

// Tone is the role of a part of a speech.
type Tone uint8

// Tones of parts.
const (
	Heading  Tone = iota // heading with a Level
	Sentence             // one sentence
	Item                 // entry of a list
	Aside                // less important text, such as a credit or the age of a value
	Alert                // warning or failure
	Choice               // action of a notification
)

// A Part is a piece of a speech. Its text is the bytes between From and To.
type Part struct {
	Tone     Tone
	Level    int // level of a heading. The lowest is 2, because the name of the wall has level 1
	From, To int
	Notice   string // id of the notification to which a heading or a choice belongs
	Widget   string // kind of the widget
}

// Limits of a speech. A screen reader would need hours to read more.
const (
	MaxBytes = 256 << 10 // in bytes
	MaxParts = 4096
	deepest  = 6 // deepest level of headings in HTML
)

// Speech is a description of a wall as text. Begin empties a Speech and reuses its buffers. Only one goroutine may use a Speech at a
// time.
type Speech struct {
	Locale *locale.Locale
	Zone   *time.Location
	Now    time.Time // in Zone
	All    bool      // true if the speech also describes pages that are not shown
	Icon   string    // icon of the first described part with an icon, such as mdi:home

	text   []byte
	parts  []Part
	kind   string // kind of the widget that is described now
	notice string
	level  int // level of the next heading
	titled int // number of titled sections around the current section
	last   Part
	from   int  // start of the open part in text
	open   bool // true if a part is open
	glued  bool // true if no comma comes before the next text
	tone   Tone
}

// Begin empties s and sets the language, the time zone and the time of the wall. `all` is the new value of All.
func (s *Speech) Begin(l *locale.Locale, zone *time.Location, now time.Time, all bool) {
	*s = Speech{Locale: l, Zone: zone, Now: now.In(zone), All: all, text: s.text[:0], parts: s.parts[:0], level: 2}
}

// Picture sets Icon, unless it is set already.
func (s *Speech) Picture(icon string) {
	if s.Icon == "" {
		s.Icon = icon
	}
}

// Parts returns the parts in reading order. The slice is valid until the next Begin.
func (s *Speech) Parts() []Part { return s.parts }

// Text returns the text of a part. The slice is valid until the next Begin.
func (s *Speech) Text(p Part) []byte { return s.text[p.From:p.To] }

// Open starts a part. If another part is open, Open closes this part first.
func (s *Speech) Open(t Tone) {
	s.Close()
	s.open, s.glued, s.tone, s.from = true, true, t, len(s.text)
}

// Close ends the open part. If the part does not end with a full stop, Close adds one, except after headings and choices. Close drops a
// part without text.
func (s *Speech) Close() {
	if !s.open {
		return
	}
	s.open = false
	for len(s.text) > s.from && strings.IndexByte(" ,;\n", s.text[len(s.text)-1]) >= 0 {
		s.text = s.text[:len(s.text)-1]
	}
	if len(s.text) == s.from || len(s.parts) >= MaxParts {
		s.text = s.text[:s.from]
		return
	}
	if s.tone != Heading && s.tone != Choice {
		s.stop()
	}
	one := Part{Tone: s.tone, Level: min(s.level, deepest), From: s.from, To: len(s.text), Notice: s.notice, Widget: s.kind}
	s.parts = append(s.parts, one)
	s.text = append(s.text, '\n')
}

// stop appends a full stop, unless the text already ends with a mark that ends a sentence, with a colon or with an ellipsis.
func (s *Speech) stop() {
	r, _ := utf8.DecodeLastRune(s.text)
	if unicode.In(r, unicode.Sentence_Terminal) || r == ':' || r == '…' || r == '؛' {
		return
	}
	s.text = append(s.text, fullStop(s.Locale.Language)...)
}

// fullStop returns the character that ends a sentence in a language.
func fullStop(language string) string {
	switch language {
	case "ja", "zh":
		return "。"
	case "hi", "bn":
		return "।"
	case "ur":
		return "۔"
	case "th":
		return ""
	}
	return "."
}

// comma() returns the separator between two texts in a language.
func comma(language string) string {
	switch language {
	case "ja":
		return "、"
	case "zh":
		return "，"
	case "ar", "fa", "ur":
		return "، "
	case "th":
		return " "
	}
	return ", "
}

// next() prepares the open part for another text of the given length. It returns false if the speech has no room for the text.
func (s *Speech) next(bytes int) bool {
	if !s.open {
		s.Open(Sentence)
	}
	if len(s.text)+bytes > MaxBytes {
		return false
	}
	if !s.glued {
		s.text = append(s.text, comma(s.Locale.Language)...)
	}
	s.glued = false
	return true
}

// Add appends a text to the open part. A comma separates the text from the previous text. If the text is the dash of a missing value, Add
// appends a phrase instead.
func (s *Speech) Add(text string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
	case text == missing || text == missingToo:
		s.Phrase(locale.NoData)
	case s.next(len(text)):
		s.even(text)
	}
}

// AddBytes is like Add for bytes.
func (s *Speech) AddBytes(text []byte) {
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
	case string(text) == missing || string(text) == missingToo:
		s.Phrase(locale.NoData)
	case s.next(len(text)):
		from := len(s.text)
		s.text = append(s.text, text...)
		s.evenFrom(from)
	}
}

// AddRun appends text with all its spaces. No comma separates the text from the previous text.
func (s *Speech) AddRun(text string) {
	if s.Glue(); s.next(len(text)) {
		s.even(text)
	}
}

// missing is the sign for an unknown value. Classic widgets use the sign missingToo.
const (
	missing    = "—"
	missingToo = "--"
)

// even() appends a text and replaces the separators in it, as evenFrom does.
func (s *Speech) even(text string) {
	from := len(s.text)
	s.text = append(s.text, text...)
	s.evenFrom(from)
}

// evenFrom replaces separators that are only useful on a screen: line breaks, middle dots and thin spaces. It removes soft hyphens. It
// starts at the position `from`.
func (s *Speech) evenFrom(from int) {
	out := from
	for at := from; at < len(s.text); {
		r, n := utf8.DecodeRune(s.text[at:])
		switch {
		case r == '\n' && out > from && s.text[out-1] != ' ':
			s.text[out] = ' '
			out++
		case r == '\n':
		case r == '·' && out > from && s.text[out-1] == ' ':
			s.text[out-1] = ','
		case r == '\u2009' || r == '\u00ad':
			if r == '\u2009' {
				s.text[out] = ' '
				out++
			}
		default:
			out += copy(s.text[out:], s.text[at:at+n])
		}
		at += n
	}
	s.text = s.text[:out]
}

// AddCapital is like Add. If the text is the first of a part, its first letter becomes a capital.
func (s *Speech) AddCapital(text string) {
	from := len(s.text)
	s.Add(text)
	s.capital(from)
}

// Join appends a text to the open part. Only a space separates the text from the previous text.
func (s *Speech) Join(text string) {
	if text != "" {
		s.Space()
		s.Add(text)
	}
}

// Space appends a space. No comma comes before the next text.
func (s *Speech) Space() {
	if s.open && !s.glued {
		s.text = append(s.text, ' ')
	}
	s.glued = true
}

// Glue prevents the comma before the next text.
func (s *Speech) Glue() { s.glued = true }

// Label appends a text with a colon. The next text follows after a space, without a comma.
func (s *Speech) Label(text string) {
	before := len(s.text)
	if s.Add(text); len(s.text) > before {
		s.colon()
	}
}

// LabelBytes is like Label for bytes.
func (s *Speech) LabelBytes(text []byte) {
	before := len(s.text)
	if s.AddBytes(text); len(s.text) > before {
		s.colon()
	}
}

func (s *Speech) colon() {
	r, _ := utf8.DecodeLastRune(s.text)
	if r != ':' && r != '：' {
		s.text = append(s.text, ':')
	}
	s.text = append(s.text, ' ')
	s.glued = true
}
