package document

import (
	"fmt"
	"io"
)

// tags gives the bytes of an XML document to the library's decoder, which makes all attributes of a tag before it shows the first:
// a tag that is longer than maxToken is an error before it is whole.
type tags struct {
	text  string
	at    int // the next byte
	state int
	begin int // where the tag began
}

// What the decoder reads.
const (
	tokenBegins = iota
	afterBracket
	inTag
	inOther // a text, a comment, an end: what they take in memory is as long as they are
)

// next says that a token begins. The decoder ends a text when it has read the bracket behind it.
func (t *tags) next() {
	t.state = tokenBegins
	if t.at > 0 && t.text[t.at-1] == '<' {
		t.state = afterBracket
	}
}

// ReadByte makes the decoder read without a buffer of its own.
func (t *tags) ReadByte() (byte, error) {
	if t.at == len(t.text) {
		return 0, io.EOF
	}
	c := t.text[t.at]
	t.at++
	switch t.state {
	case tokenBegins:
		t.state = inOther
		if c == '<' {
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
	}
	return c, nil
}

// Read is there because an io.Reader is asked for.
func (t *tags) Read(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		if p[n], err = t.ReadByte(); err == nil {
			n++
		}
	}
	return n, err
}
