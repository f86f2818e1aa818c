package kit

import (
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
)

// headings are the headings of widgets without a title, by kind. A kind that is not in the map has no heading.
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

// A Section is a part of a speech below one heading. Leave ends it.
type Section struct {
	level, titled, parts int
	kind, notice         string
	own                  bool // true if the heading is the name of the widget's kind
}

// Enter starts the section of a widget. The heading is the title or, without a title and a note, the name of the kind. A note without a
// title is a sentence. A section inside a titled section does not use the name of its kind. If neighbors without titles have kinds with
// the same name, only the first widget has a heading.
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

// section starts a section without a heading, for a widget of the given kind.
func (s *Speech) section(kind string) Section {
	s.Close()
	in := s.here()
	s.kind = kind
	return in
}

// here returns a section that starts at the present part.
func (s *Speech) here() Section {
	return Section{level: s.level, titled: s.titled, parts: len(s.parts), kind: s.kind, notice: s.notice}
}

// below increases the level of the headings that follow a title.
func (s *Speech) below() { s.level, s.titled, s.last = s.level+1, s.titled+1, Part{} }

// Leave ends a section. If the section has no content, its heading is removed, unless the heading is a title.
func (s *Speech) Leave(in Section) {
	s.Close()
	if in.own && len(s.parts) == in.parts+1 {
		s.text, s.parts, s.last = s.text[:s.parts[in.parts].From], s.parts[:in.parts], Part{}
	}
	s.level, s.titled, s.kind, s.notice = in.level, in.titled, in.kind, in.notice
}

// SpeakOf calls Speak if the widget implements Speaker.
func SpeakOf(s *Speech, w render.Widget) {
	if k, ok := w.(Speaker); ok {
		k.Speak(s)
	}
}

// SpeakAll calls Speak of the children that are shown.
func SpeakAll(s *Speech, all []*Child) {
	for _, k := range all {
		if k.Shown && !k.Rect.Empty() {
			SpeakOf(s, k.Widget)
		}
	}
}

// Speak implements Speaker. If the widget panics, its unfinished part ends there, and the message of the panel follows.
func (g *Guard) Speak(s *Speech) {
	in := s.here()
	if !g.down {
		g.speak(s)
	}
	if g.down {
		s.Leave(in) // the widget may have left its sections open
		if g.stop != nil {
			g.stop.words.Speak(s)
			return
		}
		s.Open(Alert)
		s.AddBytes(g.panel.Raw())
		s.Close()
	}
}

func (g *Guard) speak(s *Speech) {
	defer g.contain()
	if f, ok := g.Inner.(*Frame); ok {
		f.speak(s, g.kind)
		return
	}
	in := s.Enter(g.kind, "", "")
	SpeakOf(s, g.Inner)
	s.Leave(in)
}

// speak reads the title line, the content, and the state of the values.
func (w *Frame) speak(s *Speech, kind string) {
	if !w.Shown || w.opaque == 0 {
		return
	}
	title, note := "", ""
	if w.Head != nil {
		title, note = w.Head.TitleIn.Text(), w.Head.NoteIn.Text()
	}
	if title == "" {
		title = headOf(w.Inner)
	}
	in := s.Enter(kind, title, note)
	if w.Values.Failed.IsZero() {
		SpeakOf(s, w.Inner)
	} else {
		w.sayFailed(s)
	}
	if w.Values.waiting && w.awaited != nil && w.awaited.Raw != "" {
		s.Open(Aside)
		s.Phrase(locale.FirstValue)
		s.Close()
	}
	if !w.Values.stale.IsZero() {
		s.Open(Aside)
		s.Phrase(locale.OutOfDate)
		w.b.saySince(s, w.Values.stale)
		s.Close()
	}
	s.Leave(in)
}

// Headed is a widget that creates its title line itself.
type Headed interface{ HeadOf() *Head }

// headOf returns the title of a widget that is Headed, or "".
func headOf(w render.Widget) string {
	h, ok := w.(Headed)
	if !ok || h.HeadOf() == nil {
		return ""
	}
	return h.HeadOf().TitleIn.Text()
}

// sayFailed reads why values are missing, and since when.
func (w *Frame) sayFailed(s *Speech) {
	reason, _ := reasonOf(w.Values.class)
	s.Open(Alert)
	s.Add(sourceName(w.Values.source))
	s.Phrase(reason.text)
	w.b.saySince(s, w.Values.Failed)
	s.Close()
}

// saySince appends "since" with a time of today or a date.
func (b *Builder) saySince(s *Speech, at time.Time) {
	at, now := at.In(b.Location), s.Now.In(b.Location)
	word := locale.Time
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		word = locale.Date
	}
	s.TimeIn(locale.Since, at, word)
}

// Speak implements Speaker. It starts with the layers, which are above the wall.
func (w *Screen) Speak(s *Speech) {
	for i := len(w.Layers) - 1; i >= 0; i-- {
		SpeakOf(s, w.Layers[i])
	}
	SpeakOf(s, w.Child)
	s.Close()
}

// Speak implements Speaker.
func (w TextWidget) Speak(s *Speech) { w.Words.SpeakTo(s) }

// SpeakTo appends the text as a sentence.
func (w *Words) SpeakTo(s *Speech) {
	s.Open(Sentence)
	s.AddBytes(w.Block.Raw())
	s.Close()
}

// Speak implements Speaker. It reads the shown reason and the time of the failure. It leaves out the time until the next attempt, because
// a screen reader would read each change.
func (f *Failing) Speak(s *Speech) {
	s.Open(Alert)
	s.Add(f.Words.Raw)
	s.Add(f.more.Raw)
	s.Add(f.Time.Raw)
	s.Close()
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

// AppendValue appends a formatted number.
func (w *Formatter) AppendValue(dst []byte, v float64, decimals int) []byte {
	return w.appendNumber(dst, v, decimals)
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

// plainColor is a placeholder for the color of a value.
var plainColor color.NRGBA

// Words is like Entry, but it returns no icon, and the returned color is a placeholder. It allocates no memory.
func (w *Formatter) Words(v any, present bool) (out Shown, told bool) {
	if !present || v == nil && w.Map == nil {
		return Shown{None: true}, false
	}
	out.Num, out.IsNum = w.number(v)
	if e, ok := w.mapped(v, out.Num, out.IsNum); ok && e.Text != "" {
		out.Text = e.Text
		return out, true
	}
	if v == nil {
		out.None = true
		return out, false
	}
	out.Color = &plainColor // with a color present, Threshold sets only the text
	w.Threshold(&out)
	return out, out.Text != ""
}
