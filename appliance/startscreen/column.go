package startscreen

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"unicode"

	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/render/text"
	"dashboard/theme/look"
)

const (
	least     = 11 // minimum size of text, in px
	iconLeast = 12 // minimum width of a column with icons, as a multiple of the line height
)

// A face is a font with its size in px and its line height.
type face struct {
	font       *text.Font
	size, line int
	bold       *text.Font // font for emphasized words, or nil
}

func (p *painter) face(style string) face { return p.weighted(style, p.look.Styles[style].Weight) }

// strong() returns a style's face in the weight of a title.
func (p *painter) strong(style string) face { return p.weighted(style, titleWeight) }

const titleWeight = 500

func (p *painter) weighted(style string, weight int) face { return p.scaled(style, 1, weight) }

// scaled returns a face whose size is a multiple of a style's size.
func (p *painter) scaled(style string, factor float64, weight int) face {
	st := p.look.Styles[style]
	px := max(least, int(st.Size*look.Type(style, p.shorter)*factor+0.5))
	f := face{size: px, font: p.cache.Style(text.Inter(), text.Style{
		Weight: weight, Optical: min(px, 32), Tracking: int(math.Round(st.Tracking * 1000)), Tabular: style != "headline",
	})}
	f.line = p.cache.Metrics(f.font, px).LineHeight
	return f
}

// A part is one text of a column, with an optional icon before it.
type part struct {
	y     int
	x     int
	block *text.Block
	ink   color.RGBA
	icon  *render.Mask
	at    image.Point // place of the icon
	tint  color.RGBA
}

// A column is a list of texts, one below the other: the name, the version and the lines.
type column struct {
	parts []part
	high  int
}

func (c *column) paint(to render.Canvas, at image.Point) {
	for _, p := range c.parts {
		p.block.Paint(to.Dst, to.Clip, to.Org.Add(at).Add(image.Pt(p.x, p.y)), p.ink)
		if p.icon != nil {
			to.Mask(p.icon, at.Add(p.at), p.tint)
		}
	}
}

// written() returns s with "…" in place of each group of letters that no font has. Otherwise boxes would appear, because names of
// networks and phones may contain any letters.
func (p *painter) written(s string, f face) string {
	var b strings.Builder
	missing := false
	for _, r := range s {
		before := missing
		if missing = !unicode.IsControl(r) && !p.cache.Covers(f.font, r); !missing {
			b.WriteRune(r)
		} else if !before {
			b.WriteRune('…')
		}
	}
	return b.String()
}

// set returns a block of text with at most `lines` lines, and the height of the block in px.
func (p *painter) set(s string, f face, wide, lines int) (*text.Block, int) {
	b := text.NewBlock(p.cache, text.Options{
		Font: f.font, Size: f.size, Box: image.Pt(max(1, wide), lines*f.line), Wrap: lines > 1, Ellipsis: true, Lines: lines, VAlign: text.Top,
		LineHeight: f.line,
	})
	b.Set(p.written(s, f))
	return b, max(1, b.Lines()) * f.line
}

// column lays out the name, the version, and the lines that fit. `style` is the text style of the version and the lines.
func (p *painter) column(c Content, room image.Point, style string) *column {
	col := &column{}
	title := p.face("headline")
	name, high := p.set(c.Name, title, room.X, 1)
	col.parts = append(col.parts, part{block: name, ink: p.color("text")})
	col.high = high
	if c.Version != "" {
		version, high := p.set(c.Version, p.face(style), room.X, 1)
		col.parts = append(col.parts, part{y: col.high, block: version, ink: p.color("muted")})
		col.high += high
	}
	if len(c.Lines) > 0 {
		col.high += p.px(titleGap)
	}
	for i, l := range c.Lines {
		next := p.line(l, p.face(style), room.X, col.high)
		end := next.y + next.high
		last := i == len(c.Lines)-1
		if end > room.Y || i == maxLines-1 && !last {
			p.more(col, len(c.Lines)-i, p.face(style), room)
			break
		}
		col.parts = append(col.parts, next.part)
		col.high = end
		if !last {
			col.high += p.px(lineGap)
		}
	}
	return col
}

type lineParts struct {
	part
	high int
}

// line lays out l at the height y. The parameter `wide` is the maximum width, in px.
func (p *painter) line(l Line, f face, wide, y int) lineParts {
	const rows = 3
	side := f.line
	indent := side + p.px(iconGap)
	role := l.Role
	if role == "" {
		role = "muted"
	}
	glyph, ok := icon.Lookup(l.Icon)
	if ok = ok && wide >= iconLeast*f.line; !ok {
		indent = 0 // omit the icon before cutting words
	}
	block, high := p.set(strings.TrimSpace(l.Text), f, wide-indent, rows)
	out := lineParts{part: part{x: indent, y: y, block: block, ink: p.color("text"), at: image.Pt(0, y-side/12), tint: p.color(role)}, high: high}
	if ok {
		out.icon = p.cache.Icon(glyph, side)
	}
	return out
}

// more() adds the number of lines that did not fit, if there is room for this text.
func (p *painter) more(col *column, n int, f face, room image.Point) {
	if col.high+f.line > room.Y {
		col.high -= p.px(lineGap)
		return
	}
	block, high := p.set(fmt.Sprintf("%d more in report.txt", n), f, room.X, 1)
	col.parts = append(col.parts, part{y: col.high, block: block, ink: p.color("muted")})
	col.high += high
}
