package edit

import (
	"fmt"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// properties() returns the anchor and the tag of y as text, each followed by a space.
func properties(y *yaml.Node) string {
	s := ""
	if y.Anchor != "" && y.Kind != yaml.AliasNode {
		s = "&" + y.Anchor + " "
	}
	if t := tagOf(y); t != "" {
		s += t + " "
	}
	return s
}

// flowText returns a value on one line, with collections in brackets.
func (s style) flowText(y *yaml.Node) string {
	var b strings.Builder
	s.flow(&b, y)
	return b.String()
}

func (s style) flow(b *strings.Builder, y *yaml.Node) {
	pad := ""
	if s.pad {
		pad = " "
	}
	switch y.Kind {
	case yaml.AliasNode:
		b.WriteString("*" + y.Value)
	case yaml.ScalarNode:
		b.WriteString(strings.TrimRight(properties(y)+s.scalarText(y, true), " "))
	case yaml.SequenceNode:
		b.WriteString(properties(y) + "[")
		for i, c := range y.Content {
			if i > 0 {
				b.WriteString(", ")
			}
			s.flow(b, c)
		}
		b.WriteString("]")
	case yaml.MappingNode:
		b.WriteString(properties(y) + "{" + pad)
		for i := 0; i+1 < len(y.Content); i += 2 {
			if i > 0 {
				b.WriteString(", ")
			}
			s.flow(b, y.Content[i])
			b.WriteString(": ")
			s.flow(b, y.Content[i+1])
		}
		b.WriteString(pad + "}")
	}
}

// scalarText returns a scalar on one line, with the quotation marks that the file usually uses. `flow` is true in brackets.
func (s style) scalarText(y *yaml.Node, flow bool) string {
	v := y.Value
	switch {
	case flow && v == "" && y.Style&quoted == 0 && y.Anchor == "" && tagOf(y) == "":
		return "null"
	case y.Style&quoted == 0 && !strings.Contains(v, "\n") && !(flow && flowSign(v)):
		return v
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 || strings.ContainsFunc(v, special):
		return doubled(v)
	case s.quote == '\'' || strings.ContainsAny(v, `"\`):
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	return doubled(v)
}

// flowSign reports whether an unquoted text has another meaning in brackets.
func flowSign(v string) bool {
	return strings.ContainsAny(v, ",[]{}") || strings.Contains(v, ": ") || strings.Contains(v, " #") || strings.HasSuffix(v, ":")
}

// special() reports whether a character needs double quotation marks.
func special(r rune) bool { return r == '\'' || !unicode.IsPrint(r) }

// doubled() returns a text in double quotation marks.
func doubled(v string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range v {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// lines() returns the lines of a value without brackets. The first line has no indentation.
func (s style) lines(y *yaml.Node) []string {
	switch {
	case y.Kind == yaml.SequenceNode && len(y.Content) > 0:
		return s.listLines(y)
	case y.Kind == yaml.MappingNode && len(y.Content) > 0:
		return s.mapLines(y)
	case y.Kind == yaml.ScalarNode:
		return []string{strings.TrimRight(properties(y)+s.scalarText(y, false), " ")}
	}
	return []string{s.flowText(y)}
}

func (s style) listLines(y *yaml.Node) []string {
	var out []string
	for _, c := range y.Content {
		lines := s.lines(c)
		if p := properties(c); p != "" && deep(c) {
			lines = append([]string{strings.TrimSpace(p)}, lines...)
		}
		out = append(out, strings.TrimRight("-"+strings.Repeat(" ", max(s.item-1, 1))+lines[0], " "))
		out = append(out, indented(lines[1:], max(s.item, 2))...)
	}
	return out
}

func (s style) mapLines(y *yaml.Node) []string {
	var out []string
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, v := s.flowText(y.Content[i])+":", y.Content[i+1]
		lines := s.lines(v)
		switch by := s.step; {
		case !deep(v):
			out = append(out, strings.TrimRight(key+" "+lines[0], " "))
		default:
			if v.Kind == yaml.SequenceNode {
				by = s.dash
			}
			out = append(out, strings.TrimRight(key+" "+properties(v), " "))
			out = append(out, indented(lines, by)...)
		}
	}
	return out
}

// deep() reports whether a value must begin on a new line after its key.
func deep(y *yaml.Node) bool {
	return (y.Kind == yaml.SequenceNode || y.Kind == yaml.MappingNode) && len(y.Content) > 0
}

// indented() adds the given number of spaces before each line that is not empty.
func indented(lines []string, by int) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if l != "" {
			l = strings.Repeat(" ", max(by, 0)) + l
		}
		out[i] = l
	}
	return out
}

// shifted() indents lines by the given number of additional spaces. If the number is negative, it removes spaces.
func shifted(lines []string, by int) []string {
	if by >= 0 {
		return indented(lines, by)
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		drop := min(-by, len(l)-len(strings.TrimLeft(l, " ")))
		out[i] = l[drop:]
	}
	return out
}
