package speech

import (
	"strings"

	"dashboard/internal/locale"
)

// maxSummary is the maximum length of each text of a summary, in bytes.
const maxSummary = 120

// `headings` are the headings of widgets without a title, by kind. A kind that is not in the map has no heading.
var headings = map[string]locale.Phrase{
	"clock": locale.TheClock, "dateclock": locale.TheClock, "countdown": locale.TheCountdown, "timer": locale.TheTimer,
	"moon": locale.TheMoon, "sunpath": locale.Sun, "weather": locale.TheWeather, "airquality": locale.AirQuality,
	"agenda": locale.TheCalendar, "nextevent": locale.TheCalendar, "week": locale.TheCalendar, "month": locale.TheCalendar,
	"photos": locale.ThePhotos, "image": locale.ThePicture, "restimage": locale.ThePicture, "providerimage": locale.ThePicture,
	"camera": locale.TheCamera, "chart": locale.TheChart, "heatmap": locale.TheChart, "providerbarchart": locale.TheChart,
	"table": locale.TheTable, "list": locale.TheList, "text": locale.TheText, "markdown": locale.TheText, "ticker": locale.TheText,
	"rest": locale.TheText, "provider": locale.TheText, "providertemplate": locale.TheText,
	"progress": locale.TheProgress, "gauge": locale.TheValue, "card": locale.TheValue, "qr": locale.TheQRCode, "nowplaying": locale.TheMusic,
}

// A Section is a part of a speech below one heading. Leave ends the section.
type Section struct {
	level, titled, parts int
	kind, notice         string
	own                  bool // true if the heading is the name of the widget's kind
}

// Enter starts the section of a widget. The heading is the title or, without a title and a note, the name of the kind. A note without a
// title becomes a sentence. A section inside a titled section does not use the name of its kind. If neighbors without titles have kinds
// with the same name, only the first widget has a heading.
func (s *Speech) Enter(kind, title, note string) Section {
	in := s.section(kind)
	switch p, named := headings[kind]; {
	case title != "":
		s.Say(Heading, title, note)
		s.below()
	case note != "":
		s.Say(Sentence, note)
	case named && s.titled == 0 && !(s.last.Widget != "" && headings[s.last.Widget] == p):
		s.Open(Heading)
		s.Phrase(p)
		s.Close()
		s.level++
		s.last, in.own = Part{Widget: kind}, true
	case named && s.titled == 0:
		s.level++
	}
	return in
}

// EnterBytes is like Enter, but the title is a slice of bytes and there is no note.
func (s *Speech) EnterBytes(kind string, title []byte) Section {
	if len(title) == 0 {
		return s.Enter(kind, "", "")
	}
	in := s.section(kind)
	s.Open(Heading)
	s.AddBytes(title)
	s.Close()
	s.below()
	return in
}

// section() starts a section without a heading, for a widget of the given kind.
func (s *Speech) section(kind string) Section {
	s.Close()
	in := s.Here()
	s.kind = kind
	return in
}

// Here returns a section that starts with the next part.
func (s *Speech) Here() Section {
	return Section{level: s.level, titled: s.titled, parts: len(s.parts), kind: s.kind, notice: s.notice}
}

// below() increases the level of the headings after a title.
func (s *Speech) below() { s.level, s.titled, s.last = s.level+1, s.titled+1, Part{} }

// Leave ends a section. If the section has no content, its heading is removed, unless the heading is a title.
func (s *Speech) Leave(in Section) {
	s.Close()
	if in.own && len(s.parts) == in.parts+1 {
		s.text, s.parts, s.last = s.text[:s.parts[in.parts].From], s.parts[:in.parts], Part{}
	}
	s.level, s.titled, s.kind, s.notice = in.level, in.titled, in.kind, in.notice
}

// EnterPage starts the section of page n of all pages. The heading is the name of the page or, without a name, its number.
func (s *Speech) EnterPage(name string, n, all int) Section {
	if name != "" {
		in := s.Enter("page", name, "")
		s.titled--
		return in
	}
	in := s.section("page")
	s.Open(Heading)
	s.Write(func(dst []byte) []byte { return s.Locale.AppendCounted(dst, locale.PageOf, n, all) })
	s.Close()
	s.level, s.last = s.level+1, Part{}
	return in
}

// EnterNotice starts the section of the notification with the given id.
func (s *Speech) EnterNotice(id string) Section {
	in := s.section("notification")
	s.notice = id
	s.Open(Heading)
	s.Phrase(locale.TheNotification)
	s.Close()
	s.below()
	return in
}

// Summary returns a label and a state for a list of parts that react to taps. The label is the heading. Without a heading, the label is
// the text before the first colon. The state is the text after the label. Summary shortens the label and the state.
func (s *Speech) Summary() (label, state string) {
	for i, p := range s.Parts() {
		text := strings.TrimSuffix(string(s.Text(p)), ".")
		switch {
		case i == 0 && p.Tone == Heading:
			label = text
		case label == "":
			label, state, _ = strings.Cut(text, ": ")
			return shortened(label), shortened(state)
		default:
			return shortened(label), shortened(text)
		}
	}
	return shortened(label), ""
}

// shortened() cuts a text that is longer than maxSummary bytes to this length and appends an ellipsis. It does not cut inside a letter.
func shortened(text string) string {
	if len(text) <= maxSummary {
		return text
	}
	return strings.ToValidUTF8(text[:maxSummary], "") + "…"
}
