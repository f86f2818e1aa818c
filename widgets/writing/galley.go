package writing

import (
	"cmp"
	"image"
	"image/color"
	"strings"
	"unicode/utf8"

	"dashboard/internal/markdown"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/geometry"
	"dashboard/widgets/kit/piece"
)

const (
	// mdMost is the maximum number of words of a block. More words do not fit on any wall.
	mdMost = 1 << 13
	// mdLong is the maximum length of a word in bytes. A longer word is split into parts without a space between them.
	mdLong = 512
)

// gather splits spans into words and stores them in g.words.
func (g *galley) gather(spans []markdown.Span, faces [2][2]kit.Face, ink color.RGBA) {
	g.words = g.words[:0]
	spaced := false
	for _, s := range spans {
		f := faces[index(s.Bold)][index(s.Italic)]
		for i, part := range strings.SplitN(s.Text, " ", mdMost) {
			spaced = spaced || i > 0
			for part != "" && len(g.words) < mdMost {
				word := part[:min(len(part), mdLong)]
				for len(word) < len(part) && len(word) > 1 && !utf8.RuneStart(part[len(word)]) {
					word = word[:len(word)-1]
				}
				part = part[len(word):]
				g.words = append(g.words, mdWord{text: word, face: f, color: ink, spaced: spaced, strike: s.Strike || g.strike, code: s.Code, width: g.b.TextWidth(f, word)})
				spaced = false
			}
		}
		if s.Break && len(g.words) > 0 {
			g.words[len(g.words)-1].ends = true
		}
	}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// blank() returns the width of the space before a word in px, or 0 if there is no space.
func (g *galley) blank(w *mdWord) int {
	if !w.spaced {
		return 0
	}
	return max(1, g.b.TextWidth(w.face, "n n")-g.b.TextWidth(w.face, "nn"))
}

// lines() breaks the collected words into lines and places the lines. The parameter `high` is the height of a line in px. Words without a
// space between them, such as a bold word and a comma, stay on one line if possible.
func (g *galley) lines(high int) {
	first, wide := 0, 0
	for i := 0; i < len(g.words); i++ {
		w := &g.words[i]
		blank := 0
		if i > first {
			blank = g.blank(w)
		}
		if wide+blank+w.width > g.left() {
			if i == first {
				g.split(i)
				w = &g.words[i]
			} else {
				end := i
				for end > first && !g.words[end].spaced {
					end--
				}
				if end == first {
					end = i
				}
				if !g.setLine(first, end, high) {
					return
				}
				first, i, wide = end, end-1, 0
				continue
			}
		}
		wide += blank + w.width
		if w.ends {
			if !g.setLine(first, i+1, high) {
				return
			}
			first, wide = i+1, 0
		}
	}
	if first < len(g.words) {
		g.setLine(first, len(g.words), high)
	}
}

// split divides word i, which is wider than a line, into two words. The first of the two words fits on a line.
func (g *galley) split(i int) {
	w := g.words[i]
	n, hyphen := g.cutAt(&w)
	if n >= len(w.text) {
		return
	}
	head, tail := w, w
	head.text, tail.text, head.ends, tail.spaced = w.text[:n]+hyphen, w.text[n:], false, true
	head.width, tail.width = g.b.TextWidth(w.face, head.text), g.b.TextWidth(w.face, tail.text)
	g.words = append(g.words[:i+1], g.words[i:]...)
	g.words[i], g.words[i+1] = head, tail
}

// cutAt returns the number of bytes of a word that fit on a line. In an address, the cut is after a punctuation mark. Any other word is
// cut between two letters. If the script uses hyphens, cutAt also returns a hyphen, and at least three letters remain after the cut. Code
// gets no hyphen.
func (g *galley) cutAt(w *mdWord) (n int, hyphen string) {
	_, first := utf8.DecodeRuneInString(w.text)
	fits := max(first, g.b.Text.FitStart(w.face.Font, w.face.Size, w.text, "", g.left()))
	if n = strings.LastIndexAny(w.text[:fits], "/-_.?&=@") + 1; n > fits/2 || fits == len(w.text) || w.code {
		return cmp.Or(n, fits), ""
	}
	if n, hyphen = piece.CutWord(g.b, w.face, w.text, g.left()); hyphen == "" {
		return fits, ""
	}
	return n, hyphen
}

// setLine places the words with indexes from `first` to `end`-1 on a line. It returns false if there is no room for the line.
func (g *galley) setLine(first, end, high int) bool {
	if !g.room(high) {
		return false
	}
	g.row(g.words[first:end], high)
	return true
}

// row() places words on the current line and then moves to the next line.
func (g *galley) row(words []mdWord, high int) {
	if g.quoted {
		bar := max(2, g.faces.body[0][0].Size*3/20)
		at := g.at(-g.faces.body[0][0].Size, g.y, bar, high)
		g.rects = append(g.rects, mdRect{box: at, color: g.accent})
	}
	g.pour(words, 0, high)
	g.y += high
}

// pour places words on the current line, starting at x. Neighboring words with the same style become one piece.
func (g *galley) pour(words []mdWord, x, high int) {
	for i := 0; i < len(words); {
		run := words[i]
		j := i + 1
		for j < len(words) && words[j].face == run.face && words[j].color == run.color && words[j].strike == run.strike && words[j].code == run.code {
			if words[j].spaced {
				run.text += " "
			}
			run.text += words[j].text
			j++
		}
		if i > 0 {
			x += g.blank(&words[i])
		}
		x += g.piece(run, x, high)
		i = j
	}
}

// piece() places a run of words at x on the current line. It returns the width of the run in px.
func (g *galley) piece(w mdWord, x, high int) int {
	l := &text.Line{}
	g.b.Text.Shape(l, w.face.Font, w.face.Size, w.text)
	m := g.b.Text.Metrics(w.face.Font, w.face.Size)
	box := g.at(x, g.y, l.Width(), high)
	at := image.Pt(box.Min.X, g.y+(high-m.Ascent-m.Descent)/2+m.Ascent)
	if w.code {
		pad := max(1, w.face.Size/6)
		r := image.Rect(box.Min.X-pad, at.Y-m.Ascent, box.Max.X+pad, at.Y+m.Descent+pad/2)
		g.rects = append(g.rects, mdRect{box: r, corner: render.NewCorner(2*pad, r.Size()), color: g.plate})
	}
	if w.strike {
		thick := max(1, w.face.Size/14)
		y := at.Y - int(float64(w.face.Size)*0.27) - thick/2
		g.rects = append(g.rects, mdRect{box: image.Rect(box.Min.X, y, box.Max.X, y+thick), color: w.color})
	}
	g.last = len(g.pieces)
	g.pieces = append(g.pieces, mdPiece{line: l, at: at, box: l.Ink().Add(at).Union(box).Inset(-w.face.Size / 4), color: w.color})
	g.tails = append(g.tails, mdTail{g.last, w, box})
	return l.Width()
}

// mdTail holds the words of a piece, so that an ellipsis can replace the end of the piece.
type mdTail struct {
	piece int
	word  mdWord
	box   image.Rectangle
}

// cut adds an ellipsis to the last placed piece if the text does not fit.
func (g *galley) cut() {
	if !g.full || len(g.tails) == 0 {
		return
	}
	t := g.tails[len(g.tails)-1]
	room := (g.column)*(g.width+g.gap) + g.width - t.box.Min.X
	if g.b.Locale.RightToLeft {
		room = t.box.Max.X - (g.size.X - g.column*(g.width+g.gap) - g.width)
	}
	s := t.word.text[:g.b.Text.FitStart(t.word.face.Font, t.word.face.Size, t.word.text, kit.Ellipsis, room)]
	p := &g.pieces[t.piece]
	g.b.Text.Shape(p.line, t.word.face.Font, t.word.face.Size, strings.TrimRight(s, " ,.;:")+kit.Ellipsis)
	if g.b.Locale.RightToLeft {
		p.at.X = t.box.Max.X - p.line.Width()
	}
	p.box = p.line.Ink().Add(p.at)
}

// table() places the rows of a table. The text of each cell is on one line.
func (g *galley) table(m *markdown.Block) {
	body := g.faces.body[0][0]
	columns := len(m.Aligns)
	if columns == 0 {
		return
	}
	rows := make([][][]mdWord, len(m.Rows))
	wants := make([]int, columns)
	for r, cells := range m.Rows {
		faces := g.faces.body
		ink := g.ink()
		if r == 0 {
			l := g.faces.code
			faces, ink = [2][2]kit.Face{{l, l}, {l, l}}, g.muted
		}
		for c := range min(columns, len(cells)) {
			g.gather(cells[c].Spans, faces, ink)
			words := append([]mdWord(nil), g.words...)
			rows[r] = append(rows[r], words)
			wants[c] = max(wants[c], g.wide(words))
		}
	}
	spans := columnsOf(wants, g.left(), body.Size)
	for r, cells := range rows {
		if !g.room(body.Line + 1) {
			return
		}
		if r > 0 {
			g.rects = append(g.rects, mdRect{box: g.at(0, g.y, g.left(), max(1, g.b.Px(g.b.Look.Sizes.Line))), color: g.setting.line})
		}
		for c, words := range cells {
			words = g.shortened(words, spans[c].Size)
			x := spans[c].At
			switch free := spans[c].Size - g.wide(words); m.Aligns[c] {
			case markdown.Center:
				x += free / 2
			case markdown.End:
				x += free
			}
			g.pour(words, x, body.Line+body.Size/3)
		}
		g.y += body.Line + body.Size/3
	}
}

// columnsOf divides a width between columns. `wants` are the widths that the columns need, in px. If there is not enough room, narrow
// columns still get the width that they need, and wide columns share the remaining width.
func columnsOf(wants []int, width, gap int) []geometry.Span {
	left := width - gap*(len(wants)-1)
	tracks := make([]geometry.Track, len(wants))
	open := len(wants)
	for again := true; again && open > 0; {
		again = false
		for c, want := range wants {
			if tracks[c].Length == 0 && want <= left/open {
				tracks[c].Length, again = max(1, want), true
				left, open = left-want, open-1
				break
			}
		}
	}
	for c := range tracks {
		if tracks[c].Length == 0 {
			tracks[c].Share = 1
		}
	}
	return geometry.Divide(width, gap, tracks, nil)
}

// wide() returns the width of words on one line, in px.
func (g *galley) wide(words []mdWord) (n int) {
	for i := range words {
		if i > 0 {
			n += g.blank(&words[i])
		}
		n += words[i].width
	}
	return n
}

// shortened() returns the words that fit into a width. If some words do not fit, the returned words end with an ellipsis.
func (g *galley) shortened(words []mdWord, width int) []mdWord {
	n, wide := len(words), g.wide(words)
	if wide <= width {
		return words
	}
	for ; n > 1 && wide+g.b.TextWidth(words[n-1].face, kit.Ellipsis) > width; n-- {
		wide -= words[n-1].width + g.blank(&words[n-1])
	}
	words = words[:n]
	if n == 0 {
		return words
	}
	w := &words[n-1]
	if wide += g.b.TextWidth(w.face, kit.Ellipsis); wide > width {
		w.text = w.text[:g.b.Text.FitStart(w.face.Font, w.face.Size, w.text, kit.Ellipsis, width-g.wide(words[:n-1])-g.blank(w))]
	}
	w.text += kit.Ellipsis
	w.width = g.b.TextWidth(w.face, w.text)
	return words
}
