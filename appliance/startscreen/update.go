package startscreen

import (
	"image"
	"strconv"

	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/render/text"
)

// An Update is a note about an update of the card.
type Update struct {
	Icon, Role string
	Title      string
	Text       []string // lines below the title
	At         string   // time of day that a card shows, or ""
	Percent    int      // progress bar of a small note in percent, or negative for no bar
	Card       bool     // true for a large card at the bottom of the wall, false for a small note in a quiet corner
}

// Lengths of notes about updates in px, for a short side of 720 px.
const (
	updateWide, updateHigh = 340, 64
	cardWide, cardPad      = 826, 32
	cardIcon               = 40
	progressHigh           = 4
)

// UpdateNote paints a note about an update for a wall of a given size. The corners are transparent.
func UpdateNote(wall image.Point, u Update, night bool, cache *text.Cache) *image.RGBA {
	p := newPainter(wall, cache, night)
	if u.Card {
		return p.updateCard(wall, u)
	}
	title, caption := p.strong("body"), p.face("caption")
	n := note{icon: u.Icon, role: u.Role, pad: p.px(16), side: p.px(28)}
	most := wall.X - 2*p.px(p.look.Sizes.Margin)
	right := 0
	if u.Percent >= 0 {
		right = p.width("100", title) + p.px(4) + p.width("%", caption) + n.pad
	}
	room := most - 3*n.pad - n.side - right
	n.head, n.headHigh = p.set(u.Title, title, room, 1)
	n.body, n.bodyHigh = p.set(joined(u.Text), caption, room, 1)
	wide := min(most, max(p.px(updateWide), 3*n.pad+n.side+right+n.wide()))
	pic, c := p.plate(image.Pt(wide, max(p.px(updateHigh), n.headHigh+n.bodyHigh+p.px(14))), p.px(14))
	n.paint(p, c)
	if u.Percent >= 0 {
		p.progress(c, strconv.Itoa(u.Percent), u.Percent, n.pad)
	}
	return pic
}

// joined() returns the lines as one line.
func joined(lines []string) (all string) {
	for i, l := range lines {
		if i > 0 {
			all += " "
		}
		all += l
	}
	return all
}

// progress() paints the percentage at the right and the bar at the bottom.
func (p *painter) progress(c render.Canvas, figure string, percent, pad int) {
	title, caption := p.strong("body"), p.face("caption")
	size := c.Clip.Size()
	wide := p.width("%", caption)
	sign, signHigh := p.set("%", caption, size.X, 1)
	number, numberHigh := p.set(figure, title, size.X, 1)
	y := (size.Y - numberHigh) / 2
	x := size.X - pad - wide
	sign.Paint(c.Dst, c.Clip, image.Pt(x, y+numberHigh-signHigh-p.px(1)), p.color("muted"))
	number.Paint(c.Dst, c.Clip, image.Pt(x-p.px(4)-number.Ink().Max.X, y), p.color("text"))
	bar := max(2, p.px(progressHigh))
	inset := p.px(4)
	track := image.Rect(inset, size.Y-bar, size.X-inset, size.Y)
	c.FillRound(track, render.NewCorner(bar/2, track.Size()), p.color("line"))
	track.Max.X = track.Min.X + track.Dx()*min(percent, 100)/100
	if track.Dx() >= bar {
		c.FillRound(track, render.NewCorner(bar/2, track.Size()), p.color("accent"))
	}
}

// updateCard paints the large card. The card contains an icon, a title, a time and lines of text.
func (p *painter) updateCard(wall image.Point, u Update) *image.RGBA {
	pad, side := p.px(cardPad), p.px(cardIcon)
	title, body, caption := p.face("title"), p.face("body"), p.face("caption")
	wide := min(p.px(cardWide), wall.X-2*p.px(p.look.Sizes.Margin))
	left := pad + side + pad
	room := wide - left - pad
	clock := p.width(u.At, caption)
	head, headHigh := p.set(u.Title, title, room-clock-pad, 2)
	high := pad + headHigh
	lines, at := []*text.Block{}, []int{}
	const most = 3 // maximum number of lines of one sentence
	for _, t := range u.Text {
		b, h := p.set(t, body, room, most)
		lines, at = append(lines, b), append(at, high)
		high += h
	}
	high += pad
	pic, c := p.plate(image.Pt(wide, high), p.px(p.look.Sizes.Radius))
	if r, ok := icon.Lookup(u.Icon); ok {
		c.Mask(p.cache.Icon(r, side), image.Pt(pad, pad), p.color(u.Role))
	}
	head.Paint(pic, pic.Rect, image.Pt(left, pad), p.color("text"))
	if u.At != "" {
		b, h := p.set(u.At, caption, room, 1)
		b.Paint(pic, pic.Rect, image.Pt(wide-pad-clock, pad+(headHigh-h)/2), p.color("muted"))
	}
	for i, b := range lines {
		b.Paint(pic, pic.Rect, image.Pt(left, at[i]), p.color("muted"))
	}
	return pic
}
