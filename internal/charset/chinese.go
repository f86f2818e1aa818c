package charset

import (
	"sort"
	"unicode/utf8"
)

const bad = utf8.RuneError

// `pairs` marks a value that contains two runes. The value minus `pairs` has the first rune in its high half and the second rune in its low
// half.
const pairs = utf8.MaxRune + 1

// grid() returns the index of a character of two bytes in a table with 191 columns. The first character of the table is 0x8140.
func grid(c0, c1 byte) int { return int(c0-0x81)*191 + int(c1) - 0x40 }

func within(c, low, high byte) bool { return low <= c && c <= high }

func eucKR(text []byte) (rune, int) {
	c0 := text[0]
	if c0 < utf8.RuneSelf {
		return rune(c0), 1
	}
	if !within(c0, 0x81, 0xfe) || len(text) < 2 {
		return bad, 1
	}
	c1 := text[1]
	if within(c1, 0x40, 0xfe) {
		if r := at(korean(), grid(c0, c1)); r != bad {
			return r, 2
		}
	}
	if c1 < utf8.RuneSelf {
		return bad, 1
	}
	return bad, 2
}

// `letters` maps the second bytes of four characters of Big5 to two runes each: a letter with a circumflex, then a macron or a caron.
var letters = map[byte]rune{
	0x62: pairs + 0xca<<16 + 0x304, 0x64: pairs + 0xca<<16 + 0x30c,
	0xa3: pairs + 0xea<<16 + 0x304, 0xa5: pairs + 0xea<<16 + 0x30c,
}

func big5(text []byte) (rune, int) {
	c0 := text[0]
	if c0 < utf8.RuneSelf {
		return rune(c0), 1
	}
	if !within(c0, 0x81, 0xfe) || len(text) < 2 || text[1] < 0x40 {
		return bad, 1
	}
	if two := letters[text[1]]; c0 == 0x88 && two != 0 {
		return two, 2
	}
	if text[1] == 0xff {
		return bad, 2
	}
	return at(taiwan(), grid(c0, text[1])), 2
}

func gbk(text []byte) (rune, int) {
	c0 := text[0]
	switch {
	case c0 < utf8.RuneSelf:
		return rune(c0), 1
	case c0 == 0x80:
		return '€', 1
	case c0 == 0xff, len(text) < 2:
		return bad, 1
	}
	if c1 := text[1]; within(c1, 0x40, 0xfe) && c1 != 0x7f {
		return at(chinese(), grid(c0, c1)), 2
	}
	return bad, 1
}

func gb18030(text []byte) (rune, int) {
	if !within(text[0], 0x81, 0xfe) || len(text) < 4 || !within(text[1], 0x30, 0x3f) {
		return gbk(text)
	}
	return four(text)
}

// four() reads a character of four bytes.
func four(text []byte) (rune, int) {
	if !within(text[2], 0x81, 0xfe) || !within(text[3], 0x30, 0x39) {
		return bad, 1
	}
	i := ((rune(text[0]-0x81)*10+rune(text[1]-0x30))*126+rune(text[2]-0x81))*10 + rune(text[3]-0x30)
	switch {
	case i < basic:
		return ranged(i), 4
	case i >= planes && i-planes < 0x100000:
		return i - planes + 0x10000, 4
	}
	return bad, 1
}

// GB18030 numbers its characters of four bytes. The table `ranges` has the runes of the numbers below `basic`. The number `planes`
// belongs to U+10000, and the following numbers belong to the following runes.
const basic, planes = 39420, 189000

// ranged() returns the rune of the four-byte character with the number `i`, which is below `basic`. The result is the first rune of the
// range that contains `i`, plus the distance of `i` from the start of this range.
func ranged(i rune) rune {
	all := ranges()
	n := sort.Search(maxRanges, func(k int) bool { return all[2*k+1] == 0 || all[2*k] > i+1 })
	if n == 0 {
		return bad
	}
	return all[2*n-1] + i + 1 - all[2*n-2]
}
