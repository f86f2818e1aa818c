package speech

import (
	"bytes"
	"unicode"
)

// `marks` are the prefixes of parts in plain text.
var marks = [...]string{Heading: "", Sentence: "", Item: "- ", Aside: "", Alert: "! ", Choice: "> "}

// AppendText appends the speech as plain text. Each part has its own line, and headings start with #.
func (s *Speech) AppendText(dst []byte) []byte {
	for i, p := range s.parts {
		if p.Tone == Heading {
			if i > 0 {
				dst = append(dst, '\n')
			}
			dst = append(append(dst, "######"[:p.Level]...), ' ')
		}
		dst = append(dst, marks[p.Tone]...)
		dst = append(append(dst, s.Text(p)...), '\n')
	}
	return dst
}

// Contains reports whether the speech contains a text. It ignores case, spaces and punctuation. Tests use Contains to check that painted
// texts are spoken.
func (s *Speech) Contains(text []byte) bool { return bytes.Contains(bare(s.text), bare(text)) }

// bare() returns a text in lower case, without spaces and punctuation.
func bare(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		switch {
		case r == '…' || unicode.IsSpace(r) || unicode.IsPunct(r) || r == '\u00ad':
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}
