package writing

import (
	"image"
	"image/color"
	"strings"

	"dashboard/internal/markdown"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// setting converts blocks of Markdown to placed pieces of text.
type setting struct {
	b                          *kit.Builder
	typed                      *kit.Typed
	spec                       *kit.Spec
	columns                    int
	air                        float64 // factor of the gaps between blocks
	text, muted, accent, plate color.RGBA
	faint, line                color.RGBA
}

// newSetting returns the setting for the faces and the colors of a text.
func newSetting(b *kit.Builder, s *kit.Spec, t *kit.Typed, columns int) setting {
	b.Typed(s, t, "body") // called only because it reports an unknown style
	return setting{
		b: b, typed: t, spec: s, columns: columns, air: 1, text: b.Role("text"), muted: b.Role("muted"), accent: b.Role("accent"),
		plate: b.Shade("text", 0.08), faint: b.Role("faint"), line: b.Role("line"),
	}
}

// mdFaces are the faces for a text in Markdown.
type mdFaces struct {
	body                     [2][2]kit.Face // faces for plain, italic, bold, and bold italic text
	code, title, label, less kit.Face
}

// mdScales are factors for the theme's text sizes. The factors are tried in this order until the whole text fits.
var mdScales = []float64{1, 0.92, 0.85, 0.78, 0.7}

// faces() returns the faces, with their sizes multiplied by `scale`.
func (s *setting) faces(scale float64) (f mdFaces) {
	b := s.b
	at := func(name string, weight int, slanted bool) kit.Face {
		st := b.Look.Styles[name]
		if weight > 0 {
			st.Weight = weight
		}
		usual := b.FaceOf(name, st)
		return slantedAt(b, st, max(b.Least(), int(float64(usual.Size)*scale)), slanted)
	}
	name, weight := "body", 0
	if s.typed.Style != "" {
		name = s.typed.Style
	}
	if s.typed.Weight != nil {
		weight = int(*s.typed.Weight)
	}
	for bold := range 2 {
		for italic := range 2 {
			w := weight
			if bold == 1 {
				w = 600
			}
			f.body[bold][italic] = at(name, w, italic == 1)
		}
	}
	f.code, f.title, f.label, f.less = at("caption", 0, false), at("title", 0, false), at("label", 600, false), at("body", 600, false)
	return f
}

// slantedAt returns the face of a style at a size in px. If `slanted` is true, the letters are slanted.
func slantedAt(b *kit.Builder, st look.Style, px int, slanted bool) kit.Face {
	f := b.FaceAt(st, px)
	if slanted {
		f.Font = b.Text.Style(f.Font, text.Style{Weight: st.Weight, Optical: min(px, kit.BigType), Slanted: true})
	}
	return f
}

// fit() places blocks in a rectangle of the given size. If they do not fit in the theme's text sizes, it tries smaller sizes. A text that
// does not fit in the smallest size is cut.
func (s *setting) fit(blocks []markdown.Block, size image.Point) ([]mdPiece, []mdRect) {
	var g *galley
	for _, scale := range mdScales {
		if g = s.flow(blocks, size, s.faces(scale)); !g.full {
			break
		}
	}
	if !g.full && s.columns == 1 {
		g = s.airy(blocks, size, g)
	}
	g.cut()
	return g.pieces, g.rects
}

// mdAir are the factors for the gaps between blocks, if a text leaves room.
var mdAir = []float64{2, 1.7, 1.4}

// airy() returns the text with larger gaps between its blocks. If the text does not fit with larger gaps, it returns g.
func (s *setting) airy(blocks []markdown.Block, size image.Point, g *galley) *galley {
	one := *s
	for _, one.air = range mdAir {
		if wide := one.flow(blocks, size, g.faces); !wide.full {
			return wide
		}
	}
	return g
}

// height() returns the height in px that blocks need in a column of the given width.
func (s *setting) height(blocks []markdown.Block, width int) int {
	one := *s
	one.columns = 1
	return one.flow(blocks, image.Pt(width, maxTextHeight), s.faces(1)).y
}

// maxTextHeight is the maximum height in px that is computed for a text.
const maxTextHeight = 1 << 14

// mdGap is the gap between columns, in px on a screen whose shorter side has 720 px.
const mdGap = 32

// flow() places blocks one below the other. When a column is full, the text continues in the next column.
func (s *setting) flow(blocks []markdown.Block, size image.Point, f mdFaces) *galley {
	gap := s.b.Px(mdGap)
	g := &galley{setting: s, faces: f, size: size, gap: gap, width: max(1, (size.X-gap*(s.columns-1))/s.columns)}
	for i := range blocks {
		g.block(&blocks[i])
		if g.full {
			break
		}
	}
	return g
}

// galley holds the text that is being placed.
type galley struct {
	*setting
	faces  mdFaces
	size   image.Point
	width  int // width of a column, in px
	gap    int // gap between columns, in px
	column int
	y      int
	full   bool

	words  []mdWord
	pieces []mdPiece
	rects  []mdRect
	tails  []mdTail
	last   int // index of the last piece
	quoted bool
	indent int
	strike bool
}

// mdWord is a word, or a part of a word, in one face.
type mdWord struct {
	text   string
	face   kit.Face
	color  color.RGBA
	spaced bool // true if there is a space before the word
	ends   bool // true if a line break follows the word
	strike bool
	code   bool
	width  int
}

// block() places a block of Markdown.
func (g *galley) block(m *markdown.Block) {
	body := g.faces.body[0][0]
	step := body.Size * 8 / 5
	g.indent, g.quoted, g.strike = max(0, m.Depth-1)*step, m.Quoted, m.Task == markdown.Done
	gap := 0.5
	switch {
	case g.y == 0:
		gap = 0
	case m.Kind == markdown.Heading:
		gap = 0.9
	case m.Mark != "":
		gap = 0.25
	}
	g.y += int(gap * g.air * float64(body.Size))
	if m.Depth > 0 {
		g.mark(m, body)
		g.indent += step
	}
	if m.Quoted {
		g.indent += body.Size
	}
	switch m.Kind {
	case markdown.Heading:
		g.heading(m)
	case markdown.Code:
		g.code(m)
	case markdown.Rule:
		g.rule()
	case markdown.Table:
		g.table(m)
	default:
		g.gather(m.Spans, g.faces.body, g.ink())
		g.lines(body.Line)
	}
}

// ink() returns the color for the current text.
func (g *galley) ink() color.RGBA {
	switch {
	case g.strike:
		return g.setting.faint
	case g.quoted:
		return g.muted
	}
	return g.text
}

// mark() places the mark of a list item: a disc, a number, or the box of a task.
func (g *galley) mark(m *markdown.Block, body kit.Face) {
	if m.Mark == "" || !g.room(body.Line) {
		return
	}
	if m.Task != markdown.NoTask {
		side := body.Size * 6 / 5
		name, ink := "mdi:circle-outline", g.muted
		if m.Task == markdown.Done {
			name, ink = "mdi:check-circle", g.setting.faint
		}
		top := g.y + (body.Line-side)/2
		k := g.b.Mark(g.at(0, top, side, side))
		k.Set(name)
		g.pieces = append(g.pieces, mdPiece{mark: k, box: k.Box, color: ink})
		return
	}
	face, ink := body, g.muted
	if m.Mark != "•" {
		face, ink = g.faces.body[1][0], g.accent
	}
	g.piece(mdWord{text: m.Mark, face: face, color: ink}, 0, body.Line)
}

// heading() places a heading. Level 1 has the style "title", level 2 has the style "label", and other levels are bold.
func (g *galley) heading(m *markdown.Block) {
	f, ink, spans := g.faces.title, g.text, m.Spans
	switch {
	case m.Level == 2:
		f, ink = g.faces.label, g.muted
		spans = make([]markdown.Span, len(m.Spans))
		for i, s := range m.Spans {
			s.Text = g.b.Locale.Upper(s.Text)
			spans[i] = s
		}
	case m.Level > 2:
		f = g.faces.less
	}
	g.gather(spans, [2][2]kit.Face{{f, f}, {f, f}}, ink)
	g.lines(f.Line)
}

// rule() places a horizontal line.
func (g *galley) rule() {
	thick := piece.Hairline(g.b)
	if g.room(thick) {
		g.rects = append(g.rects, mdRect{box: g.at(0, g.y, g.left(), thick), color: g.line})
		g.y += thick
	}
}

// code() places lines of code without changing their breaks. In each column, the lines have a common background.
func (g *galley) code(m *markdown.Block) {
	f := g.faces.code
	pad := f.Size / 2
	top, open := 0, false
	for _, s := range m.Spans {
		for line := range strings.Lines(s.Text) {
			if open && g.y+f.Line > g.size.Y {
				g.close(top, pad)
				open = false
			}
			if !open {
				if !g.room(pad + f.Line) {
					return
				}
				top, open = g.y, true
				g.y += pad
			}
			g.codeLine(line, f, pad)
		}
	}
	if open {
		g.close(top, pad)
	}
}

// codeLine places a line of code. `pad` is the distance in px from the edge of the background.
func (g *galley) codeLine(line string, f kit.Face, pad int) {
	line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
	g.indent += pad
	words := []mdWord{{text: line, face: f, color: g.text, width: g.b.TextWidth(f, line)}}
	g.row(g.shortened(words, g.left()), f.Line)
	g.indent -= pad
}

// close() adds the background behind the lines of code. The background starts at the y coordinate `top`. It ends `pad` px below the current
// line, or earlier if there is less room.
func (g *galley) close(top, pad int) {
	g.y += pad
	box := g.at(0, top, g.left(), min(g.y, g.size.Y)-top)
	g.rects = append(g.rects, mdRect{box: box, corner: render.NewCorner(pad, box.Size()), color: g.plate})
}

// left() returns the width of a line in the current column, in px.
func (g *galley) left() int { return max(1, g.width-g.indent) }

// at() returns a rectangle in the current column, where x counts from the indent. In languages that are written from right to left, the
// rectangle is mirrored.
func (g *galley) at(x, y, w, h int) image.Rectangle {
	x0 := g.column*(g.width+g.gap) + g.indent + x
	if g.b.Locale.RightToLeft {
		x0 = g.size.X - x0 - w
	}
	return image.Rect(x0, y, x0+w, y+h)
}

// room() makes room for a line of the given height. If the current column is full, room() moves to the next column. If all columns are
// full, room() returns false, and no more text is placed.
func (g *galley) room(high int) bool {
	if g.full {
		return false
	}
	if g.y+high <= g.size.Y {
		return true
	}
	if g.column+1 < g.columns {
		g.column, g.y = g.column+1, 0
		return g.room(high)
	}
	g.full = true
	return false
}
