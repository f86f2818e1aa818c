package notify

import "strings"

// A Run is a part of a text that has one style.
type Run struct {
	Text         string
	Bold, Italic bool
}

// Runs splits a text into parts of one style. It understands some marks of Markdown: **bold**, *italic* or _italic_, bold and italic
// together, `code`, and [text](address). It keeps only the text of a link. A backslash before a mark makes it a plain character. A mark
// without its counterpart and an underscore inside a word are plain characters too.
func Runs(s string) []Run {
	p := marks{}
	for i := 0; i < len(s); {
		i += p.step(s, i)
	}
	p.flush()
	return p.runs
}

// Plain returns a text without marks.
func Plain(s string) string {
	var b strings.Builder
	for _, r := range Runs(s) {
		b.WriteString(r.Text)
	}
	return b.String()
}

// A marks collects the runs of a text while it reads the text.
type marks struct {
	runs         []Run
	text         strings.Builder
	bold, italic string // marks that opened bold or italic; "" if closed
}

// flush ends the current run and adds it to the runs.
func (p *marks) flush() {
	if p.text.Len() > 0 {
		p.runs = append(p.runs, Run{p.text.String(), p.bold != "", p.italic != ""})
		p.text.Reset()
	}
}

// step reads the mark or character at index i and returns its length in bytes.
func (p *marks) step(s string, i int) int {
	switch c := s[i]; {
	case c == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_[]()#", s[i+1]) >= 0:
		p.text.WriteByte(s[i+1])
		return 2
	case c == '`':
		if end := strings.IndexByte(s[i+1:], '`'); end > 0 {
			p.text.WriteString(s[i+1 : i+1+end])
			return end + 2
		}
	case c == '[':
		if text, n := link(s[i:]); n > 0 {
			p.text.WriteString(text)
			return n
		}
	case c == '*' || c == '_':
		if n := p.toggle(s, i); n > 0 {
			return n
		}
	}
	p.text.WriteByte(s[i])
	return 1
}

// link reads [text](address) at the beginning of s. It returns the text and the length of the whole link, or 0 if s does not begin with a
// link.
func link(s string) (text string, n int) {
	mid := strings.Index(s, "](")
	if mid < 2 || strings.ContainsAny(s[1:mid], "[\n") {
		return "", 0
	}
	end := strings.IndexAny(s[mid:], ")\n ")
	if end < 0 || s[mid+end] != ')' {
		return "", 0
	}
	return s[1:mid], mid + end + 1
}

// toggle starts or ends bold or italic if there is a mark at index i. It returns the length of the mark, or 0 if there is no mark.
func (p *marks) toggle(s string, i int) int {
	mark, open := s[i:i+1], &p.italic
	if strings.HasPrefix(s[i:], mark+mark) {
		mark, open = s[i:i+2], &p.bold
	}
	rest := s[i+len(mark):]
	switch {
	case *open == mark && i > 0 && !space(s[i-1]) && !(mark[0] == '_' && letterAt(rest, 0)):
	case *open == "" && rest != "" && !space(rest[0]) && !(mark[0] == '_' && letterAt(s, i-1)) && closes(rest, mark):
		p.flush()
		*open = mark
		return len(mark)
	default:
		return 0
	}
	p.flush()
	*open = ""
	return len(mark)
}

// closes() reports whether the next mark in `rest` ends the style. The mark must follow at least one character, must not follow a space,
// and must be in the same paragraph.
func closes(rest, mark string) bool {
	at := strings.Index(rest[1:], mark)
	return at >= 0 && !space(rest[at]) && !strings.Contains(rest[:at+1], "\n\n")
}

func space(c byte) bool { return c == ' ' || c == '\n' }

// letterAt reports whether s has a letter or a digit at index i.
func letterAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i] | 0x20
	return c >= 'a' && c <= 'z' || s[i] >= '0' && s[i] <= '9' || s[i] >= 0x80
}
