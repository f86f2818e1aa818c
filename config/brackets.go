package config

import (
	"fmt"
	"strings"
)

// bracket searches for a list or mapping whose bracket is not closed, or is closed by a bracket of the other type. It also searches for a
// comment or a quoted text that hides a closing bracket.
func bracket(lines []string, line int) (mistake, bool) {
	text := lines[line-1]
	at := valueOf.FindStringSubmatchIndex(text)
	if at == nil || at[2] >= len(text) || text[at[2]] != '[' && text[at[2]] != '{' || strings.HasPrefix(text[at[2]:], "{{") {
		return mistake{}, false
	}
	var b brackets
	for i, begin := line-1, at[2]; i < min(len(lines), line+maxLooked); i, begin = i+1, 0 {
		if !b.scan(lines[i], i+1, begin) {
			break
		}
	}
	switch {
	case len(b.open) == 0 || len(b.open) > maxDepth:
		return mistake{}, false
	case b.hidden.line > 0:
		return b.hidden, true
	case b.quote.line > 0:
		return b.quote, true
	case b.crossed:
		return b.open[len(b.open)-1].mistake(lines), true
	}
	return b.open[0].mistake(lines), true
}

// brackets contains the open brackets while scan reads the lines.
type brackets struct {
	open    []opened
	crossed bool    // true if the bracket that closes the innermost open bracket has the other type
	hidden  mistake // position of the first # that may hide a closing bracket
	quote   mistake // position of the first quoted text that has no end on its line and may therefore hide a closing bracket
}

// The type opened is an open bracket: its line, its byte offset in the line, and the bracket that must close it.
type opened struct {
	line, at int
	end      byte
}

// mistake returns the error that the bracket `o` is not closed. `lines` are the lines of the file.
func (o opened) mistake(lines []string) mistake {
	return mistake{o.line, runes(lines[o.line-1], o.at), fmt.Sprintf("this bracket has no %c", o.end)}
}

// scan reads a line from the byte at the index `begin`. It returns true if the search must continue on the next line. It returns false if
// the outermost bracket is closed, if a bracket is closed by a bracket of the other type, or if too many brackets are open.
func (b *brackets) scan(text string, line, begin int) bool {
	for i := begin; i < len(text) && len(b.open) <= maxDepth; i++ {
		switch c := text[i]; c {
		case '[', '{':
			b.open = append(b.open, opened{line, i, c + 2}) // in ASCII, a closing bracket has the code of its opening bracket plus two
		case ']', '}':
			last := len(b.open) - 1
			if b.crossed = b.open[last].end != c; b.crossed {
				return false
			}
			if b.open = b.open[:last]; last == 0 {
				return false
			}
		case '"', '\'':
			end := quoted(text, i)
			if end < 0 {
				b.unquoted(text, line, i)
				return true
			}
			i = end
		case '#':
			if i > 0 && text[i-1] == ' ' {
				b.comment(text, line, i)
				return true
			}
		}
	}
	return len(b.open) <= maxDepth
}

// comment records the first # that is directly followed by text. The user may have meant this # as text and not as the beginning of a
// comment.
func (b *brackets) comment(text string, line, at int) {
	if b.hidden.line == 0 && at+1 < len(text) && text[at+1] != ' ' {
		b.hidden = mistake{line, runes(text, at), "a # behind a blank begins a comment, which hides the end of a bracket: quote the text"}
	}
}

// unquoted() records the first quoted text that has no end on its line and contains a closing bracket.
func (b *brackets) unquoted(text string, line, at int) {
	if b.quote.line == 0 && strings.ContainsAny(text[at:], "]}") {
		b.quote = unended(text, line, at)
	}
}

// quoted() returns the index of the quotation mark that ends a quoted text. It returns -1 if the text does not end on this line. `at` is
// the index of the mark that begins the text. If this mark is an apostrophe inside a word, quoted returns `at`.
func quoted(text string, at int) int {
	if at > 0 && !strings.ContainsRune(" [{,", rune(text[at-1])) {
		return at
	}
	return closing(text, at)
}
