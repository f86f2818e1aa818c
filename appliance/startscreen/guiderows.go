package startscreen

import (
	"image"
	"strconv"

	"dashboard/appliance/about"
	"dashboard/render"
	"dashboard/render/text"
)

// Lengths of the lines of a file in px, for a picture of 1280x720.
const (
	rowHigh  = 44
	rowsPad  = 6  // space above and below all rows
	rowInset = 24 // space before the number, and after the text
	rowGap   = 20 // gap between the number and the text
	rowRound = 18
	rowTint  = 0.16 // share of the color that marks the wrong row
)

// wordsBelow returns the height of the words below a single code, including the gap above these words. `above` is the height of the
// sentence above the code. If `above` is 0, no words are shown, and wordsBelow returns 0.
func (p *guidePainter) wordsBelow(code about.Code, above int) int {
	if above == 0 || len(code.Pairs) == 0 {
		return 0
	}
	return p.at(heroGap) + len(code.Pairs)*(p.font(26, 20, 500, false).line+p.at(pairLead))
}

// around() paints the sentence above a single code and the words below it.
func (p *guidePainter) around(code about.Code, at image.Point, tile, above int) {
	f := p.font(26, 20, 500, false)
	box := image.Rect(at.X, at.Y-above, at.X+tile, at.Y-above+f.line)
	p.lead("cellphone", code.Sentence, f, box)
	top := at.Add(image.Pt(0, tile+p.at(heroGap)))
	p.pairs(code.Pairs, p.font(20, 17, 400, false), f, image.Rectangle{Min: top, Max: image.Pt(at.X+tile, p.size.Y)})
}

// lead() paints a line of text with an icon before it. The icon has the text's height.
func (p *guidePainter) lead(name, s string, f face, box image.Rectangle) {
	p.glyph(name, "muted", f.line*9/10, box.Min.Add(image.Pt(f.line*9/20, f.line/2)))
	box.Min.X += f.line*9/10 + p.at(heroGap)*3/4
	p.line(s, f, "text", box)
}

// rows() returns the piece that shows lines of a file on a rounded rectangle. A tint marks the wrong line and the sentence below it.
func (p *guidePainter) rows(g about.Guide, room image.Rectangle) piece {
	plain, strong := p.font(20, 14, 400, false), p.font(20, 14, 500, false)
	number := 0
	for _, r := range g.Rows {
		number = max(number, p.width(strconv.Itoa(r.Number), strong))
	}
	x := p.at(rowInset) + number + p.at(rowGap)
	wide := room.Dx() - x - p.at(rowInset)/2
	high, right := p.wrapped(g.Right, plain, "text", wide, 3)
	row, pad := max(plain.line+4, p.at(rowHigh)), p.at(rowsPad)
	below := high + row - plain.line
	if g.Right == "" {
		below = 0
	}
	all := 2*pad + len(g.Rows)*row + below
	return piece{all, max(8, p.at(guideGap*2)), func(y int) {
		card := image.Rect(room.Min.X, y, room.Max.X, y+all)
		p.canvas.FillRound(card, render.NewCorner(min(p.at(rowRound), all/2), card.Size()), p.color("surface"))
		at := y + pad
		for _, r := range g.Rows {
			line := image.Rect(card.Min.X, at, card.Max.X, at+row)
			if at += row; r.Wrong {
				at += below
				p.mark(card, image.Rect(card.Min.X, line.Min.Y, card.Max.X, at))
				right(image.Pt(card.Min.X+x, line.Max.Y+(row-plain.line)/2))
			}
			p.row(r, plain, strong, x, line)
		}
	}}
}

// mark tints the rows in `part`. `card` is the rounded rectangle behind all rows. If `part` contains the first or the last row, the tint
// reaches to the edge of `card`.
func (p *guidePainter) mark(card, part image.Rectangle) {
	pad := p.at(rowsPad)
	if part.Min.Y-pad == card.Min.Y {
		part.Min.Y = card.Min.Y
	}
	if part.Max.Y+pad == card.Max.Y {
		part.Max.Y = card.Max.Y
	}
	c := p.canvas
	c.Clip = c.Clip.Intersect(part.Add(c.Org))
	tint := p.look.Colors["bad"]
	tint.A = uint8(float64(tint.A)*rowTint + 0.5)
	c.FillRound(card, render.NewCorner(min(p.at(rowRound), card.Dy()/2), card.Size()), render.Premultiply(tint))
}

// row paints a line of a file with its number. x is the distance of the text from the left edge. A long line gets a smaller font.
func (p *guidePainter) row(r about.Row, plain, strong face, x int, box image.Rectangle) {
	parts := []struct {
		words string
		f     face
		ink   string
	}{{r.Before, plain, "muted"}, {r.Word, strong, "bad"}, {r.After, plain, "muted"}}
	number := strong
	if r.Wrong {
		parts[0].ink, parts[2].ink = "text", "text"
	} else {
		number = plain
	}
	for room := box.Dx() - x - p.at(rowInset)/2; parts[0].f.size > least; {
		wide := 0
		for _, one := range parts {
			wide += p.width(one.words, one.f)
		}
		if wide <= room {
			break
		}
		for i := range parts {
			parts[i].f.size--
		}
	}
	write := func(s string, f face, ink string, at image.Rectangle) {
		b := text.NewBlock(p.cache, text.Options{Font: f.font, Size: f.size, Box: at.Size(), Ellipsis: true, VAlign: text.Middle})
		b.Set(p.written(s, f))
		b.Paint(p.canvas.Dst, p.canvas.Clip, p.canvas.Org.Add(at.Min), p.color(ink))
	}
	ink := map[bool]string{true: "bad", false: "muted"}[r.Wrong]
	write(strconv.Itoa(r.Number), number, ink, image.Rect(box.Min.X+p.at(rowInset), box.Min.Y, box.Min.X+x, box.Max.Y))
	at := image.Rect(box.Min.X+x, box.Min.Y, box.Max.X-p.at(rowInset)/2, box.Max.Y)
	for _, one := range parts {
		if one.words != "" && at.Dx() > 0 {
			write(one.words, one.f, one.ink, at)
			at.Min.X += p.width(one.words, one.f)
		}
	}
}

// list returns the piece with a heading and numbered steps. The piece paints itself at the bottom of the column.
func (p *guidePainter) list(all []string, room image.Rectangle) piece {
	head, step := p.font(22, 17, 500, false), p.font(20, 15, 400, false)
	row, indent := step.line*3/2, p.at(34)
	high := head.line + p.at(heroGap) + (len(all)-1)*row
	return piece{high, 0, func(int) {
		y := room.Max.Y - high
		p.lead("laptop", all[0], head, image.Rect(room.Min.X, y, room.Max.X, y+head.line))
		y += head.line + p.at(heroGap)
		for i, s := range all[1:] {
			p.line(strconv.Itoa(i+1), step, "muted", image.Rect(room.Min.X, y, room.Min.X+indent, y+step.line))
			if m := p.mix(s, p.bold, step, room.Dx()-indent, 1); m != nil {
				p.paintMixed(m, "text", "text", image.Pt(room.Min.X+indent, y))
			} else {
				p.line(s, step, "text", image.Rect(room.Min.X+indent, y, room.Max.X, y+step.line))
			}
			y += row
		}
	}}
}
