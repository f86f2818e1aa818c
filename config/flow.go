package config

import (
	"strings"
	"unicode"
)

// Flow returns the value as YAML on one line, to be shown to users. The text contains no secrets. It has at most the given number of
// characters. A longer text is cut and ends with an ellipsis.
func (n *Node) Flow(most int) string {
	var b strings.Builder
	n.flow(&b, most)
	text := []rune(strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "))
	if len(text) > most {
		text = append(text[:max(0, most-1)], '…')
	}
	return string(text)
}

// flow writes the value to b. It may stop as soon as b has the given number of characters, because Flow cuts the rest.
func (n *Node) flow(b *strings.Builder, most int) {
	part := func(i int, open string) {
		if i > 0 {
			open = ", "
		}
		b.WriteString(open)
	}
	switch {
	case b.Len() > 4*most: // a character has at most 4 bytes in UTF-8
	case n.Secret():
		b.WriteString("a secret")
	case n.Kind() == List:
		b.WriteString("[")
		for i, item := range n.items {
			part(i, "")
			item.flow(b, most)
		}
		b.WriteString("]")
	case n.Kind() == Map:
		b.WriteString("{")
		for i, p := range n.pairs {
			part(i, "")
			b.WriteString(p.Key + ": ")
			p.Value.flow(b, most)
		}
		b.WriteString("}")
	case n.Kind() == Token, n.Kind() == Program:
		b.WriteString("!" + n.tag + " " + n.text)
	case n.Kind() == Null:
		b.WriteString("null")
	default:
		b.WriteString(n.text)
	}
}
