package config

import (
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// scalar sets the value of a scalar. If the scalar has a tag, the tag determines the value.
// Otherwise, a quoted scalar is text, and an unquoted scalar follows the rules of YAML 1.1.
func (b *builder) scalar(n *Node, y *yaml.Node) *Node {
	n.text = y.Value
	switch {
	case y.Style&yaml.TaggedStyle != 0:
		return b.tagged(n, y)
	case y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return n.typed(y.Value)
	}
	n.typed(resolvePlain(y.Value))
	if n.kind == Null && y.Value == "" {
		b.checkHash(n)
	}
	if n.kind == String {
		b.checkCut(n)
	}
	return n
}

// cutText matches a space, a # and more text directly after the #. YAML reads this as a comment, but users often mean text.
var cutText = regexp.MustCompile(`^ +(#[^\s#!]\S*)`)

// checkCut warns about a value such as "text: Room #4", which YAML reads as Room.
func (b *builder) checkCut(n *Node) {
	if n.line < 1 || n.line > len(b.lines) || strings.Contains(n.text, "\n") {
		return
	}
	line := []rune(b.lines[n.line-1])
	end := n.column - 1 + len([]rune(n.text))
	if end > len(line) || string(line[n.column-1:end]) != n.text {
		return
	}
	if m := cutText.FindStringSubmatch(string(line[end:])); m != nil {
		d := diagnose(n, Warning, fmt.Sprintf("the value ends before %s: in YAML a # behind a blank begins a comment; quote the text, or write a blank behind the #", m[1]))
		d.Code = CodeHash
		b.report.Add(d)
	}
}

// typed() sets the value and the kind of a scalar. It returns n.
func (n *Node) typed(v any) *Node {
	n.value = v
	switch v.(type) {
	case nil:
		n.kind = Null
	case bool:
		n.kind = Bool
	case int:
		n.kind = Int
	case float64:
		n.kind = Float
	default:
		n.kind = String
	}
	return n
}

// tagged() sets the value of a scalar with a tag. It handles !secret and the tags of YAML, which begin with !!. Any other tag is a theme
// token.
func (b *builder) tagged(n *Node, y *yaml.Node) *Node {
	switch {
	case y.Tag == "!secret":
		return b.secret(n)
	case !strings.HasPrefix(y.Tag, "!!") && strings.HasPrefix(y.Tag, "!") && len(y.Tag) > 1:
		n.kind, n.tag = Token, y.Tag[1:]
		return n
	}
	v := resolvePlain(y.Value)
	switch y.Tag {
	case "!!str":
		return n.typed(y.Value)
	case "!!null":
		return n.typed(nil)
	case "!!float":
		if i, ok := v.(int); ok {
			v = float64(i)
		}
	}
	want := map[string]Kind{"!!bool": Bool, "!!int": Int, "!!float": Float}[y.Tag]
	if want == Null {
		b.report.Errorf(n, "the tag '%s' has no meaning here", y.Tag)
		return n.AsBroken()
	}
	if n.typed(v); n.kind != want {
		b.report.Errorf(n, "%q cannot be read as '%s'", y.Value, y.Tag)
		return n.AsBroken()
	}
	return n
}

// secret replaces the name of a secret by the value of the secret.
func (b *builder) secret(n *Node) *Node {
	if b.secrets == nil {
		b.report.Errorf(n, "'!secret %s' cannot be used in this file", n.text)
		return n.AsBroken()
	}
	v, err := b.secrets(n.text)
	if err != nil {
		b.report.Errorf(n, "%v", err)
		return n.AsBroken()
	}
	n.secret = true
	return fromValue(v, n, n.path)
}

// hashColor matches an unquoted color after a key. YAML reads it as a comment.
var hashColor = regexp.MustCompile(`:\s+(#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))\s*$`)

// checkHash warns about a value such as "color: #ff8800", which is empty, because YAML reads the color as a comment.
func (b *builder) checkHash(n *Node) {
	if n.line < 1 || n.line > len(b.lines) {
		return
	}
	if m := hashColor.FindStringSubmatch(b.lines[n.line-1]); m != nil {
		d := diagnose(n, Warning, fmt.Sprintf("the value is empty: in YAML an unquoted %s is a comment; write '%s'", m[1], m[1]))
		d.Code = CodeHash
		b.report.Add(d)
	}
}
