package document

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxSelector is the maximum length of a selector, in bytes. maxSelected is the maximum number of elements that a selector finds.
// maxLooks is the maximum result of looks(). About eight thousand siblings reach this maximum. For so many siblings, a selector such as
// td:nth-child(2) takes about a second.
const (
	maxSelector = 1024
	maxSelected = 1000
	maxLooks    = 1 << 26
)

// A Selector is a parsed CSS selector.
type Selector struct {
	is     cascadia.SelectorGroup
	beside bool // whether the selector may visit all siblings of each element
}

// NewSelector parses a CSS selector.
func NewSelector(text string) (*Selector, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("a selector has at most %d characters", maxSelector)
	}
	is, err := cascadia.ParseGroup(text)
	if err != nil {
		return nil, fmt.Errorf("not a CSS selector: %w", err)
	}
	return &Selector{is, strings.ContainsAny(text, ":~")}, nil
}

// readHTML returns the text of a page or, if there is a selector, a list of the first elements that the selector finds. Each element is a
// mapping. The key "text" has the whole text of the element. The other keys are the same as in ReadXML: an attribute's name after an @,
// and the name of a child.
func readHTML(ctx context.Context, body []byte, s *Selector) (any, error) {
	release, err := turn(ctx, body)
	if err != nil {
		return nil, err
	}
	defer release()
	root, err := parsePage(toUTF8(body, metaCharset(body)))
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nodeText(root), nil
	}
	if s.beside && looks(root) > maxLooks {
		return nil, fmt.Errorf("%w: too many elements beside each other for a selector with : or ~", ErrTooLarge)
	}
	list, budget := []any{}, MaxMemory
	for _, n := range cascadia.QueryAll(root, s.is) {
		v := htmlValue(n, &budget, 0)
		if budget < 0 {
			return nil, errMemory
		}
		if list = append(list, v); len(list) == maxSelected {
			break
		}
	}
	return list, nil
}

// looks() returns the number of nodes that a selector visits at most if it counts the siblings of each node below n. If the number is
// greater than 2*maxLooks, looks() returns 2*maxLooks.
func looks(n *html.Node) (sum int) {
	beside := 0
	for c := range n.ChildNodes() {
		sum += looks(c)
		beside++
	}
	return min(sum+beside*min(beside, maxLooks), 2*maxLooks)
}

// metaCharset returns the name of the encoding that a page declares at its beginning. Without a declaration, it returns windows-1252.
func metaCharset(body []byte) string {
	const begin = 1024 // in bytes; WHATWG HTML, section 13.2.3.2
	head := bytes.ToLower(body[:min(len(body), begin)])
	_, after, ok := bytes.Cut(head, []byte("charset="))
	if !ok {
		return "windows-1252"
	}
	after = bytes.TrimLeft(after, `"' `)
	end := bytes.IndexAny(after, `"'; />`)
	return string(after[:max(end, 0)])
}

// htmlValue returns an element as a mapping. If the element is too large, the budget is below zero afterwards.
func htmlValue(n *html.Node, budget *int, depth int) map[string]any {
	m := map[string]any{}
	text := nodeText(n)
	*budget -= rowBytes + len(text)
	for _, a := range n.Attr {
		*budget -= cellBytes + len(a.Val)
		m["@"+a.Key] = a.Val
	}
	counts := map[string]int{}
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			counts[c.Data]++
		}
	}
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && depth < MaxDepth && *budget >= 0 {
			put(m, c.Data, htmlValue(c, budget, depth+1), counts[c.Data] > 1)
		}
	}
	m["text"] = text
	return m
}

// nodeText returns the visible text of an element.
func nodeText(n *html.Node) string {
	var w words
	w.node(n)
	return w.text(-1)
}

// The type words collects the text of elements. Each run of blanks becomes one blank. Texts of separate blocks are separated by a blank.
type words struct {
	b    strings.Builder
	gap  bool
	deep int
}

func (w *words) node(n *html.Node) {
	switch {
	case w.deep > 2*MaxDepth:
		return
	case n.Type == html.TextNode:
		w.add(n.Data)
		return
	case n.Type == html.ElementNode && hidden(n.DataAtom):
		return
	}
	if parts(n.DataAtom) {
		w.gap = true
	}
	w.deep++
	for c := range n.ChildNodes() {
		w.node(c)
	}
	w.deep--
	if parts(n.DataAtom) {
		w.gap = true
	}
}

func (w *words) add(s string) {
	for i, field := range strings.Fields(s) {
		if w.b.Len() > 0 && (i > 0 || w.gap || blank(s[0])) {
			w.b.WriteByte(' ')
		}
		w.gap = false
		w.b.WriteString(field)
	}
	w.gap = w.gap || s != "" && blank(s[len(s)-1])
}

func blank(c byte) bool { return strings.IndexByte(" \t\r\n\f", c) >= 0 }

// text() returns the collected text. If the text is longer than `most` bytes, it cuts the text and adds an ellipsis. If `most` is -1,
// there is no limit.
func (w *words) text(most int) string {
	s := w.b.String()
	if most < 0 || len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// hidden() reports whether a browser does not show the text of an element.
func hidden(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Head, atom.Template, atom.Noscript:
		return true
	}
	return false
}

func parts(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Br, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Td, atom.Th, atom.Table, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Blockquote, atom.Section, atom.Article, atom.Pre, atom.Hr, atom.Dt, atom.Dd, atom.Figure, atom.Img:
		return true
	}
	return false
}

// Plain returns the text of a piece of HTML. It removes the tags and replaces entities by characters. The text is cut to `most` bytes.
func Plain(piece string, most int) string {
	const spare = 16 // bytes of HTML that are read for each byte of the result, because pages contain more tags than text
	if len(piece) > most*spare {
		piece = strings.ToValidUTF8(piece[:most*spare], "")
	}
	var w words
	z := html.NewTokenizer(strings.NewReader(piece))
	skip := 0
	for z.Err() != io.EOF {
		kind := z.Next()
		name, _ := z.TagName()
		a := atom.Lookup(name)
		switch kind {
		case html.ErrorToken:
			return w.text(most)
		case html.TextToken:
			if skip == 0 {
				w.add(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			w.gap = w.gap || parts(a)
			if hidden(a) && kind == html.StartTagToken {
				skip++
			} else if hidden(a) && kind == html.EndTagToken && skip > 0 {
				skip--
			}
		}
	}
	return w.text(most)
}
