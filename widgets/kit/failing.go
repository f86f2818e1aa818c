package kit

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit/format"
)

// Lengths of a Failing, in px on a screen whose shorter side has 720 px.
const (
	failedIcon = 30
	failedGap  = 12
)

// Failing replaces a widget whose source has never sent a value, or a widget that stopped after a panic. It shows an icon for the kind of
// failure, the source and the reason. At the bottom, it shows the start of the failure and the time of the next attempt.
type Failing struct {
	b           *Builder
	size        image.Point
	icon        *Mark
	Words, Time *Caption
	more        *Caption      // second line of the text in Words
	Again       *Caption      // time until the next attempt
	left        time.Duration // shown time until the next attempt, rounded to a step
	retries     bool          // true if the time of an attempt was known before. The caption Again then keeps its place
	color, text color.RGBA
}

// Failing returns a Failing for the size of a widget.
func (b *Builder) Failing(size image.Point) *Failing {
	f := &Failing{b: b, size: size, color: b.Role("muted"), text: b.Role("text")}
	side := min(b.Px(failedIcon), size.X, size.Y)
	f.icon = b.Mark(image.Rect(0, 0, side, side))
	f.Words = b.Caption(b.Face("body"), image.Rectangle{}, b.EdgeOf(""))
	f.more = b.Caption(b.Face("body"), image.Rectangle{}, b.EdgeOf(""))
	f.Words.Least = b.Least()
	f.Time = b.Caption(b.Face("caption"), image.Rectangle{}, b.EdgeOf(""))
	f.Again = b.Caption(b.Face("caption"), image.Rectangle{}, b.EdgeOf(""))
	return f
}

// A reason is the icon and the text for a class of failures.
type reason struct {
	icon string
	text locale.Phrase
}

// `reasons` has an entry for each class of failures that a user can distinguish. Any other class is shown as noReason.
var reasons = map[fetch.Class]reason{
	fetch.Denied:      {"mdi:key-alert-outline", locale.TokenRefused},
	fetch.NotFound:    {"mdi:link-off", locale.NotFound},
	fetch.NoName:      {"mdi:link-off", locale.NotFound},
	fetch.Certificate: {"mdi:shield-alert-outline", locale.NotTrusted},
	fetch.NoTLS:       {"mdi:shield-alert-outline", locale.NotTrusted},
	fetch.WebPage:     {"mdi:web", locale.WebPage},
	fetch.NoFile:      {"mdi:file-alert-outline", locale.NoFile},
	fetch.NoNetwork:   {"mdi:wifi-off", locale.NoNetwork},
	fetch.NoService:   {"mdi:lan-disconnect", locale.NoServer},
	fetch.NoHost:      {"mdi:lan-disconnect", locale.NoServer},
	fetch.ServerFault: {"mdi:server-off", locale.ServerFault},
	fetch.Busy:        {"mdi:speedometer", locale.TooMany},
	fetch.TimedOut:    {"mdi:timer-sand-empty", locale.NoAnswer},
}

// noReason is shown for a failure without an entry in reasons.
var noReason = reason{"mdi:cloud-off-outline", locale.NoAnswer}

// reasonOf returns the icon and the text for a class of failures. If the text is "no answer", `known` is false.
func reasonOf(c fetch.Class) (r reason, known bool) {
	r, ok := reasons[c]
	if !ok {
		r = noReason
	}
	return r, r.text != locale.NoAnswer
}

// sourceName returns the name of a source in the form for display, with spaces instead of underscores.
func sourceName(configured string) string {
	if configured == "homeassistant" { // the name of the provider that conf.yaml's key `homeassistant` creates
		return "Home Assistant"
	}
	return strings.ReplaceAll(configured, "_", " ")
}

// A failure describes a source that does not answer.
type failure struct {
	source string // name in the configuration, or ""
	class  fetch.Class
	since  string
}

// A wording is a text for a failure. The field `more` is the second line of the text, and `time` is the line below the text. Both fields
// may be empty. If `last` is true, the text may shrink to the minimum size.
type wording struct {
	words, more, time string
	last              bool
}

// wordings() returns the possible texts for a failure, from the most complete to the shortest.
func (b *Builder) wordings(x failure) []wording {
	l := b.Locale
	since := string(l.AppendPhrase(nil, locale.Since, x.since))
	r, known := reasonOf(x.class)
	none, reason := l.Say(locale.NoAnswer), l.Say(r.text)
	var all []wording
	if x.source != "" {
		source := x.source
		if !strings.Contains(source, ".") { // the name of a host is not capitalized
			source = l.Capital(source)
		}
		named := func(s string) string { return l.Labeled(source, s) }
		all = append(all, wording{words: named(reason), time: since}, wording{words: named(""), more: l.Capital(reason), time: since},
			wording{words: named(none), time: since})
		if !known {
			all = append(all, wording{words: named(string(l.AppendPhrase(nil, locale.NoAnswerSince, x.since)))})
		}
		all = append(all, wording{words: named(reason)}, wording{words: named(none)})
	}
	all = append(all, wording{words: l.Capital(reason), time: since})
	if first, second := halves(l.Capital(reason)); second != "" {
		all = append(all, wording{words: first, more: second, time: since})
	}
	if known {
		all = append(all, wording{words: l.Capital(none), time: since})
	} else {
		all = append(all, wording{words: string(l.AppendPhrase(nil, locale.NoAnswerSince, x.since))})
	}
	return append(all, wording{words: l.Capital(reason)}, wording{words: l.Capital(none), last: true})
}

// halves() splits a sentence at the space nearest to its middle. Without a space, second is empty.
func halves(s string) (first, second string) {
	at := -1
	for i, c := range []byte(s) {
		if c == ' ' && (at < 0 || abs(2*i-len(s)) < abs(2*at-len(s))) {
			at = i
		}
	}
	if at < 0 {
		return s, ""
	}
	return s[:at], s[at+1:]
}

func abs(n int) int { return max(n, -n) }

// Say sets the source, the reason and the time of a failure. It chooses the most complete text that fits. If no text fits, only the icon
// is shown.
func (f *Failing) Say(source string, class fetch.Class, at, now time.Time) {
	r, _ := reasonOf(class)
	f.icon.Set(r.icon)
	f.choose(f.b.wordings(failure{sourceName(source), class, f.b.Since(at, now)}))
}

// tiny() reports whether even the icon is too small to be recognized. In this case, the title line shows the icon.
func (f *Failing) tiny() bool { return f.icon.Box.Dx() < f.b.Px(HeadIcon) }

// stopped() sets the text for a widget that panicked. pos is the widget's position in the files. `name` may be empty.
func (f *Failing) stopped(name, pos string) {
	words := f.b.Locale.Say(locale.WidgetStopped)
	f.icon.Set("mdi:restart-alert")
	var all []wording
	if name != "" {
		all = []wording{{words: name, more: words, time: pos}, {words: name, more: words}}
	}
	f.choose(append(all, wording{words: words, time: pos}, wording{words: words, last: true}))
}

// choose shows the first text that fits.
func (f *Failing) choose(all []wording) {
	var chosen wording
	for _, x := range all {
		if f.fits(x) {
			chosen = x
			break
		}
	}
	f.Words.Set(chosen.words)
	f.more.Set(chosen.more)
	f.Time.Set(chosen.time)
	f.place()
}

// indent() returns the x coordinate of the text, which is next to the icon.
func (f *Failing) indent() int { return f.icon.Box.Dx() + f.b.Px(failedGap) }

// first() returns the height, in px, of the first line. The icon is in this line.
func (f *Failing) first() int { return max(f.icon.Box.Dy(), f.Words.Face.Line) }

// fits() reports whether a wording fits into the widget.
func (f *Failing) fits(x wording) bool {
	high, wide := f.first(), f.size.X-f.indent()
	if x.more != "" {
		high += f.more.Face.Line
	}
	if x.time != "" {
		high += f.Time.Face.Line + f.b.Px(TitleBelow)
	}
	if x.more == "" && x.time == "" {
		high = f.b.Least() * 5 / 4 // a single line of text shrinks with the height of its box
	}
	fits := func(c *Caption, s string) bool {
		least := c.Face.Size * 7 / 8
		if x.last {
			least = f.b.Least()
		}
		return f.b.TextWidth(c.Face, s)*least <= wide*c.Face.Size
	}
	return high <= f.size.Y && wide >= 3*f.Words.Face.Size && fits(f.Words, x.words) && fits(f.more, x.more) && fits(f.Time, x.time)
}

// place() places the icon and the text at the top of the widget, and the lines with times at the bottom.
func (f *Failing) place() {
	b, high := f.b, f.first()
	if f.more.Raw == "" && f.Time.Raw == "" {
		high = min(high, f.size.Y)
	}
	side := f.icon.Box.Dx()
	f.icon.Place(b.Mirrored(image.Rect(0, (high-side)/2, side, (high+side)/2), f.size.X))
	at := func(c *Caption, left, top, bottom int) int {
		c.Place(b.Mirrored(image.Rect(left, top, f.size.X, bottom), f.size.X))
		return bottom
	}
	bottom := at(f.Words, f.indent(), 0, high)
	if f.more.Raw != "" {
		bottom = at(f.more, f.indent(), bottom, bottom+f.more.Face.Line)
	}
	line := f.Time.Face.Line
	top, foot := bottom+b.Px(TitleBelow), line
	if f.retries && top+2*line <= f.size.Y {
		foot = 2 * line
	}
	left := f.indent()
	if free := f.size.Y - foot - top; free > 0 {
		top += free
		if free >= line {
			left = 0
		}
	}
	top = at(f.Time, left, top, top+line)
	if foot == line {
		top = f.size.Y // this position hides Again, because there is no room or no known time
	}
	at(f.Again, left, top, top+line)
}

// Steps in which the time until the next attempt is shown. The larger step is for times above one minute.
const (
	againStep     = 10 * time.Second
	againLongStep = time.Minute
)

// Update shows the time until the next attempt, in whole steps. `next` is the time of this attempt, or zero if it is unknown. During an
// attempt, the line is empty. Black-and-white screens do not show the line, because each change would redraw the whole screen.
func (f *Failing) Update(t render.Tick, next time.Time) {
	left, step := next.Sub(t.Now()), againStep
	switch {
	case next.IsZero() || left <= 0 || f.b.Look.Ink:
		left = 0
	case left > time.Minute:
		step = againLongStep
		fallthrough
	default:
		left = (left + step - 1).Truncate(step)
		t.Wake(next.Add(step - left))
	}
	if left == f.left {
		return
	}
	f.left = left
	if !f.retries {
		f.retries = true
		f.place()
	}
	f.Again.Set("")
	if l := f.b.Locale; left > 0 && f.Time.Raw != "" && f.Again.Box.Max.Y <= f.size.Y {
		words := string(l.AppendPhrase(nil, locale.NextTry, string(l.AppendRoughDuration(nil, left))))
		if f.b.TextWidth(f.Again.Face, words) <= f.Again.Box.Dx() {
			f.Again.Set(words)
		}
	}
	t.DamageAll()
}

// Mirrored mirrors a rectangle inside the given width in languages that are written from right to left.
func (b *Builder) Mirrored(r image.Rectangle, width int) image.Rectangle {
	if !b.Locale.RightToLeft {
		return r
	}
	return image.Rect(width-r.Max.X, r.Min.Y, width-r.Min.X, r.Max.Y)
}

// Paint implements render.Widget.
func (f *Failing) Paint(c render.Canvas) {
	f.icon.Paint(c, f.color)
	f.Words.Paint(c, f.text)
	f.more.Paint(c, f.text)
	f.Time.Paint(c, f.color)
	f.Again.Paint(c, f.color)
}

// waitingDash returns a dash, which a widget shows before its first value. The dash is in the first line of the widget's text. If there
// is room, the dash has the size of a figure.
func (b *Builder) waitingDash(size image.Point) *Caption {
	face := b.Face("figure")
	if below := b.Face("caption").Line; size.Y < face.Line+2*below || size.X < 2*face.Size {
		face = b.Face("body")
	}
	c := b.Caption(face, image.Rectangle{}, b.EdgeOf(""))
	c.Set(format.NoValue)
	c.Place(image.Rect(0, 0, size.X, min(max(b.Px(failedIcon), face.Line), size.Y)))
	return c
}

// waitingWords returns a sentence for the bottom of a widget that waits for its first value. If there is no room below the waiting dash,
// the sentence is empty.
func (b *Builder) waitingWords(size image.Point) *Caption {
	face := b.Face("caption")
	c := b.Caption(face, image.Rectangle{}, b.EdgeOf(""))
	words := b.Locale.Say(locale.FirstValue)
	if size.Y < 4*face.Line || b.TextWidth(face, words) > size.X {
		return c
	}
	c.Place(image.Rect(0, size.Y-face.Line, size.X, size.Y))
	c.Set(words)
	return c
}

// Loading is shown instead of a picture that has not arrived yet.
type Loading struct {
	icon  *Mark
	words *Caption
	color color.RGBA
}

// loadingIcon is the size of the icon of a Loading, in px on a screen whose shorter side has 720 px.
const loadingIcon = 52

// Loading returns a Loading for the size of a picture.
func (b *Builder) Loading(size image.Point) *Loading {
	face := b.Face("caption")
	side := min(b.Px(loadingIcon), size.X, size.Y)
	at := size.Sub(image.Pt(side, side)).Div(2)
	w := &Loading{icon: b.Mark(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}), color: b.Role("muted")}
	w.icon.Set("mdi:image-outline")
	w.words = b.Caption(face, image.Rectangle{}, b.EdgeOf(""))
	if words := b.Locale.Say(locale.Loading); at.Y >= face.Line && b.TextWidth(face, words) <= size.X {
		w.words.Place(image.Rect(0, size.Y-face.Line, size.X, size.Y))
		w.words.Set(words)
	}
	return w
}

// Paint implements render.Widget.
func (w *Loading) Paint(c render.Canvas) {
	w.icon.Paint(c, w.color)
	w.words.Paint(c, w.color)
}
