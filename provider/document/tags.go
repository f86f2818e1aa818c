package document

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The type tags passes the bytes of an XML document to the library's decoder and changes bytes at which the decoder would fail. A < that
// does not begin a tag becomes an entity. A character that XML forbids (section 2.2) becomes a blank. The decoder reads all attributes of
// a tag before it returns the first attribute, so ReadByte returns an error when a tag becomes longer than maxToken.
type tags struct {
	text  string
	at    int // index of the next byte
	state int
	begin int    // index of the first byte of the current tag
	extra string // text to return before the next byte
}

// The states of the reader: the kind of token that the decoder is reading.
const (
	tokenBegins = iota
	afterBracket
	inTag
	inText
	inOther // a comment or an end tag; it needs no more memory than its length
)

// next() records that a new token begins. If the previous token was a text, the decoder has already read the < of the new token.
func (t *tags) next() {
	t.state = tokenBegins
	if t.at > 0 && t.extra == "" && t.text[t.at-1] == '<' {
		t.state = afterBracket
	}
}

// ReadByte implements io.ByteReader. The decoder puts a buffer in front of readers that lack this method.
func (t *tags) ReadByte() (byte, error) {
	if t.extra != "" {
		c := t.extra[0]
		t.extra = t.extra[1:]
		return c, nil
	}
	if t.at == len(t.text) {
		return 0, io.EOF
	}
	c := t.allowed()
	switch t.state {
	case tokenBegins, inText:
		begins := t.state == tokenBegins
		t.state = inText
		if c == '<' && !t.tagFollows() {
			c, t.extra = '&', "lt;"
		} else if c == '<' && begins {
			t.state = afterBracket
		}
	case afterBracket:
		t.state, t.begin = inTag, t.at
		if c == '/' || c == '!' || c == '?' {
			t.state = inOther
		}
	case inTag:
		if t.at-t.begin > maxToken {
			return 0, fmt.Errorf("%w: a tag of more than %d KiB", ErrTooLarge, maxToken>>10)
		}
		if c == '<' { // inside a tag, a < can only be part of an attribute's value
			c, t.extra = '&', "lt;"
		}
	}
	return c, nil
}

// allowed() returns the next byte. For a character that XML forbids, it returns a blank.
func (t *tags) allowed() byte {
	c := t.text[t.at]
	t.at++
	switch {
	case c < ' ' && c != '\t' && c != '\n' && c != '\r':
		return ' '
	case (c == 0xbe || c == 0xbf) && strings.HasSuffix(t.text[:t.at-1], "\xef\xbf"): // U+FFFE and U+FFFF become U+FFFD
		return 0xbd
	case c == '&' && strings.HasPrefix(t.text[t.at:], "#"):
		if n := forbidden(t.text[t.at+1:]); n > 0 {
			t.at += 1 + n
			return ' '
		}
	}
	return c
}

// forbidden() returns the length of a character reference if XML forbids the character, otherwise 0. s begins after the # of the reference.
func forbidden(s string) int {
	const longest = 8 // in bytes; no valid reference is longer
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 1 {
		return 0
	}
	digits, base := s[:end], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	r, err := strconv.ParseUint(digits, base, 32)
	if err != nil || r >= ' ' && r != 0xfffe && r != 0xffff || r == '\t' || r == '\n' || r == '\r' {
		return 0
	}
	return end + 1
}

// tagFollows reports whether a tag, an end tag, a comment or a declaration can begin at the < that the reader has just returned.
func (t *tags) tagFollows() bool {
	if t.at == len(t.text) {
		return false
	}
	c := t.text[t.at]
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 || strings.IndexByte("_:/!?", c) >= 0
}

// Read implements io.Reader. The decoder requires it but does not call it.
func (t *tags) Read(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		if p[n], err = t.ReadByte(); err == nil {
			n++
		}
	}
	return n, err
}
