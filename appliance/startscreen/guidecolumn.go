package startscreen

import (
	"image"
	"slices"

	"dashboard/appliance/about"
	"dashboard/internal/qrcode"
	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/render/text"
)

// oneCode paints the words of a guide and at most one code. The code is next to the words, or below them in an upright picture.
func (p *guidePainter) oneCode(g about.Guide) {
	margin := max(10, p.at(guideMargin))
	room := image.Rectangle{Max: p.size}.Inset(margin)
	if len(g.Codes) == 0 {
		room.Max.X = min(room.Max.X, room.Min.X+p.at(guideWide-guideMargin*2))
		p.column(g, room)
		return
	}
	code, above := g.Codes[0], 0
	if code.Sentence != "" && p.shorter >= oneCode {
		above = p.font(26, 20, 500, false).line + p.at(heroGap)
	}
	below := p.wordsBelow(code, above)
	modules := sideOf(code.Content, p.most(g))
	space := p.at(tileSpace)
	if above > 0 {
		space = p.at(codesModule * (joinSide + 2*qrcode.Quiet))
	}
	upright := p.size.Y > p.size.X
	switch {
	case upright:
		space = min(p.size.X-2*margin, p.size.Y/2-above-below)
	case p.shorter < oneCode:
		space = min(p.size.Y-2*margin, p.size.X/2) // the code gets room first, because a phone scans it from an arm's length
	}
	module := max(1, space/modules)
	tile := module * modules
	at := image.Pt(p.size.X-margin-tile, (p.size.Y-tile+above-below)/2)
	column := image.Rect(room.Min.X, room.Min.Y, at.X-margin, room.Max.Y)
	if beside := image.Rect(column.Min.X, at.Y, column.Max.X, at.Y+tile); above == 0 && p.shorter >= oneCode && p.fits(g, beside) {
		column = beside
	}
	if upright {
		at = image.Pt((p.size.X-tile)/2, p.size.Y-margin-tile-below)
		column = image.Rect(room.Min.X, room.Min.Y, room.Max.X, at.Y-margin-above)
	}
	p.tile(code.Content, p.most(g), module, at)
	if above > 0 {
		p.around(code, at, tile, above)
	}
	p.column(g, column)
}

// most() returns the number of modules on a side of the code, for a guide with one code. A code for joining needs more modules than a code
// for the page, because it has more content.
func (p *guidePainter) most(g about.Guide) int {
	if len(g.Codes[0].Content) > 32 || g.Codes[0].Sentence != "" { // longer contents do not fit into pageSide
		return joinSide
	}
	return pageSide
}

// A piece is a part of the column. It has a height and a function that paints it at a position.
type piece struct {
	high  int
	after int // gap below the piece
	paint func(y int)
}

// column paints the words of a guide. If the words do not fit, it decreases the font size, but not below two thirds of the normal size.
// If the words still do not fit, it omits some of them.
func (p *guidePainter) column(g about.Guide, room image.Rectangle) {
	full := p.scale
	defer func() { p.scale = full }()
	if len(g.Steps) > 0 {
		room.Max.Y -= p.steps(g, room)
	}
	for _, share := range []float64{1, 0.92, 0.85, 0.78, 0.72, 0.67} {
		p.scale = full * share
		if all := p.pieces(g, room); heightOf(all) <= room.Dy() {
			paintAll(all, room)
			return
		}
	}
	for g.Quiet+g.Hint != "" || len(g.Text)+len(g.List) > 0 || len(g.Rows) > 1 {
		g = shorter(g)
		if all := p.pieces(g, room); heightOf(all) <= room.Dy() {
			paintAll(all, room)
			return
		}
	}
	paintAll(p.pieces(g, room), room)
}

// fits reports whether the words of a guide fit into `room` at their normal size.
func (p *guidePainter) fits(g about.Guide, room image.Rectangle) bool {
	high := heightOf(p.pieces(g, room))
	if len(g.Steps) > 0 {
		high += p.unseen().steps(g, room)
	}
	return high <= room.Dy()
}

// unseen returns a copy of the painter that only measures.
func (p *guidePainter) unseen() *guidePainter {
	scratch := *p
	scratch.canvas = render.NewCanvas(image.NewRGBA(image.Rect(0, 0, 1, 1)))
	return &scratch
}

// shorter() returns the guide without its least important words. It never omits the title and the words to type.
func shorter(g about.Guide) about.Guide {
	switch {
	case len(g.List) > 0:
		g.List = nil
	case g.Quiet != "":
		g.Quiet = ""
	case g.Hint != "":
		g.Hint = ""
	case len(g.Text) > 0:
		g.Text = g.Text[:len(g.Text)-1]
	case len(g.Rows) > 1: // the wrong row is enough
		g.Rows = g.Rows[max(0, slices.IndexFunc(g.Rows, func(r about.Row) bool { return r.Wrong })):][:1]
	}
	return g
}

func heightOf(all []piece) (high int) {
	for i, one := range all {
		if high += one.high; i < len(all)-1 {
			high += one.after
		}
	}
	return high
}

func paintAll(all []piece, room image.Rectangle) {
	y := room.Min.Y
	for _, one := range all {
		one.paint(y)
		y += one.high + one.after
	}
}

// pieces() returns the pieces of the column.
func (p *guidePainter) pieces(g about.Guide, room image.Rectangle) (all []piece) {
	hero, body := p.font(44, 24, 400, true), p.font(26, 17, 400, false)
	value, label := p.font(26, 18, 500, false), p.font(20, 15, 400, false)
	if r, ok := icon.Lookup(g.Icon); ok && p.shorter >= oneCode {
		side := p.at(44)
		all = append(all, piece{side, p.at(iconBelow), func(y int) { p.canvas.Mask(p.cache.Icon(r, side), image.Pt(room.Min.X, y), p.color(g.Role)) }})
	}
	if g.Over != "" {
		all = append(all, p.paragraph(g.Over, value, "muted", room, 0, p.at(guideGap/2)))
	}
	if g.Title != "" {
		all = append(all, p.paragraph(g.Title, hero, "text", room, 0, max(8, p.at(titleBelow))))
	}
	if len(g.Rows) > 0 {
		all = append(all, p.rows(g, room))
	}
	for i, t := range g.Text {
		gap := p.at(textGap)
		if i == len(g.Text)-1 {
			gap = p.at(pairsGap)
		}
		all = append(all, p.paragraph(t, body, "text", room, 0, max(8, gap)))
	}
	if len(g.Pairs) > 0 {
		all = append(all, p.pairsPiece(g.Pairs, label, value, room))
	}
	if g.Hint != "" {
		all = append(all, p.hint(g.Hint, body, room))
	}
	if g.Quiet != "" {
		all = append(all, p.paragraph(g.Quiet, body, "muted", room, 0, 0))
	}
	if len(g.List) > 0 {
		all = append(all, p.list(g.List, room))
	}
	return all
}

// paragraph returns the piece for a text of some lines.
func (p *guidePainter) paragraph(s string, f face, ink string, room image.Rectangle, indent, after int) piece {
	const lines = 6
	high, paint := p.wrapped(s, f, ink, room.Dx()-indent, lines)
	return piece{high, after, func(y int) { paint(image.Pt(room.Min.X+indent, y)) }}
}

// pairsPiece returns the piece with the words to type and their labels.
func (p *guidePainter) pairsPiece(pairs []about.Pair, label, value face, room image.Rectangle) piece {
	high := p.unseen().pairs(pairs, label, value, room)
	return piece{high, p.at(pairsGap), func(y int) {
		p.pairs(pairs, label, value, image.Rect(room.Min.X, y, room.Max.X, y+high))
	}}
}

// hint returns the piece for a paragraph with a warning icon.
func (p *guidePainter) hint(s string, f face, room image.Rectangle) piece {
	side := f.line
	words := p.paragraph(s, f, "text", room, side+p.at(heroGap)*3/5, p.at(pairsGap))
	paint := words.paint
	words.paint = func(y int) {
		p.glyph("alert-outline", "warn", side*5/6, image.Pt(room.Min.X+side*5/12, y+side/2))
		paint(y)
	}
	return words
}

// steps() paints the bars of the steps at the bottom of a column. It returns their height including the gap above.
func (p *guidePainter) steps(g about.Guide, room image.Rectangle) int {
	gap, bar := max(4, p.at(9)), max(3, p.at(4))
	n := len(g.Steps)
	wide := (room.Dx() - (n-1)*gap) / n
	now, later := p.font(20, 14, 500, false), p.font(20, 14, 400, false)
	named := wide >= p.longest(g.Steps, now)
	high := bar
	if named {
		high += p.at(10) + now.line
	}
	y := room.Max.Y - high
	for i, s := range g.Steps {
		x := room.Min.X + i*(wide+gap)
		box := image.Rect(x, y, x+wide, y+bar)
		ink := "line"
		if i < g.Step {
			ink = "accent"
		}
		p.canvas.FillRound(box, render.NewCorner(bar/2, box.Size()), p.color(ink))
		if !named {
			continue
		}
		f, ink := later, "muted"
		if i == g.Step-1 {
			f, ink = now, "text"
		}
		p.line(s, f, ink, image.Rect(x, box.Max.Y+p.at(10), x+wide, room.Max.Y+now.line))
	}
	return high + p.at(pairGap)
}

func (p *guidePainter) longest(all []string, f face) (wide int) {
	for _, s := range all {
		wide = max(wide, p.width(s, f))
	}
	return wide
}

// Lengths of a badge in px, for a short side of 720 px.
const (
	badgeHigh = 64
	badgeWide = 481
)

// Badge paints the small note of a wall that has lost its network. The corners are transparent.
func Badge(wall image.Point, g about.Guide, night bool, cache *text.Cache) *image.RGBA {
	p := newPainter(wall, cache, night)
	title, caption := p.strong("body"), p.face("caption")
	n := note{icon: g.Icon, role: g.Role, pad: p.px(16), side: title.line}
	room := wall.X - 2*p.px(p.look.Sizes.Margin) - 3*n.pad - n.side
	words := ""
	if len(g.Text) > 0 {
		words = g.Text[0]
	}
	n.head, n.headHigh = p.set(g.Title, title, min(room, p.px(badgeWide)), 1)
	n.body, n.bodyHigh = p.set(words, caption, room, 1)
	n.parts, n.partsWide = p.emphasized(words, g.Pairs, caption, p.strong("caption"), room)
	wide := min(n.wide(), room) + 3*n.pad + n.side
	pic, c := p.plate(image.Pt(wide, max(p.px(badgeHigh), n.headHigh+n.bodyHigh+p.px(8))), p.px(14))
	n.paint(p, c)
	return pic
}

// plate returns a transparent picture with a plate, and the picture's canvas. The plate is a filled rectangle with rounded corners.
func (p *painter) plate(size image.Point, radius int) (*image.RGBA, render.Canvas) {
	pic := image.NewRGBA(image.Rectangle{Max: size})
	c := render.NewCanvas(pic)
	c.FillRound(pic.Rect, render.NewCorner(radius, size), p.color("raised"))
	return pic, c
}

// note is an icon with two lines next to it.
type note struct {
	icon, role         string
	side, pad          int // side of the icon, and the space around the icon
	head, body         *text.Block
	headHigh, bodyHigh int
	parts              []part // parts of the lower line with emphasized words, or nil
	partsWide          int
}

// wide() returns the width of the longer line.
func (n *note) wide() int { return max(n.head.Ink().Max.X, n.body.Ink().Max.X, n.partsWide) }

// paint paints the note, vertically centered.
func (n *note) paint(p *painter, c render.Canvas) {
	size := c.Clip.Size()
	if r, ok := icon.Lookup(n.icon); ok {
		c.Mask(p.cache.Icon(r, n.side), image.Pt(n.pad, (size.Y-n.side)/2), p.color(n.role))
	}
	x, top := 2*n.pad+n.side, (size.Y-n.headHigh-n.bodyHigh)/2
	n.head.Paint(c.Dst, c.Clip, image.Pt(x, top), p.color("text"))
	for _, one := range n.parts {
		one.block.Paint(c.Dst, c.Clip, image.Pt(x+one.x, top+n.headHigh), one.ink)
	}
	if n.parts == nil {
		n.body.Paint(c.Dst, c.Clip, image.Pt(x, top+n.headHigh), p.color("muted"))
	}
}
