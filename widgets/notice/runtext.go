package notice

import (
	"image"
	"image/color"
	"strings"

	"dashboard/control/notify"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// runText is a text with bold and italic parts, broken into lines. It is written from left to right.
type runText struct {
	words []runWord
	lines int
	high  int // line height, in px
	ink   image.Rectangle
}

// runWord is a word in one font at its final position.
type runWord struct {
	line *text.Line
	at   image.Point // start of the baseline
}

// boldType is the weight of the bold parts.
const boldType = 600

// newRunText breaks the parts of a text into lines of the given width in px. `most` is the maximum number of lines. An ellipsis ends a
// longer text.
func newRunText(b *kit.Builder, st look.Style, f kit.Face, runs []notify.Run, width, most int) *runText {
	m := &runText{high: f.Line}
	s := setter{b: b, m: m, style: st, face: f, width: width, most: max(1, most)}
	s.blank = b.TextWidth(f, "n n") - b.TextWidth(f, "nn")
	metrics := b.Text.Metrics(f.Font, f.Size)
	s.base = (f.Line-metrics.Ascent-metrics.Descent)/2 + metrics.Ascent
	for _, r := range runs {
		if !s.run(r) {
			break
		}
	}
	if len(m.words) > 0 {
		m.lines = s.row + 1
	}
	return m
}

// setter places the words of a text one after another.
type setter struct {
	b           *kit.Builder
	m           *runText
	style       look.Style
	face        kit.Face
	width, most int
	blank, base int // width of a space, and distance of the baseline from the top of a line, in px
	x, row      int // x coordinate in px and line number of the next word
	open        bool
}

// run() places the words of one part. It returns false if there is no room for more words.
func (s *setter) run(r notify.Run) bool {
	st := s.style
	if r.Bold {
		st.Weight = max(st.Weight, boldType)
	}
	f := s.b.FaceAt(st, s.face.Size)
	if r.Italic {
		f.Font = s.b.Text.Style(f.Font, text.Style{Slanted: true})
	}
	for i, line := range strings.Split(r.Text, "\n") {
		if i > 0 && !s.feed() {
			return false
		}
		for j, word := range strings.Split(line, " ") {
			if j > 0 {
				s.x, s.open = s.x+s.blank, false
			}
			if word != "" && !s.word(f, word) {
				return false
			}
		}
	}
	return true
}

// feed() starts a new line. It returns false if the maximum number of lines is reached.
func (s *setter) feed() bool {
	if s.row+1 >= s.most {
		s.cut()
		return false
	}
	s.row++
	s.x, s.open = 0, false
	return true
}

// word() places a word. If the word does not fit on the current line, it is placed on a new line. It returns false if there is no room.
func (s *setter) word(f kit.Face, word string) bool {
	line := &text.Line{}
	s.b.Text.Shape(line, f.Font, f.Size, word)
	if s.x > 0 && s.x+line.Width() > s.width && !s.open && !s.feed() {
		return false
	}
	if s.x+line.Width() > s.width { // a word that is longer than a line is cut
		s.b.Text.Shape(line, f.Font, f.Size, shortened(s.b, f, word, s.width-s.x))
	}
	w := runWord{line, image.Pt(s.x, s.row*s.face.Line+s.base)}
	s.m.words = append(s.m.words, w)
	s.m.ink = s.m.ink.Union(line.Ink().Add(w.at))
	s.x, s.open = s.x+line.Width(), true
	return true
}

// cut() adds an ellipsis to the last line. It removes words from the end of this line until the ellipsis fits.
func (s *setter) cut() {
	if len(s.m.words) == 0 {
		return
	}
	last := &s.m.words[len(s.m.words)-1]
	end := &text.Line{}
	s.b.Text.Shape(end, s.face.Font, s.face.Size, kit.Ellipsis)
	x := min(last.at.X+last.line.Width(), s.width-end.Width())
	w := runWord{end, image.Pt(x, last.at.Y)}
	for len(s.m.words) > 1 && last.at.X+last.line.Width() > x && last.at.Y == w.at.Y { // drop the last word to make room
		s.m.words = s.m.words[:len(s.m.words)-1]
		last = &s.m.words[len(s.m.words)-1]
		w.at.X = last.at.X + last.line.Width()
	}
	s.m.words = append(s.m.words, w)
}

// shortened() cuts a word, so that the word with an ellipsis fits into a width.
func shortened(b *kit.Builder, f kit.Face, word string, width int) string {
	return word[:b.Text.FitStart(f.Font, f.Size, word, kit.Ellipsis, width)] + kit.Ellipsis
}

func (m *runText) paint(c render.Canvas, col color.RGBA) {
	for i := range m.words {
		w := &m.words[i]
		w.line.Paint(c.Dst, c.Clip, c.Org.Add(w.at), col)
	}
}
