package client

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dashboard/render"
	"dashboard/render/damage"
	"dashboard/render/icon"
	"dashboard/render/text"

	"github.com/itchyny/timefmt-go"
)

// Lengths of the card, in px, for a screen whose shorter side has 480 px. On a larger screen they grow more slowly than the screen.
const (
	cardReference = 480
	cardGrowth    = 0.85 // exponent: the lengths grow by this power of the screen's growth
	cardWide      = 460
	cardPadX      = 32
	cardPadY      = 36
	cardRadius    = 18
	cardClock     = 140
	cardDate      = 22
	cardMessage   = 20
	cardNote      = 15
	cardIcon      = 28
	cardBlur      = 18   // standard deviation of the blur of the frame behind the card
	cardGap       = 20   // space next to the icon and around the horizontal line
	leastText     = 11   // px. Smaller text is illegible
	maxMessage    = 500  // greatest length of a message in bytes
	digitHigh     = 0.73 // height of digits relative to the size of the clock
)

// Colors of the card, premultiplied. The card is legible over any frame, by day and by night.
var (
	cardColor = color.RGBA{22, 28, 39, 255}
	cardLine  = color.RGBA{40, 44, 52, 255}
	cardEdge  = color.RGBA{50, 55, 65, 255} // line along the inside of the edge, if a frame is behind the card
	cardText  = color.RGBA{238, 242, 248, 255}
	cardMuted = color.RGBA{149, 161, 179, 255}
	cardAmber = color.RGBA{245, 184, 75, 255}
)

const (
	tokenDim   = 0.4            // darkening of the frame if the service rejects the token
	ageFrom    = time.Minute    // the age of a frame is shown only if the frame is at least this old
	hoursSince = 48 * time.Hour // the age is shown in days from this age on
)

// A plight is the reason why the card is shown.
type plight uint8

const (
	lost      plight = iota // the service has stopped answering
	never                   // the service has never answered
	unpainted               // the service answers, but has no frame yet
	token                   // the service rejects the token
	removed                 // the service has removed this screen's token
	wrong                   // the settings have an error, so the service is not known
	notice                  // a notice is shown
)

// An offline is the screen that shows a problem or a notice instead of new frames. It shows the last frame, blurred and darkened, and a
// card with the time, the problem and the age of the frame. The blur makes the texts of the frame illegible, because a clock in the frame
// shows an old time.
type offline struct {
	opts     Offline
	why      plight
	host     string // host of the service, or the text of the error or the notice
	failure  string // reason why the service has not answered
	dateless bool   // the date is hidden, because the card shows a code instead of the time
	timeless bool   // the machine's clock is not set, so the card shows no times
	size     image.Point
	fonts    *text.Cache
	dark     color.RGBA
	soft     *render.Frost // the blurred frame. It is nil before the frame is blurred, and if the service has never answered
	frame    time.Time     // time of the last frame, or zero without a frame
	retry    time.Duration // pause between two attempts to connect, for the note. If it is less than a second, the note omits it

	step    time.Duration // time between two changes of the clock's text
	shows   []byte        // texts of the clock, the date and the note, one after the other
	hours   int           // length of the clock's text in bytes
	words   []byte        // text of the message
	cut     []byte
	scratch []byte

	k                          float64 // factor by which the lengths of the card are multiplied
	card                       image.Rectangle
	round, inner               *render.Corner  // corners of the card, and of the card without the line along its edge
	roundFor                   image.Point     // size of the card for which the corners were made
	rule                       image.Rectangle // horizontal line above the message
	mask                       *render.Mask
	iconAt                     image.Point
	clock, date, message, note line
}

func newOffline(o Offline, why plight, size image.Point, address string, fonts *text.Cache) *offline {
	f := &offline{opts: o, why: why, size: size, fonts: fonts, host: hostOf(address), step: clockStep(o.ClockFormat)}
	dim := o.Dim
	switch why {
	case never:
		dim = 0 // there is no picture to darken
		if f.opts.Message == "" {
			f.opts.Message = "No connection to " + f.host
		}
	case unpainted:
		dim = 0
		f.opts.Message = "The wall has no picture yet"
	case token:
		dim = tokenDim
		f.opts.Message = "The service refuses the token"
	case removed:
		dim = tokenDim
		f.opts.Message = "This screen was removed"
	}
	if why == wrong {
		f.opts.Message = "The settings have a mistake"
		f.host = strings.ToValidUTF8(address[:min(len(address), maxMessage)], "")
	}
	f.words = []byte(f.opts.Message)
	if len(f.words) > maxMessage {
		f.words = bytes.ToValidUTF8(f.words[:maxMessage], nil)
	}
	f.dark = color.RGBA{A: uint8(round(255 * min(1, max(0, dim))))}
	f.k = math.Pow(float64(min(size.X, size.Y))/cardReference, cardGrowth)
	name := "lan-disconnect"
	if why == token || why == removed {
		name = "key-alert-outline"
	}
	if why == notice || why == unpainted {
		name = "monitor-eye"
	}
	if why == wrong {
		name = "file-alert-outline"
	}
	if r, ok := icon.Lookup(name); ok {
		f.mask = fonts.Icon(r, f.px(cardIcon))
	}
	return f
}

// newNotice returns a card with a notice. `clock` is the format of the clock. If the notice contains a code, the card shows the code
// instead of the time.
func newNotice(n *Notice, clock string, size image.Point, fonts *text.Cache) *offline {
	o := Offline{ClockFormat: clock, Message: strings.ToValidUTF8(n.Title, "")}
	if n.Code != "" {
		o.ClockFormat = strings.ReplaceAll(n.Code, "%", "%%")
	}
	f := newOffline(o, notice, size, "", fonts)
	f.host = strings.ToValidUTF8(n.Detail[:min(len(n.Detail), maxMessage)], "")
	f.dateless = n.Code != ""
	return f
}

// hostOf returns the host and the port of a URL.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// px() converts a length of the card to px on this screen.
func (o *offline) px(measure float64) int { return max(1, round(measure*o.k)) }

// clockStep returns the time between two changes of a clock with the given format: a second or a minute.
func clockStep(format string) time.Duration {
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	if timefmt.Format(at, format) != timefmt.Format(at.Add(time.Second), format) {
		return time.Second
	}
	return time.Minute
}

// update updates the card for the local time `now`, and adds the changed rectangles to the list `changed`. It returns the time of the next
// update.
func (o *offline) update(now time.Time, changed *damage.List) time.Time {
	next := now.Add(o.step - sinceStep(now, o.step))
	format := o.opts.ClockFormat
	if o.timeless {
		next = now.Add(time.Second) // the clock may be set soon
		if !o.dateless {
			format = "–"
		}
	}
	b := timefmt.AppendFormat(o.scratch[:0], now, format)
	clock := len(b)
	o.hours = clock
	b = now.AppendFormat(b, "Monday, 2 January")
	date := len(b)
	b = o.appendNote(b, now)
	o.scratch = b
	if bytes.Equal(b, o.shows) && o.shows != nil {
		return next
	}
	first, card := o.shows == nil, o.card
	o.shows = append(o.shows[:0], b...)
	o.tell(changed)
	o.layout(o.shows[:clock], o.shows[clock:date], o.shows[date:])
	o.tell(changed)
	switch {
	case first:
		changed.Add(image.Rectangle{Max: o.size})
	case card != o.card:
		changed.Add(card.Union(o.card))
	}
	return next
}

// tell() adds the rectangles of all texts that can change to the list `changed`.
func (o *offline) tell(changed *damage.List) {
	for _, l := range [...]*line{&o.clock, &o.date, &o.note} {
		changed.Add(l.ink().Intersect(o.card))
	}
}

// appendNote appends the text below the message: the age of the frame, or a hint.
func (o *offline) appendNote(b []byte, now time.Time) []byte {
	switch {
	case o.why == token:
		return append(b, "server.token in client.yaml is not its stream_token"...)
	case o.why == removed:
		return append(b, "start it again to pair it with a wall"...)
	case o.why == never && o.failure != "":
		if !strings.Contains(o.opts.Message, o.host) {
			b = append(append(b, o.host...), ": "...)
		}
		return append(b, o.failure...)
	case o.why == never:
		return append(append(b, o.host...), " has not answered yet"...)
	case o.why == wrong, o.why == notice, o.frame.IsZero(), o.timeless:
		return append(b, o.host...)
	}
	at, age := o.frame.In(now.Location()), now.Sub(o.frame)
	b = append(b, "picture from "...)
	if age >= 24*time.Hour {
		b = at.AppendFormat(b, "2 January, ")
	}
	b = at.AppendFormat(b, "15:04")
	switch {
	case age < ageFrom:
	case age < 2*time.Hour:
		return append(strconv.AppendInt(append(b, ", "...), int64(age.Minutes()), 10), " min old"...)
	case age < hoursSince:
		return append(strconv.AppendInt(append(b, ", "...), int64(age.Hours()), 10), " h old"...)
	default:
		return append(strconv.AppendInt(append(b, ", "...), int64(age.Hours()/24), 10), " days old"...)
	}
	return b
}

// sinceStep returns how much of the current second or minute has passed. `now` is a local time.
func sinceStep(now time.Time, step time.Duration) time.Duration {
	return (time.Duration(now.Second())*time.Second + time.Duration(now.Nanosecond())) % step
}

// font() returns the built-in font with the given weight, for text with a size of px pixels.
func (o *offline) font(weight, px, tracking int) *text.Font {
	return o.fonts.Style(text.Inter(), text.Style{Weight: weight, Optical: min(px, 32), Tracking: tracking, Tabular: tracking == 0 || o.step < time.Minute})
}

// fit() shapes the text s in the size px. If the text is wider than `wide`, fit() uses a smaller size, but not less than `least`. If it
// is still too wide, fit() shortens the text. It returns the size of the shaped text.
func (o *offline) fit(l *line, f *text.Font, px, least, wide int, s []byte) int {
	for {
		o.fonts.ShapeBytes(&l.text, f, px, s)
		less := max(least, px*9/10)
		switch {
		case l.text.Width() <= wide:
			return px
		case less >= px:
			o.shorten(l, f, px, wide, s)
			return px
		}
		px = less
	}
}

// shorten shapes a text that is too wide. It cuts the text and adds an ellipsis, so that it fits.
func (o *offline) shorten(l *line, f *text.Font, px, wide int, s []byte) {
	for end := len(s); end > 0 && l.text.Width() > wide; {
		for end--; end > 0 && s[end]&0xc0 == 0x80; end-- {
		}
		o.cut = append(append(o.cut[:0], s[:end]...), "…"...)
		o.fonts.ShapeBytes(&l.text, f, px, o.cut)
	}
}

// layout() computes the positions of all parts of the card. If there is too little room, it leaves out the date.
func (o *offline) layout(clock, date, note []byte) {
	margin := margin(o.size)
	wide := min(o.px(cardWide), o.size.X-2*margin)
	padX, padY, gap := o.px(cardPadX), o.px(cardPadY), o.px(cardGap)
	inner := wide - 2*padX
	clockSize := o.fit(&o.clock, o.font(250, o.px(cardClock), -30), o.px(cardClock), 2*leastText, inner, clock)
	o.fit(&o.date, o.font(400, o.px(cardDate), 0), max(leastText, o.px(cardDate)), leastText, inner, date)
	side := 0
	if o.mask != nil {
		side = o.px(cardIcon) + gap
	}
	message := max(leastText, o.px(cardMessage))
	message = o.fit(&o.message, o.font(500, message, 0), message, leastText, inner-side, o.words)
	small := max(leastText, o.px(cardNote))
	small = o.layNote(small, inner-side, note)

	high := round(digitHigh * float64(clockSize))
	lower := message*13/10 + small*14/10
	total := 2*padY + high + gap + o.px(cardDate)*14/10 + 2*gap + lower
	dated := total <= o.size.Y-2*margin && !o.dateless && !o.timeless
	if !dated {
		total -= gap + o.px(cardDate)*14/10
	}
	at := image.Pt((o.size.X-wide)/2, (o.size.Y-total)/2)
	o.card = image.Rectangle{Min: at, Max: at.Add(image.Pt(wide, total))}
	if size := o.card.Size(); size != o.roundFor {
		o.round, o.roundFor = render.NewCorner(o.px(cardRadius), size), size
		o.inner = render.NewCorner(o.px(cardRadius)-o.px(1), o.card.Inset(o.px(1)).Size())
	}
	x, y := at.X+padX, at.Y+padY
	o.clock.base = image.Pt(x-o.clock.text.Ink().Min.X, y+high)
	y += high + gap
	o.date.hidden = !dated
	if dated {
		o.date.base = image.Pt(x, y+o.px(cardDate)*11/10)
		y += o.px(cardDate) * 14 / 10
	}
	y += gap
	o.rule = image.Rect(x, y, at.X+wide-padX, y+max(1, o.px(1)))
	y += gap
	o.iconAt = image.Pt(x, y+(lower-o.px(cardIcon))/2)
	o.message.base = image.Pt(x+side, y+message)
	o.note.base = image.Pt(x+side, y+message*13/10+small*11/10)
}

// layNote shapes the note in the size px and returns the size that fits. If there is room, the pause between two attempts follows the
// age of the frame.
func (o *offline) layNote(px, wide int, note []byte) int {
	f := o.font(400, px, 0)
	if o.why == lost && o.retry >= time.Second && !o.frame.IsZero() {
		o.cut = strconv.AppendInt(append(append(o.cut[:0], note...), " · retries every "...), int64(o.retry/time.Second), 10)
		o.cut = append(o.cut, " s"...)
		if o.fonts.ShapeBytes(&o.note.text, f, px, o.cut); o.note.text.Width() <= wide {
			return px
		}
	}
	return o.fit(&o.note, f, px, leastText, wide, note)
}

// soften blurs the frame behind the card, unless this is already done. Without a frame it does nothing.
func (o *offline) soften(frame *image.RGBA) {
	if o.why == never || o.why == unpainted {
		return
	}
	if o.soft == nil {
		o.soft = render.NewFrost(o.size, cardBlur*o.k)
	}
	if o.soft != nil {
		o.soft.Take(render.Canvas{Dst: frame, Clip: frame.Rect}, image.Point{})
	}
}

// old() frees the blurred frame, because the frame has changed.
func (o *offline) old() {
	if o != nil {
		o.soft = nil
	}
}

func (o *offline) paint(c render.Canvas) {
	if o.soft != nil {
		o.soft.Paint(c, image.Point{})
	}
	c.Fill(image.Rectangle{Max: o.size}, o.dark)
	if !c.Sees(o.card) {
		return
	}
	if o.soft == nil {
		c.FillRound(o.card, o.round, cardColor)
	} else {
		c.FillRound(o.card, o.round, cardEdge)
		c.FillRound(o.card.Inset(o.px(1)), o.inner, cardColor)
	}
	c.Fill(o.rule, cardLine)
	if o.mask != nil {
		c.Mask(o.mask, o.iconAt, cardAmber)
	}
	c.Clip = c.Clip.Intersect(o.card.Add(c.Org)) // on a tiny screen the parts can be larger than the card
	o.clock.paintAs(c, cardText)
	o.date.paintAs(c, cardMuted)
	o.message.paintAs(c, cardText)
	o.note.paintAs(c, cardMuted)
}
