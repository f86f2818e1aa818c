package piece

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// firstWide is the first letter of the scripts of East Asia. A line may end after each letter of these scripts.
const firstWide = '⺀'

// Break divides a text in the snippet's face into two lines for a width of `room` px. The first line is as long as possible, but it does
// not end next to the dash of a range, such as "Mon – Wed". Break returns the index at which the second line starts, or 0 if the text has
// no place for a break. It also returns the width in px by which the last line exceeds the room.
func (c *Snippet) Break(raw []byte, room int) (at, over int) {
	for i, b := range raw {
		next := i + 1
		if !utf8.RuneStart(b) {
			continue
		}
		if b >= utf8.RuneSelf {
			letter, n := utf8.DecodeRune(raw[i:])
			if next = i + n; letter < firstWide {
				continue
			}
		} else if b != ' ' && b != '-' && b != '/' || inRange(raw, i) {
			continue
		}
		if next >= len(raw) || c.wide(bytes.TrimRight(raw[:next], " ")) > room {
			break
		}
		at = next
	}
	return at, c.wide(raw[at:]) - room
}

// wide() returns the width of a part of the text, in px.
func (c *Snippet) wide(part []byte) int {
	c.B.Text.ShapeBytes(&c.B.Scratch, c.Face.Font, c.Face.Size, part)
	return c.B.Scratch.Width()
}

// `dash` is the dash of a range. A range consists of two short words and a dash, such as "Mon – Wed".
const dash = "–"

// rangeWord is the maximum number of letters of a word in a range. A line may break next to a dash between longer words.
const rangeWord = 5

// inRange reports whether byte i is a space next to the dash of a range.
func inRange(raw []byte, i int) bool {
	at := i + 1
	switch {
	case raw[i] != ' ':
		return false
	case bytes.HasPrefix(raw[at:], []byte(dash)):
	case bytes.HasSuffix(raw[:i], []byte(dash)):
		at = i - len(dash)
	default:
		return false
	}
	before, after := bytes.TrimRight(raw[:at], " "), bytes.TrimLeft(raw[at+len(dash):], " ")
	before = before[bytes.LastIndexByte(before, ' ')+1:]
	if n := bytes.IndexByte(after, ' '); n >= 0 {
		after = after[:n]
	}
	return len(before) > 0 && len(after) > 0 && utf8.RuneCount(before) <= rangeWord && utf8.RuneCount(after) <= rangeWord
}

// JoinRanges returns a text in which no line breaks next to the dash of a range.
func JoinRanges(s string) string {
	if !strings.Contains(s, " "+dash+" ") {
		return s
	}
	raw := []byte(s)
	var out strings.Builder
	for i := range raw {
		switch {
		case !inRange(raw, i):
			out.WriteByte(raw[i])
		case bytes.HasSuffix(raw[:i], []byte(dash)):
			out.WriteString("\u2060\u00a0") // also write a word joiner, because a line may end after a dash
		default:
			out.WriteString("\u00a0")
		}
	}
	return out.String()
}
