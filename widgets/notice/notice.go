package notice

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// notice is a notification on the wall. Its parts have coordinates relative to the notice. The field `rect` is the final rectangle of the
// notice on the wall.
type notice struct {
	b     *kit.Builder
	place uint64
	n     *notify.Notification
	plain string // text without the marks of Markdown
	kind  string // card, strip (a card behind the first card), banner, toast, badge or fullscreen
	size  image.Point
	rect  image.Rectangle
	noticeParts

	// State of the motion. `off` is the current offset from `rect`. At the start of a motion, the offset is `from`. At the place outside
	// the wall, the offset is `away`.
	placed, going, moving, covered bool
	since                          time.Time
	from, away, off                image.Point

	// State of the remaining time.
	until time.Time // zero if the notification stays
	whole time.Duration
	left  int // current length of the line for the remaining time, in px
}

// noticeParts are the parts of a drawn notice.
type noticeParts struct {
	ground, ink, muted, accent, rule color.RGBA
	scrim                            bool // true if the texts are drawn on the picture

	stencil *render.Stencil
	shadow  *render.CardShadow
	frame   int // width of the frame on e-paper, in px

	icon              *kit.Mark
	title, time, done *kit.Caption
	text              *piece.Paragraph
	marks             *runText
	words             image.Rectangle // rectangle of the text
	pill              kit.Plate       // background of the time
	picture           image.Rectangle
	missing           *kit.Mark // icon shown while the picture is not loaded
	film              kit.Film
	round             *render.Stencil // stencil that rounds a small picture
	bar               image.Rectangle // progress bar
	barCorner         *render.Corner
	share             float64
	buttons           []noticeButton
	innerCorner       *render.Corner  // corners of the area inside the frame
	line              image.Rectangle // line that shows the remaining time, empty if there is none
}

// show() gives the notice the content of s. The parameter `at` is the number of notifications in front of s.
func (n *notice) show(t render.Tick, w *overlay, s *notify.Shown, at int) {
	kind := w.p.Kind
	switch {
	case quiet(s.Notification):
		kind = "badge"
	case kind == "card" && at > 0:
		kind = "strip"
	}
	n.until, n.whole = s.Until, s.Whole
	if !n.placed {
		n.since = s.Began
	}
	more := 0
	if at == 0 {
		more = w.waiting
	}
	before, was := *n, n.n
	n.n, n.kind = s.Notification, kind
	n.build(w, more)
	switch {
	case was == nil:
	case before.size != n.size || before.kind != kind || before.ground != n.ground:
		t.Damage(before.reach())
		t.Damage(n.reach())
	default:
		n.damageParts(t, &before)
	}
}

// damageParts damages the parts that differ from the previous content.
func (n *notice) damageParts(t render.Tick, old *notice) {
	at := n.rect.Min.Add(n.off)
	one := func(differs bool, r ...image.Rectangle) {
		for _, r := range r {
			if differs {
				t.Damage(r.Add(at))
			}
		}
	}
	one(n.n.Title != old.n.Title || n.n.Count != old.n.Count, n.title.Box, old.title.Box)
	one(n.n.Text != old.n.Text || n.n.Marked != old.n.Marked, n.words, old.words)
	one(n.time.Raw != old.time.Raw, n.time.Box, old.time.Box)
	one(n.n.Icon != old.n.Icon || n.n.Icons != old.n.Icons || n.accent != old.accent, n.icon.Box, old.icon.Box, n.line)
	one(n.n.Picture != old.n.Picture || n.n.Fetching != old.n.Fetching, n.picture, old.picture)
	for i := range n.buttons {
		one(i >= len(old.buttons) || n.buttons[i].label.Raw != old.buttons[i].label.Raw, n.buttons[i].plate.Rect)
	}
	one(n.share != old.share || n.bar != old.bar, n.bar.Inset(-1), old.bar.Inset(-1), n.done.Box)
	if n.title.Box != old.title.Box || n.words != old.words {
		t.Damage(n.rect.Add(n.off))
	}
}

// build creates the parts.
func (n *notice) build(w *overlay, more int) {
	n.noticeParts = noticeParts{}
	if n.plain = n.n.Text; n.n.Marked {
		n.plain = notify.Plain(n.n.Text)
	}
	n.colors()
	n.left = -1
	switch n.kind {
	case "toast":
		n.layToast(w)
	case "badge":
		n.layBadge()
	case "strip":
		n.layStrip(w)
	case "fullscreen":
		n.layFull(w, more)
	default:
		n.layCard(w, more)
	}
	n.mirror()
	n.surround()
	n.film.Pic = n.n.Picture
}

// colors() sets the colors, from the theme or from the notification.
func (n *notice) colors() {
	b := n.b
	n.ground, n.ink, n.muted, n.rule = b.Role("raised"), b.Role("text"), b.Role("muted"), b.Role("line")
	n.accent = b.Role("accent")
	if n.n.Role != "" {
		n.accent = b.Role(n.n.Role)
	}
	if n.n.Color != nil {
		n.accent = render.Premultiply(*n.n.Color)
	}
	if n.n.Background == nil {
		return
	}
	bg := *n.n.Background
	bg.A = 255
	n.ground = render.Premultiply(bg)
	n.ink = color.RGBA{255, 255, 255, 255}
	if piece.Luminance(bg) > 0.35 {
		n.ink = color.RGBA{10, 14, 20, 255}
	}
	n.muted = kit.Tint(n.ink, 0.8)
	n.rule = kit.Tint(n.ink, 0.16)
	if n.n.Color == nil && n.n.Role == "" {
		n.accent = n.ink
	}
}

// heading() returns the title. If the notification arrived more than once, the number of its arrivals follows.
func (n *notice) heading() string {
	return strings.TrimSpace(n.n.Title + " " + n.counted())
}

// counted() returns the number of times that the notification arrived, such as "×2". For a single arrival, it returns "".
func (n *notice) counted() string {
	if n.n.Count <= 1 {
		return ""
	}
	return "×" + string(n.b.Locale.AppendNumber(nil, float64(n.n.Count), 0, false))
}

// when() returns the time at which the notification arrived. The parameter `more` is the number of waiting notifications. If `more` is not
// 0, the text also contains this number.
func (n *notice) when(seconds bool, more int) string {
	word := locale.Time
	if seconds {
		word = locale.TimeSeconds
	}
	s := n.b.Locale.Append(nil, n.n.Posted.In(n.b.Location), word)
	if more > 0 {
		s = append(s, " · "...)
		s = n.b.Locale.AppendPhrase(s, locale.More, string(n.b.Locale.AppendNumber(nil, float64(more), 0, false)))
	}
	return string(s)
}

// mirror() mirrors the parts in languages that are written from right to left.
func (n *notice) mirror() {
	if !n.b.Locale.RightToLeft {
		return
	}
	turn := func(r image.Rectangle) image.Rectangle {
		return image.Rect(n.size.X-r.Max.X, r.Min.Y, n.size.X-r.Min.X, r.Max.Y)
	}
	n.icon.Place(turn(n.icon.Box))
	for _, c := range []*kit.Caption{n.title, n.time, n.done} {
		if c.Edge != kit.EdgeCenter {
			c.Edge = kit.EdgeEnd - c.Edge
		}
		c.Box = turn(c.Box)
		c.Layout()
	}
	for i := range n.buttons {
		n.buttons[i].plate.Rect = turn(n.buttons[i].plate.Rect)
		n.buttons[i].label.Place(turn(n.buttons[i].label.Box))
	}
	n.words, n.bar, n.pill.Rect = turn(n.words), turn(n.bar), turn(n.pill.Rect)
	if n.kind != "fullscreen" {
		n.picture = turn(n.picture)
	}
}

// Sizes of a notice, in px on a screen whose shorter side has 720 px. They are the standard deviation and the downward offset of the
// shadow, and the width of the frame on e-paper.
const (
	shadowBlur  = 24
	shadowBelow = 18
	inkFrame    = 3
)

// surround creates the corners and the shadow of the notice. On e-paper, it sets the width of the frame instead.
func (n *notice) surround() {
	b := n.b
	switch {
	case b.Look.Ink:
		n.frame = b.Px(inkFrame)
	case n.kind != "fullscreen":
		radius := b.Px(b.Look.Sizes.Radius)
		if n.kind == "toast" || n.kind == "strip" {
			radius = b.Px(14)
		}
		if n.kind == "badge" {
			radius = n.size.Y / 2
		}
		n.stencil = render.NewStencil(radius, n.size)
		n.shadow = render.NewCardShadow(n.size, radius, float64(b.Px(shadowBlur)))
	}
	if n.missing != nil {
		n.missing.Set("mdi:image-outline")
	}
}

// reach() returns the rectangle of the wall in which the notice may paint, including its shadow.
func (n *notice) reach() image.Rectangle {
	r := n.rect.Add(n.off)
	if n.shadow != nil {
		s := r.Inset(-n.shadow.Reach()).Add(image.Pt(0, n.b.Px(shadowBelow)))
		r = r.Union(s)
	}
	return r
}
