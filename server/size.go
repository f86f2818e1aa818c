package server

import (
	"errors"
	"net/url"
	"strings"

	"dashboard/netstream"
)

var (
	errSizeGiven = errors.New("width and height must both be given, as integers")
	errSizeRange = errors.New("width and height must be between 1 and 7680")
)

// size returns the size that a request names, or zeros. If a parameter occurs twice, the first value counts.
func size(q url.Values) (w, h int, err error) {
	if !q.Has("width") && !q.Has("height") {
		return 0, 0, nil
	}
	w, okW := integer(q.Get("width"))
	h, okH := integer(q.Get("height"))
	switch {
	case !okW || !okH:
		return 0, 0, errSizeGiven
	case w < 1 || h < 1 || w > netstream.MaxSide || h > netstream.MaxSide:
		return 0, 0, errSizeRange
	}
	return w, h, nil
}

// tooLarge is the result of integer() for the number tooLarge and all greater numbers. It is above all limits.
const tooLarge = 1 << 24 // ten times tooLarge still fits into 32 bits

// integer parses an integer in the same way as Python's int(), because many callers were written for Grydgets, which uses Python. It
// allows spaces around the number, a sign, leading zeros, and single underscores between digits.
func integer(text string) (n int, ok bool) {
	text = strings.TrimSpace(text)
	digits := strings.TrimPrefix(text, "-")
	negative := digits != text
	if !negative {
		digits = strings.TrimPrefix(text, "+")
	}
	before := byte('_')
	for _, c := range []byte(digits) {
		switch {
		case c >= '0' && c <= '9':
			n = min(10*n+int(c-'0'), tooLarge)
		case c != '_' || before == '_':
			return 0, false
		}
		before = c
	}
	if negative {
		n = -n
	}
	return n, before != '_'
}
