package startscreen

import (
	"image"
	"slices"
	"strings"
)

// A stretch is a part of a text in one weight.
type stretch struct {
	words string
	bold  bool
}

// stretches() divides a text before and after each of the words in `bold`.
func stretches(s string, bold []string) (all []stretch) {
	for s != "" {
		at, word := len(s), ""
		for _, b := range bold {
			if i := strings.Index(s, b); b != "" && i >= 0 && (i < at || i == at && len(b) > len(word)) {
				at, word = i, b
			}
		}
		if at > 0 {
			all = append(all, stretch{words: s[:at]})
		}
		if word != "" {
			all = append(all, stretch{words: word, bold: true})
		}
		s = s[at+len(word):]
	}
	return all
}

// A mixed is a text in two weights, broken into lines at blanks.
type mixed struct {
	rows [][]stretch
	face face
}

// mix breaks a text into lines. It returns nil if the text has none of the words in `bold`, is written from right to left, or does not fit
// into `wide` and `lines`.
func (p *painter) mix(s string, bold []string, f face, wide, lines int) *mixed {
	m := &mixed{face: f}
	named := slices.ContainsFunc(bold, func(b string) bool { return b != "" && strings.Contains(s, b) })
	if f.bold == nil || !named || rightToLeft(s) {
		return nil
	}
	var row []stretch
	for _, one := range stretches(s, bold) {
		for word := range strings.SplitAfterSeq(one.words, " ") {
			row = append(row, stretch{word, one.bold})
		}
	}
	for len(row) > 0 {
		n, end := 0, 0 // number of pieces that fit, up to the last blank
		for end < len(row) {
			end++
			last := row[end-1].words
			if end < len(row) && !strings.HasSuffix(last, " ") {
				continue
			}
			if p.mixedWidth(row[:end], f) > wide {
				break
			}
			n = end
		}
		if n == 0 || len(m.rows) == lines {
			return nil
		}
		m.rows, row = append(m.rows, row[:n]), row[n:]
	}
	return m
}

// mixedWidth returns the width of a line. A blank at its end does not count.
func (p *painter) mixedWidth(row []stretch, f face) (wide int) {
	for i, one := range row {
		if i == len(row)-1 {
			one.words = strings.TrimRight(one.words, " ")
		}
		wide += p.width(one.words, f.of(one))
	}
	return wide
}

// of() returns the face of a part of a text.
func (f face) of(s stretch) face {
	if s.bold {
		f.font = f.bold
	}
	return f
}

// paintMixed paints the lines of a text in two weights. `ink` and `strong` are the roles of the colors.
func (p *guidePainter) paintMixed(m *mixed, ink, strong string, at image.Point) {
	for i, row := range m.rows {
		x, y := at.X, at.Y+i*m.face.line
		for _, one := range row {
			f, role := m.face.of(one), ink
			if one.bold {
				role = strong
			}
			w := p.width(one.words, f)
			p.line(one.words, f, role, image.Rect(x, y, x+w+f.size, y+f.line)) // the additional room prevents an ellipsis
			x += w
		}
	}
}

// wrapped lays out a text with bold words. It returns the height of the text, and a function that paints the text at a position.
func (p *guidePainter) wrapped(s string, f face, ink string, wide, lines int) (high int, paint func(at image.Point)) {
	if m := p.mix(s, p.bold, f, wide, lines); m != nil && ink == "text" {
		return len(m.rows) * f.line, func(at image.Point) { p.paintMixed(m, ink, ink, at) }
	}
	b, high := p.set(s, f, wide, lines)
	return high, func(at image.Point) {
		b.Paint(p.canvas.Dst, p.canvas.Clip, p.canvas.Org.Add(at).Add(image.Pt(0, p.drop(f))), p.color(ink))
	}
}
