// Package text shapes, fits and paints lines of text onto an *image.RGBA.
//
// # Sizes and places
//
// A size is the em size in pixels, as in FreeType and SDL_ttf. Baselines are whole pixels. Below the size subpixelMax, a glyph may start
// at any quarter of a pixel. From this size on, advances are rounded to whole pixels. Hinting rasterizers also do this, so large text is
// as wide as with those rasterizers.
//
// # Any script
//
// A line goes through the Unicode bidirectional algorithm and is cut into pieces of one script and
// one font. A grapheme cluster is never cut. Then each piece is shaped. If the font has no glyph
// for a cluster, the cluster is drawn with the built-in font of the same weight. If that font has no glyph, the system fonts are tried. If
// no font has a glyph, a box is drawn.
//
// # The cache
//
// A line of Latin script and common punctuation is shaped in segments. A word is one segment. It consists of a letter and everything
// after it up to a space or a digit. Any other character is a segment of one character. A clock's line consists of a dozen segments,
// which are always in the cache, so a tick allocates nothing. There is no kerning between two segments, so the digits of a clock do not
// move. A line of any other script is cached as a whole.
package text

import (
	"unicode"
	"unicode/utf8"
)

const (
	// maxRunes bounds the characters of a text. Notifications have the same limit. Further characters are not shown.
	maxRunes = 4096

	// maxLines bounds the lines of a block. No screen shows so many legible lines.
	maxLines = 256

	// maxSize bounds the text size in pixels. It is about twice the height of a 4K screen.
	maxSize = 4096

	// subpixelMax is the size in pixels from which on glyphs start at whole pixels. At this size, a shift by a quarter of a pixel is
	// invisible, because the soft edge of a stem is wider. Four masks for each glyph would take a lot of memory.
	subpixelMax = 48
)

// Align is the horizontal position of lines inside the padding.
type Align uint8

// The horizontal alignments.
const (
	Left Align = iota
	Center
	Right
)

// VAlign is the vertical position of the block of lines inside the padding.
type VAlign uint8

// The vertical alignments.
const (
	Top VAlign = iota
	Middle
	Bottom
)

// clampSize limits a size to the range from 1 to maxSize.
func clampSize(px int) int { return min(max(px, 1), maxSize) }

// appendClean appends s to dst in a form that layout can use: valid UTF-8 with at most maxRunes runes. All kinds of line breaks become
// '\n'. Other control characters become blanks, and invalid bytes become U+FFFD.
func appendClean(dst, s []byte) []byte {
	for n := 0; len(s) > 0 && n < maxRunes; n++ {
		if s[0] >= ' ' && s[0] < 0x7f {
			dst = append(dst, s[0])
			s = s[1:]
			continue
		}
		r, size := utf8.DecodeRune(s)
		if r == '\r' && len(s) > 1 && s[1] == '\n' {
			size = 2
		}
		dst = utf8.AppendRune(dst, cleanRune(r))
		s = s[size:]
	}
	return dst
}

func cleanRune(r rune) rune {
	switch {
	case r == '\n', r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		return '\n'
	case unicode.IsControl(r):
		return ' '
	}
	return r
}

// blankBreaks replaces line breaks in b by blanks, for text on one line.
func blankBreaks(b []byte) {
	for i, c := range b {
		if c == '\n' {
			b[i] = ' '
		}
	}
}

// isSimple reports whether the clean text b may be shaped word by word from left to right. Such a text consists of Latin letters without
// combining marks, and of punctuation and signs whose shape does not depend on their neighbors.
func isSimple(b []byte) bool {
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		if !simpleRune(r) {
			return false
		}
		b = b[size:]
	}
	return true
}

func simpleRune(r rune) bool {
	const softHyphen = 0xad
	return r < 0x300 && r != softHyphen || // Latin, up to the combining marks
		r >= 0x2010 && r <= 0x2027 || r >= 0x2030 && r <= 0x205e || // punctuation, without the format characters
		r >= 0x20a0 && r <= 0x20bf // currency signs
}

// segmentLen returns the length in bytes of the first segment of b. b must be simple and not empty.
func segmentLen(b []byte) int {
	r, n := utf8.DecodeRune(b)
	if !unicode.IsLetter(r) {
		return n
	}
	for n < len(b) && b[n] != ' ' && (b[n] < '0' || b[n] > '9') {
		n++ // by bytes, because no further byte of a rune equals a blank or a digit
	}
	return n
}
