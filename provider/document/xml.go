package document

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// An Element is an element of an XML document.
type Element struct {
	Space, Name string // namespace (or undeclared prefix) and local name
	Attr        []xml.Attr
	Text        string // text of the element, without the text of its children
	Children    []*Element
	Cut         bool // whether an error or the end of the document came before the end of the element
}

// declared matches the name of the encoding in an XML declaration.
var declared = regexp.MustCompile(`^\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// ReadElements parses an XML document and returns its root. It accepts entities of HTML, a < that does not begin a tag, characters that XML
// forbids, and tags that are not closed properly. It does not expand entities that the document defines.
func ReadElements(ctx context.Context, body []byte) (*Element, error) {
	root, err := ReadBeginning(ctx, body)
	if err != nil {
		return nil, err
	}
	return root, nil
}

// ReadBeginning is like ReadElements, but if there is an error it also returns the part before the error. It marks the elements that are
// cut by the error. The root is nil if there is no such part or if the document is too large.
func ReadBeginning(ctx context.Context, body []byte) (*Element, error) {
	release, err := turn(ctx, body)
	if err != nil {
		return nil, err
	}
	defer release()
	label := ""
	if m := declared.FindSubmatch(bytes.TrimPrefix(body[:min(len(body), 256)], []byte("\xef\xbb\xbf"))); m != nil {
		label = string(m[1])
	}
	in := &tags{text: toUTF8(body, label)}
	d := xml.NewDecoder(in)
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // the text was already converted to UTF-8
	t := tree{budget: MaxMemory}
	err = t.read(in, d)
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, err
	case err == nil && (t.root == nil || len(t.open) > 0):
		err = errors.New("not XML: it ends before its last element does")
	}
	if err != nil {
		t.cut()
	}
	return t.root, err
}

// read reads all tokens of a document.
func (t *tree) read(in *tags, d *xml.Decoder) error {
	for {
		in.next()
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = t.take(token)
		}
		if err != nil {
			return badXML(d, err)
		}
	}
}

// cut() closes all open elements and marks them as cut.
func (t *tree) cut() {
	for n := len(t.open); n > 0; n = len(t.open) {
		t.open[n-1].Cut = true
		_ = t.end(t.open[n-1].Name)
	}
}

func badXML(d *xml.Decoder, err error) error {
	if errors.Is(err, ErrTooLarge) {
		return err
	}
	line, column := d.InputPos()
	var s *xml.SyntaxError
	if errors.As(err, &s) {
		return fmt.Errorf("not XML: line %d, column %d: %s", line, column, s.Msg)
	}
	return fmt.Errorf("not XML: line %d, column %d: %w", line, column, err)
}

// A tree builds the elements of a document from tokens.
type tree struct {
	root   *Element
	open   []*Element
	texts  []*strings.Builder // text of each open element
	budget int
}

func (t *tree) take(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		return t.begin(token)
	case xml.EndElement:
		return t.end(token.Name.Local)
	case xml.CharData:
		if t.budget -= len(token); t.budget < 0 {
			return errMemory
		}
		if n := len(t.open); n > 0 {
			t.texts[n-1].Write(token)
		}
	}
	return nil
}

func (t *tree) begin(s xml.StartElement) error {
	if len(t.open) >= MaxDepth {
		return fmt.Errorf("%w: more than %d elements in each other", ErrTooLarge, MaxDepth)
	}
	if t.root != nil && len(t.open) == 0 {
		return errors.New("a second element after the last")
	}
	t.budget -= elementBytes + len(s.Name.Local)
	for _, a := range s.Attr {
		t.budget -= cellBytes + len(a.Name.Local) + len(a.Value)
	}
	if t.budget < 0 {
		return errMemory
	}
	e := &Element{Space: t.space(s.Name.Space, s.Attr), Name: s.Name.Local, Attr: append([]xml.Attr(nil), s.Attr...)}
	if n := len(t.open); n > 0 {
		t.open[n-1].Children = append(t.open[n-1].Children, e)
	} else {
		t.root = e
	}
	t.open, t.texts = append(t.open, e), append(t.texts, &strings.Builder{})
	return nil
}

// space returns the namespace (an address) to which a prefix is bound. If the prefix is not declared, it returns the prefix.
func (t *tree) space(prefix string, own []xml.Attr) string {
	if uri, ok := declaration(prefix, own); ok {
		return uri
	}
	for i := len(t.open) - 1; i >= 0; i-- {
		if uri, ok := declaration(prefix, t.open[i].Attr); ok {
			return uri
		}
	}
	return prefix
}

func declaration(prefix string, attr []xml.Attr) (string, bool) {
	for _, a := range attr {
		if prefix != "" && a.Name.Space == "xmlns" && a.Name.Local == prefix || prefix == "" && a.Name.Space == "" && a.Name.Local == "xmlns" {
			return a.Value, true
		}
	}
	return "", false
}

// end closes the innermost open element with a name, and all elements inside it. It ignores an end tag without a start tag.
func (t *tree) end(name string) error {
	for i := len(t.open) - 1; i >= 0; i-- {
		if t.open[i].Name != name {
			continue
		}
		for len(t.open) > i {
			last := len(t.open) - 1
			t.open[last].Text = strings.TrimSpace(t.texts[last].String())
			t.open, t.texts = t.open[:last], t.texts[:last]
		}
		return nil
	}
	return nil
}

// Attribute returns the value of an attribute, or "" if the attribute is missing.
func (e *Element) Attribute(name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// All returns the text of an element and of all elements inside it.
func (e *Element) All() string {
	var b strings.Builder
	e.all(&b)
	return strings.TrimSpace(b.String())
}

func (e *Element) all(b *strings.Builder) {
	b.WriteString(e.Text)
	for _, c := range e.Children {
		b.WriteByte(' ')
		c.all(b)
	}
}

// ReadXML returns an XML document as a mapping with one key, the name of the root. The value of an element without attributes and
// children is its text. The value of any other element is a mapping. In this mapping, the key of an attribute is its name after an @, and
// the key of a child is its name. The key #text has the element's own text, if any. Children with the same name become a list. Prefixes
// of namespaces are removed.
func ReadXML(ctx context.Context, body []byte) (map[string]any, error) {
	root, err := ReadElements(ctx, body)
	if err != nil {
		return nil, err
	}
	return map[string]any{root.Name: root.value()}, nil
}

func (e *Element) value() any {
	m := map[string]any{}
	for _, a := range e.Attr {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
			m["@"+a.Name.Local] = a.Value
		}
	}
	if len(m) == 0 && len(e.Children) == 0 {
		return e.Text
	}
	if e.Text != "" {
		m["#text"] = e.Text
	}
	counts := map[string]int{}
	for _, c := range e.Children {
		counts[c.Name]++
	}
	for _, c := range e.Children {
		put(m, c.Name, c.value(), counts[c.Name] > 1)
	}
	return m
}

// put sets m[key] to v. If `several` is true, put instead appends v to the list m[key].
func put(m map[string]any, key string, v any, several bool) {
	if !several {
		m[key] = v
		return
	}
	list, _ := m[key].([]any)
	m[key] = append(list, v)
}
