package kit

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/internal/locale"
)

// A Speaker is a widget that describes its content after its last Update as headings and sentences.
type Speaker interface {
	// Speak appends the description to s. It allocates nothing.
	Speak(s *Speech)
}

// Tone is the role of a part of a speech.
type Tone uint8

// Tones of parts.
const (
	Heading  Tone = iota // heading with a Level
	Sentence             // a single sentence
	Item                 // entry of a list
	Aside                // less important text, such as a credit or an age
	Alert                // warning or failure
	Choice               // action of a notification
)

// A Part is a piece of a speech: its bytes from From to To.
type Part struct {
	Tone     Tone
	Level    int // level of a heading, from 2, because the name of the wall has level 1
	From, To int
	Notice   string // id of the notification that a heading or a choice belongs to
	Widget   string // kind of the widget
}

// Limits of a speech, more than a screen reader reads in hours.
const (
	MaxSpeech = 256 << 10 // in bytes
	MaxParts  = 4096
	deepest   = 6 // deepest level of headings in HTML
)

// Speech is a description of a wall as text. Its buffers are reused for the next one. Only one goroutine may use it.
type Speech struct {
	Locale *locale.Locale
	Zone   *time.Location
	Now    time.Time // in Zone
	All    bool      // true to include pages that are not shown

	text   []byte
	parts  []Part
	kind   string // kind of the speaking widget
	notice string
	level  int // level of the next heading
	titled int // number of surrounding sections with a title
	last   Part
	from   int  // start of the open part
	open   bool // true if a part is open
	glued  bool // the next text follows without a comma
	tone   Tone
}

// Begin empties s and sets the language, the time zone and the time of a wall.
func (s *Speech) Begin(l *locale.Locale, zone *time.Location, now time.Time, all bool) {
	*s = Speech{Locale: l, Zone: zone, Now: now.In(zone), All: all, text: s.text[:0], parts: s.parts[:0], level: 2}
}

// Parts returns the parts in reading order. The slice belongs to s.
func (s *Speech) Parts() []Part { return s.parts }

// Text returns the text of a part. It belongs to s.
func (s *Speech) Text(p Part) []byte { return s.text[p.From:p.To] }

// Open starts a part, and closes an open one.
func (s *Speech) Open(t Tone) {
	s.Close()
	s.open, s.glued, s.tone, s.from = true, true, t, len(s.text)
}

// Close ends the open part, and adds a full stop if needed. An empty part is dropped.
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

// stop appends a full stop after a letter or a digit.
func (s *Speech) stop() {
	r, _ := utf8.DecodeLastRune(s.text)
	if unicode.In(r, unicode.Sentence_Terminal) || r == ':' || r == '…' || r == '؛' {
		return
	}
	s.text = append(s.text, fullStop(s.Locale.Language)...)
}

// fullStop returns the end of a sentence in a language.
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

// comma returns the separator of two texts in a language.
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

// next prepares the open part for a text, and reports whether there is room for it.
func (s *Speech) next(bytes int) bool {
	if !s.open {
		s.Open(Sentence)
	}
	if len(s.text)+bytes > MaxSpeech {
		return false
	}
	if !s.glued {
		s.text = append(s.text, comma(s.Locale.Language)...)
	}
	s.glued = false
	return true
}

// Add appends a text to the open part, after a comma unless it is the first text. A dash for a missing value is replaced by words.
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

// AddBytes is Add for bytes.
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

// AddRun appends a run of text with its spaces. Runs follow each other without a comma.
func (s *Speech) AddRun(text string) {
	if s.Glue(); s.next(len(text)) {
		s.even(text)
	}
}

// missing is the sign for an unknown value on a wall, and missingToo the sign in classic widgets.
const (
	missing    = "—"
	missingToo = "--"
)

// even appends a text and replaces its line breaks.
func (s *Speech) even(text string) {
	from := len(s.text)
	s.text = append(s.text, text...)
	s.evenFrom(from)
}

// evenFrom replaces visual separators: line breaks, middle dots, thin spaces.
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

// AddCapital is like Add, with a capital first letter at the start of a part.
func (s *Speech) AddCapital(text string) {
	from := len(s.text)
	s.Add(text)
	s.capital(from)
}

// Join appends a text to the open part after a space.
func (s *Speech) Join(text string) {
	if text != "" {
		s.Space()
		s.Add(text)
	}
}

// Space makes the next text follow after a space, without a comma.
func (s *Speech) Space() {
	if s.open && !s.glued {
		s.text = append(s.text, ' ')
	}
	s.glued = true
}

// Glue makes the next text follow without a comma.
func (s *Speech) Glue() { s.glued = true }

// Label appends a text and a colon. The next text follows after a space.
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
