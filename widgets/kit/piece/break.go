package piece

import (
	"bytes"
	"unicode/utf8"
)

// firstWide is the first letter of the scripts of East Asia. A line may end after each letter of these scripts.
const firstWide = '⺀'

// Break divides a text in the snippet's face into two lines for a width of room px. The first line is as long as possible, but it does not
// end next to the dash of a range. Break returns the index at which the second line starts, or 0 if the text has no place for a break. It
// also returns the width in px by which the last line exceeds the room.
func (c *Snippet) Break(raw []byte, room int) (at, over int) {
	for i, b := range raw {
		next := i + 1
		if b >= utf8.RuneSelf {
			letter, n := utf8.DecodeRune(raw[i:])
			if next = i + n; letter < firstWide {
				continue
			}
		} else if b != ' ' && b != '-' && b != '/' || besideDash(raw, i) {
			continue
		}
		if next >= len(raw) || c.wide(bytes.TrimRight(raw[:next], " ")) > room {
			break
		}
		at = next
	}
	return at, c.wide(raw[at:]) - room
}

// wide returns the width of a part of the text, in px.
func (c *Snippet) wide(part []byte) int {
	c.B.Text.ShapeBytes(&c.B.Scratch, c.Face.Font, c.Face.Size, part)
	return c.B.Scratch.Width()
}

// dash is the dash of a range, such as "Mon – Wed".
const dash = "–"

// besideDash reports whether byte i is a space before or after a dash.
func besideDash(raw []byte, i int) bool {
	return raw[i] == ' ' && (bytes.HasPrefix(raw[i+1:], []byte(dash)) || bytes.HasSuffix(raw[:i], []byte(dash)))
}
