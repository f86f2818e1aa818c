package startscreen

import (
	"image"
	"image/color"
	"strconv"

	"dashboard/appliance/about"
	"dashboard/internal/qrcode"
	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/render/text"
)

// Lengths of a guide in px, for a picture of 1280x720.
const (
	guideWide, guideHigh = 1280, 720
	codesModule          = 14  // size of a QR code's module if there are two codes
	guideMargin          = 44  // margin of the picture if there is one code
	tileSpace            = 594 // size of one code with its white edge
	guideGap             = 10  // gap below lines of a file, and half of it below the line above the title
	heroGap              = 14  // gap around a code
	iconBelow            = 18  // gap below the icon
	titleBelow           = 16  // gap below the title
	textGap              = 24  // gap between two paragraphs
	pairGap              = 24  // gap between a label and its value
	pairsGap             = 28  // gap above and below pairs
	pairLead             = 2   // gap between two pairs
	disc                 = 40  // diameter of the disc with a code's number
)

// Limits for the picture's short side, in px. If the short side is smaller than oneCode, there is room for only one code. If the short side
// is smaller than compact, the words are smaller to leave room for large codes.
const (
	oneCode = 400
	compact = 600
)

// joinSide is the number of modules on a side of the code for joining the access point. pageSide is this number for the code of the page.
// The error correction is chosen so that every content has this size.
const (
	joinSide = 29
	pageSide = 25
)

// A guidePainter paints a guide at one size.
type guidePainter struct {
	*painter
	canvas render.Canvas
	size   image.Point
	scale  float64 // factor of lengths and font sizes
	bold   []string
}

// Guide paints a guide over the whole picture `dst`, in the colors of the night or day theme.
func Guide(dst *image.RGBA, g about.Guide, night bool, cache *text.Cache) {
	size := dst.Rect.Size()
	p := &guidePainter{painter: newPainter(size, cache, night), canvas: render.NewCanvas(dst), size: size, bold: g.Bold}
	p.scale = scaleOf(size)
	p.canvas.Fill(image.Rectangle{Max: size}, p.color("background"))
	if p.shorter < oneCode && len(g.Codes) == 2 {
		first := g.Codes[0]
		g.Title, g.Pairs, g.Codes = first.Sentence, first.Pairs, g.Codes[:1]
	}
	if len(g.Codes) == 2 {
		p.twoCodes(g)
		return
	}
	p.oneCode(g)
}

// scaleOf returns the factor for lengths in a landscape or portrait picture.
func scaleOf(size image.Point) float64 {
	long, short := float64(max(size.X, size.Y)), float64(min(size.X, size.Y))
	return min(long/guideWide, short/guideHigh)
}

// at() converts a length in a picture of 1280x720 to this picture's px.
func (p *guidePainter) at(v float64) int { return int(v*p.scale + 0.5) }

// font returns a face for a size in a picture of 1280x720. The size of the face is at least `floor` px.
func (p *guidePainter) font(px float64, floor, weight int, display bool) face {
	f := face{size: max(floor, p.at(px))}
	style := text.Style{Weight: weight, Tabular: true, Optical: min(f.size, 32)}
	if display {
		style.Tracking = -20
	} else {
		style.Optical = min(f.size, 14) // letter shapes for small text
	}
	f.font = p.cache.Style(text.Inter(), style)
	if display {
		f.line = int(float64(f.size)*50/44 + 0.5)
		return f
	}
	f.line = int(float64(f.size)*36/26 + 0.5)
	style.Weight = titleWeight
	f.bold = p.cache.Style(text.Inter(), style)
	return f
}

// tile paints a code with its white edge. `at` is the upper left corner, and `module` is the size of a module in px. `most` is the maximum
// number of modules on a side.
func (p *guidePainter) tile(content string, most, module int, at image.Point) {
	code, err := qrcode.Strongest(content, most)
	if err != nil {
		return // an address is never too long for a code
	}
	side := module * (code.Side + 2*qrcode.Quiet)
	plate := image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
	p.canvas.FillRound(plate, render.NewCorner(max(4, p.at(codeRound)), plate.Size()), color.RGBA{255, 255, 255, 255})
	from := at.Add(image.Pt(qrcode.Quiet*module, qrcode.Quiet*module))
	code.Runs(func(x, end, y int) {
		p.canvas.Fill(image.Rect(from.X+x*module, from.Y+y*module, from.X+end*module, from.Y+(y+1)*module), color.RGBA{A: 255})
	})
}

// sideOf returns the number of modules on a side of a code, including its white edge. `most` is the maximum number without this edge.
func sideOf(content string, most int) int {
	code, err := qrcode.Strongest(content, most)
	if err != nil {
		return most + 2*qrcode.Quiet
	}
	return code.Side + 2*qrcode.Quiet
}

// line paints a line of text in a box. If the text is too long, it uses a smaller font.
func (p *guidePainter) line(s string, f face, ink string, box image.Rectangle) {
	b := text.NewBlock(p.cache, text.Options{Font: f.font, Size: f.size, Box: box.Size(), Ellipsis: true, Least: least, VAlign: text.Top})
	b.Set(p.written(s, f))
	b.Paint(p.canvas.Dst, p.canvas.Clip, p.canvas.Org.Add(box.Min).Add(image.Pt(0, p.drop(f))), p.color(ink))
}

// drop returns the distance by which a block of text must be moved down, so that half of a line's additional height is above the letters.
func (p *painter) drop(f face) int {
	m := p.cache.Metrics(f.font, f.size)
	return max(0, (f.line+m.Height)/2-f.size)
}

// width returns the width of a line of text.
func (p *painter) width(s string, f face) int {
	var l text.Line
	p.cache.Shape(&l, f.font, f.size, p.written(s, f))
	return l.Width()
}

// A codesLayout has the lengths of a picture with two codes.
type codesLayout struct {
	sentence, value, label face
	above, below           int // gaps above and below a tile
	module, tile           int
	stacked                bool // true if one code is above the other
	first, second          image.Point
}

// twoCodes paints two codes, each with its sentence above and its words below.
func (p *guidePainter) twoCodes(g about.Guide) {
	l := p.layCodes(max(sideOf(g.Codes[0].Content, joinSide), sideOf(g.Codes[1].Content, joinSide)))
	for i, at := range []image.Point{l.first, l.second} {
		c := g.Codes[i]
		p.sentence(strconv.Itoa(i+1), c.Sentence, l, at)
		top := at.Add(image.Pt(0, l.sentence.line+l.above))
		p.tile(c.Content, joinSide, l.module, top)
		words := image.Rectangle{Min: top.Add(image.Pt(0, l.tile+l.below))}
		words.Max = words.Min.Add(image.Pt(l.tile, p.size.Y))
		p.pairs(c.Pairs, l.label, l.value, words)
	}
	if !l.stacked {
		between := image.Pt((l.first.X+l.tile+l.second.X)/2, l.first.Y+l.sentence.line+l.above+l.tile/2)
		p.glyph("chevron-right", "faint", p.at(28), between)
	}
}

// glyph paints an icon that is centered at the point `middle`.
func (p *guidePainter) glyph(name, role string, side int, middle image.Point) {
	if r, ok := icon.Lookup(name); ok {
		p.canvas.Mask(p.cache.Icon(r, side), middle.Sub(image.Pt(side/2, side/2)), p.color(role))
	}
}

// layCodes finds the largest module size, in whole px, that leaves room for everything. Unless the short side is smaller than compact, the
// module size is at most codesModule, scaled to the picture.
func (p *guidePainter) layCodes(modules int) codesLayout {
	l := codesLayout{stacked: p.size.Y > p.size.X}
	l.sentence, l.value, l.label = p.font(26, 20, 500, false), p.font(26, 20, 500, false), p.font(20, 17, 400, false)
	l.above, l.below = max(9, p.at(14)), max(9, p.at(14))
	if p.shorter < compact {
		l.sentence, l.value, l.label = p.font(26, 20, 500, false), p.font(24, 20, 500, false), p.font(20, 17, 400, false)
		l.above, l.below = 9, 9
	}
	l.sentence.line = max(l.sentence.line, p.at(disc))
	words := l.sentence.line + l.above + l.below + 2*l.value.line + p.at(pairLead)
	most := int(codesModule * p.scale)
	if p.shorter < compact {
		most = p.shorter // only the free space limits the size
	}
	const edge, between = 3, 8 // margin of the picture, and gap between two codes, in modules
	if l.stacked {
		l.module = min(most, (p.size.Y-2*words-3*p.at(24))/(2*modules), p.size.X/(modules+2*edge))
	} else {
		l.module = min(most, p.size.X/(2*modules+between+2*edge), (p.size.Y-words-2*max(8, p.at(20)))/modules)
	}
	l.module = max(1, l.module)
	l.tile = l.module * modules
	high := words + l.tile
	if l.stacked {
		gap := max(0, (p.size.Y-2*high)/3)
		x := (p.size.X - l.tile) / 2
		l.first, l.second = image.Pt(x, gap), image.Pt(x, 2*gap+high)
		return l
	}
	gap := min(10*l.module, p.size.X-2*l.tile-2*edge*l.module)
	x, y := (p.size.X-2*l.tile-gap)/2, max(0, (p.size.Y-high)/2)
	l.first, l.second = image.Pt(x, y), image.Pt(x+l.tile+gap, y)
	return l
}

// sentence paints the number of a code in a disc, and the sentence next to it.
func (p *guidePainter) sentence(number, words string, l codesLayout, at image.Point) {
	side := l.sentence.line
	round := image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
	p.canvas.FillRound(round, render.NewCorner(side/2, round.Size()), p.color("accent"))
	f := p.font(22, 17, 600, false)
	b := text.NewBlock(p.cache, text.Options{Font: f.font, Size: f.size, Box: image.Pt(side, side), Align: text.Center, VAlign: text.Middle})
	b.Set(number)
	b.Paint(p.canvas.Dst, p.canvas.Clip, p.canvas.Org.Add(at), p.color("background"))
	x := side + max(9, p.at(14))
	s := text.NewBlock(p.cache, text.Options{
		Font: l.sentence.font, Size: l.sentence.size, Box: image.Pt(l.tile-x, side), VAlign: text.Middle, Ellipsis: true, Least: least,
	})
	s.Set(p.written(words, l.sentence))
	s.Paint(p.canvas.Dst, p.canvas.Clip, p.canvas.Org.Add(at).Add(image.Pt(x, 0)), p.color("text"))
}

// pairs() paints labels and values, one pair below the other, and returns the height.
func (p *guidePainter) pairs(all []about.Pair, label, value face, box image.Rectangle) int {
	indent := 0
	for _, one := range all {
		indent = max(indent, p.width(one.Label, label))
	}
	indent += max(12, p.at(pairGap))
	if beside := box.Dx() - indent; len(all) > 0 && beside < p.widest(all, value) {
		return p.stackedPairs(all, label, value, box)
	}
	step := value.line + p.at(pairLead)
	for i, one := range all {
		y := box.Min.Y + i*step
		drop := p.baseline(value) - p.baseline(label) // label and value have the same baseline
		p.line(one.Label, label, "muted", image.Rect(box.Min.X, y+drop, box.Min.X+indent, y+drop+label.line))
		p.line(one.Value, value, "text", image.Rect(box.Min.X+indent, y, box.Max.X, y+value.line))
	}
	return len(all) * step
}

// baseline returns the distance from the top of a line to its baseline.
func (p *painter) baseline(f face) int {
	m := p.cache.Metrics(f.font, f.size)
	return p.drop(f) + f.size - m.Descent
}

// stackedPairs paints each value below its label, for a narrow column.
func (p *guidePainter) stackedPairs(all []about.Pair, label, value face, box image.Rectangle) int {
	y := box.Min.Y
	for _, one := range all {
		p.line(one.Label, label, "muted", image.Rect(box.Min.X, y, box.Max.X, y+label.line))
		y += label.line
		p.line(one.Value, value, "text", image.Rect(box.Min.X, y, box.Max.X, y+value.line))
		y += value.line
	}
	return y - box.Min.Y
}

func (p *guidePainter) widest(all []about.Pair, f face) (wide int) {
	for _, one := range all {
		wide = max(wide, p.width(one.Value, f))
	}
	return wide
}
