package edit

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"dashboard/config"

	"gopkg.in/yaml.v3"
)

// A val is a value in a simple model of a document. The random tests compare documents with this model.
type val struct {
	kind   Kind
	tag    string
	anchor string
	text   string // type and text of a scalar, or name of an alias
	keys   []string
	vals   []*val
}

func (v *val) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *val) write(b *strings.Builder) {
	fmt.Fprintf(b, "%d!%s&%s%q", v.kind, v.tag, v.anchor, v.text)
	for i, w := range v.vals {
		b.WriteString("(")
		if v.kind == Map {
			fmt.Fprintf(b, "%q:", v.keys[i])
		}
		w.write(b)
		b.WriteString(")")
	}
}

// valOf converts a node of the YAML library to a val. Scalars have the types of package config. An alias has only its name.
func valOf(y *yaml.Node) *val {
	if y == nil {
		return &val{text: "nothing"}
	}
	v := &val{anchor: y.Anchor}
	if y.Style&yaml.TaggedStyle != 0 {
		v.tag = y.Tag
	}
	switch y.Kind {
	case yaml.AliasNode:
		v.kind, v.text = Alias, y.Value
	case yaml.ScalarNode:
		v.text = "text " + y.Value
		if y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 && v.tag == "" {
			v.text = plainVal(y.Value)
		}
	case yaml.SequenceNode:
		v.kind = Seq
		for _, c := range y.Content {
			v.vals = append(v.vals, valOf(c))
		}
	case yaml.MappingNode:
		v.kind = Map
		for i := 0; i+1 < len(y.Content); i += 2 {
			v.keys = append(v.keys, y.Content[i].Value)
			v.vals = append(v.vals, valOf(y.Content[i+1]))
		}
	}
	return v
}

func plainVal(s string) string {
	switch x := config.PlainValue(s).(type) {
	case nil:
		return "nothing"
	case string:
		return "text " + x
	default:
		return fmt.Sprintf("%T %v", x, x)
	}
}

// A writer writes random documents.
type writer struct {
	*rand.Rand
	eol     string
	anchors []string
	step    int
	dash    int
	n       int // number of written values
	keys    int
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }
func (w *writer) often(percent int) bool     { return w.IntN(100) < percent }

// document returns the text of a random YAML file whose root is a mapping.
func document(r *rand.Rand) []byte {
	w := &writer{Rand: r, eol: "\n", step: 2 + 2*r.IntN(2), dash: 2 * r.IntN(2)}
	if w.often(25) {
		w.eol = "\r\n"
	}
	text := w.comments("") + w.mapping(0, 0)
	if w.often(10) {
		text = "---" + w.eol + text
	}
	if w.often(10) {
		text = "\ufeff" + text
	}
	if w.often(20) {
		text = strings.TrimRight(text, "\r\n")
	}
	return []byte(text)
}

func (w *writer) comments(margin string) string {
	s := ""
	for w.often(15) {
		s += margin + w.pick("# the hall", "# größer: 5", "#- old: {a, b]", "# 日本 \"") + w.eol
	}
	if w.often(8) {
		s += w.eol
	}
	return s
}

func (w *writer) behind() string {
	if w.often(12) {
		return w.pick(" # note", "  # '\"[", " # a: b")
	}
	return w.pick("", "", "", "", " ")
}

func (w *writer) key() string {
	w.keys++
	return fmt.Sprintf("%s%d", w.pick("widget", "name", "größe", "a key", "children", "x"), w.keys)
}

func (w *writer) properties() string {
	s := ""
	if w.often(5) {
		name := fmt.Sprintf("a%d", len(w.anchors))
		w.anchors = append(w.anchors, name)
		s = "&" + name + " "
	}
	return s
}

// mapping returns the lines of a random mapping without brackets that begins at a column. Each line ends with a line break.
func (w *writer) mapping(column, depth int) string {
	margin, s := strings.Repeat(" ", column), ""
	for range 1 + w.IntN(4) {
		s += w.comments(margin) + margin + w.key() + ":" + w.value(column, depth+1, true)
	}
	return s
}

func (w *writer) list(column, depth int) string {
	margin, s := strings.Repeat(" ", column), ""
	for range 1 + w.IntN(4) {
		s += w.comments(margin) + margin + "-" + w.value(column, depth+1, false)
	}
	return s
}

// value returns the random text after a key or a dash, up to the end of its last line.
func (w *writer) value(column, depth int, below bool) string {
	w.n++
	deep := depth < 5 && w.n < 40
	switch kind := w.IntN(10); {
	case kind < 2 && deep:
		p := strings.TrimRight(w.properties(), " ")
		if below || p != "" {
			if p != "" {
				p = " " + p
			}
			return p + w.behind() + w.eol + w.mapping(column+w.step, depth)
		}
		inner := w.mapping(column+2, depth)
		return strings.TrimPrefix(strings.Repeat(" ", 1)+strings.TrimLeft(w.first(inner, column+2), " "), "")
	case kind < 4 && deep && below:
		return w.behind() + w.eol + w.list(column+w.dash, depth)
	case kind < 4 && deep:
		return w.behind() + w.eol + w.list(column+2, depth)
	case kind == 4:
		return w.literal(column)
	case kind == 5:
		return w.behind() + w.eol
	}
	return " " + w.inline(depth, false) + w.behind() + w.eol
}

// first() removes comments and empty lines at the beginning of a text, because the first line of the text follows a dash.
func (w *writer) first(text string, column int) string {
	for {
		line, rest, _ := strings.Cut(text, w.eol)
		if t := strings.TrimSpace(line); t != "" && !strings.HasPrefix(t, "#") {
			return text
		}
		text = rest
	}
}

func (w *writer) literal(column int) string {
	s := " " + w.pick("|", ">", "|-", "|+", ">-") + w.eol
	margin := strings.Repeat(" ", column+w.step)
	for range 1 + w.IntN(3) {
		s += margin + w.pick("some text", "# no comment", "größer: 5", "- x", "日本") + w.eol
		if w.often(15) {
			s += w.eol
		}
	}
	return s
}

func (w *writer) inline(depth int, flow bool) string {
	if len(w.anchors) > 0 && w.often(8) {
		return "*" + w.pick(w.anchors...) + w.pick("", " ")
	}
	p := w.properties()
	switch kind := w.IntN(12); {
	case kind < 2 && depth < 6:
		return p + w.brackets("[", "]", depth, false)
	case kind < 4 && depth < 6:
		return p + w.brackets("{", "}", depth, true)
	case kind == 4 && p == "":
		return w.pick("!color panel", "!data .a.b", "!size 'large'", "!secret key")
	}
	if flow {
		return p + w.pick("5", "yes", "hello", "two words", `"a, b"`, "'it''s'", `"\u00e9 \"x\""`, "#"[:0]+"null", "1.5", "größe")
	}
	return p + w.pick("5", "-3.5", "yes", "off", "8:30", "hello", "two words", "a, b", "x#y", `"a: b # c"`, "'it''s'", `"tab\t\"q\""`, "~", "größe über", "日本", "0x10", "http://a.b/c?d=e")
}

func (w *writer) brackets(open, end string, depth int, mapping bool) string {
	pad := w.pick("", "", " ")
	var parts []string
	for range w.IntN(4) {
		w.n++
		part := w.inline(depth+1, true)
		if mapping {
			part = w.key() + ": " + part
		}
		parts = append(parts, part)
	}
	return open + pad + strings.Join(parts, w.pick(", ", ", ", ",")) + pad + end
}
