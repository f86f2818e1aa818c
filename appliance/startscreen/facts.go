package startscreen

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"dashboard/render/icon"
	"dashboard/render/text"
)

// A fact is a line, split at its first colon: the title is before the colon, the detail after it.
type fact struct {
	icon          rune
	tint          color.RGBA
	title, detail string
}

// sameFact reports whether a line is a detail of the fact in the line before it.
func sameFact(l Line) bool { return strings.HasPrefix(l.Text, detailMark) }

const (
	detailMark = ": " // between a title and its detail
	iconRise   = 12   // an icon is raised by this part of its height, to the middle of the capital letters
)

func (s *screen) factOf(l Line) fact {
	f := fact{title: strings.TrimSpace(l.Text), tint: s.color("muted")}
	f.title, f.detail, _ = strings.Cut(f.title, detailMark)
	if l.Role != "" {
		f.tint = s.color(l.Role)
	}
	f.icon, _ = icon.Lookup(l.Icon)
	return f
}

// facts() draws the lines one below another, with rules between them if there is room for all. If some lines do not fit, it shows their
// number.
func (s *screen) facts(lines []Line, room image.Rectangle) {
	gap := s.px(factGap)
	room.Max.Y = max(room.Min.Y, room.Max.Y)
	s.large = true
	s.large = float64(s.through(lines, room, gap, false)-room.Min.Y) < largeFacts*float64(room.Dy())
	ruled := s.through(lines[:min(len(lines), maxLines)], room, gap, false) <= room.Max.Y
	if !ruled {
		gap = s.px(tightGap)
		room.Min.Y += gap
	} else if n := len(lines); n > 0 { // distribute the free space between the facts
		gap += min(s.px(factMore), (room.Max.Y-s.through(lines, room, gap, false))/(2*n))
	}
	shown := min(len(lines), maxLines)
	for more := s.face("caption").line; shown > 0; shown-- {
		end := s.through(lines[:shown], room, gap, false)
		if shown < len(lines) {
			end += more
		}
		if end <= room.Max.Y {
			break
		}
	}
	y := s.through(lines[:shown], room, gap, true)
	if f := s.face("caption"); shown < len(lines) && y+f.line <= room.Max.Y {
		room.Min.Y, room.Max.Y = y, y+f.line
		s.write(fmt.Sprintf("%d more in report.txt", len(lines)-shown), f, room, 1, text.Left, "muted")
	}
}

// through() paints lines in the rectangle `room`, with a gap above and below each fact. If `paint` is false, it only measures the lines.
// It returns the y coordinate below the last gap.
func (s *screen) through(lines []Line, room image.Rectangle, gap int, paint bool) int {
	y := room.Min.Y
	for i, l := range lines {
		if !sameFact(l) {
			y += gap
		}
		y += s.fact(s.factOf(l), image.Rect(room.Min.X, y, room.Max.X, room.Max.Y), paint)
		if i+1 < len(lines) && sameFact(lines[i+1]) {
			continue
		}
		y += gap
		if gap >= s.px(factGap) && paint {
			s.rule(room, y)
		}
	}
	return y
}

// fact paints one fact at the top of a box and returns its height in px. If `paint` is false, it only measures.
func (s *screen) fact(x fact, box image.Rectangle, paint bool) int {
	f, note := s.strong("body"), "caption"
	if s.large {
		f, note = s.strong("title"), "body"
	}
	side := s.px(factIcon)
	if s.large {
		side = side * f.size / s.face("body").size
	}
	if (x.icon != 0 || x.title == "") && box.Dx() >= iconLeast*f.line { // the icon is omitted before words are cut
		if paint && x.icon != 0 {
			s.canvas.Mask(s.cache.Icon(x.icon, side), box.Min.Add(image.Pt(0, (f.line-side)/2-side/iconRise)), x.tint)
		}
		box.Min.X += side + s.px(iconGap)
	}
	top := box.Min.Y
	if x.title != "" {
		box.Min.Y += s.lines(x.title, f, box, paint, "text")
	}
	if x.detail != "" {
		box.Min.Y += s.airy(detailGap)
		box.Min.Y += s.detail(x.detail, note, box, paint)
	}
	return box.Min.Y - top
}

// detail paints a detail in the given style and returns its height in px. The place of a mistake, such as settings.txt:4, is before the
// words, in the weight of a title.
func (s *screen) detail(words, style string, box image.Rectangle, paint bool) int {
	place, words := placeOf(words)
	f := s.strong(style)
	after := s.wide(place+" ", f)
	switch {
	case place == "":
	case box.Dx()-after < iconLeast*f.line: // a narrow screen has no room for a column of places
		words = place + " " + words
	default:
		s.lines(place, f, box, paint, "text")
		box.Min.X += after
	}
	return s.lines(words, s.face(style), box, paint, "muted")
}

// placeOf splits the message of a mistake into the file with its line, and the rest. If the message does not begin with a line of a file,
// place is "".
func placeOf(s string) (place, rest string) {
	first, rest, _ := strings.Cut(s, " ")
	first = strings.TrimSuffix(first, ":")
	if _, line, _ := strings.Cut(first, ":"); line == "" || strings.Trim(line, "0123456789:") != "" || rest == "" {
		return "", s
	}
	return first, rest
}

// lines() writes a text at the top of a box and returns the height of the text in px. If `paint` is false, it only measures.
func (s *screen) lines(words string, f face, box image.Rectangle, paint bool, role string) int {
	const rows = 3
	if paint {
		return s.write(words, f, box, rows, text.Left, role)
	}
	_, high := s.set(words, f, box.Dx(), rows)
	return high
}
