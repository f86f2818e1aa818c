package startscreen

import (
	"image/color"
	"strings"
	"unicode"

	"dashboard/appliance/about"
)

// emphasized lays out a line in which the values of `pairs` are bold and have the color of titles. It returns the parts of the line, and
// the line's width. If the line is wider than `room`, has no value, or is written from right to left, there are no parts.
func (p *painter) emphasized(s string, pairs []about.Pair, plain, bold face, room int) (all []part, wide int) {
	if rightToLeft(s) {
		return nil, 0
	}
	add := func(words string, f face, ink color.RGBA) {
		if words == "" {
			return
		}
		w := p.width(words, f)
		block, _ := p.set(words, f, w+f.size, 1) // the additional room prevents an ellipsis
		all = append(all, part{x: wide, block: block, ink: ink})
		wide += w
	}
	for _, pair := range pairs {
		before, after, found := strings.Cut(s, pair.Value)
		if !found || pair.Value == "" {
			continue
		}
		add(before, plain, p.color("muted"))
		add(pair.Value, bold, p.color("text"))
		s = after
	}
	if len(all) == 0 {
		return nil, 0
	}
	add(s, plain, p.color("muted"))
	if wide > room {
		return nil, 0
	}
	return all, wide
}

// rightToLeft reports whether a text has letters that are written from right to left.
func rightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) })
}
