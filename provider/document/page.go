package document

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits for a page.
const (
	maxToken      = 512 << 10 // maximum size of a tag, text or script, in bytes
	maxOpen       = 512       // maximum depth of nested elements
	maxAttributes = 256       // maximum number of attributes of an element; further attributes are omitted
)

// A page builds the tree of an HTML document from tokens. It counts memory before it allocates the memory.
//
// A page replaces the parser of the library, which follows WHATWG HTML, section 13.2.4.3. That parser repeats unclosed formatting
// elements in each later paragraph, so that three bytes can add hundreds of elements. In a page, an element ends with its parent at the
// latest. For well-formed HTML, both parsers build the same tree.
type page struct {
	doc, html, head, body *html.Node
	open                  []*html.Node // open elements; the first element is the head or the body, and the last element receives the next text
	budget                int
}

// parsePage returns the tree of a page. The tree always has an html element with head and body. Comments are omitted.
func parsePage(text string) (*html.Node, error) {
	p := &page{doc: &html.Node{Type: html.DocumentNode}, html: element("html"), head: element("head"), body: element("body"), budget: MaxMemory}
	p.doc.AppendChild(p.html)
	p.html.AppendChild(p.head)
	p.html.AppendChild(p.body)
	p.open = []*html.Node{p.head}
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(maxToken)
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if z.Err() == io.EOF {
				return p.doc, nil
			}
			return nil, fmt.Errorf("%w: a tag, text or script of more than %d KiB", ErrTooLarge, maxToken>>10)
		case html.TextToken:
			p.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			p.start(string(name), p.attributes(z, more), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(string(name))
		}
		if p.budget < 0 {
			return nil, errMemory
		}
		if len(p.open) > maxOpen {
			return nil, fmt.Errorf("%w: more than %d elements in each other", ErrTooLarge, maxOpen)
		}
	}
}

func element(name string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
}

// attributes() reads the attributes of a tag. If an attribute occurs twice, the first value counts.
func (p *page) attributes(z *html.Tokenizer, more bool) (list []html.Attribute) {
	for more && len(list) < maxAttributes && p.budget >= 0 {
		var key, val []byte
		key, val, more = z.TagAttr()
		p.budget -= cellBytes + len(key) + len(val)
		if !slices.ContainsFunc(list, func(a html.Attribute) bool { return a.Key == string(key) }) {
			list = append(list, html.Attribute{Key: string(key), Val: string(val)})
		}
	}
	return list
}

func (p *page) inBody() bool { return p.open[0] == p.body }

func (p *page) enterBody() {
	if !p.inBody() {
		p.open = []*html.Node{p.body}
	}
}

func (p *page) current() *html.Node { return p.open[len(p.open)-1] }

func (p *page) text(s string) {
	if !p.inBody() && len(p.open) == 1 {
		if strings.TrimSpace(s) == "" {
			return
		}
		p.enterBody()
	}
	p.budget -= elementBytes + len(s)
	p.current().AppendChild(&html.Node{Type: html.TextNode, Data: s})
}

// push adds an element to the tree and opens it.
func (p *page) push(n *html.Node) {
	p.budget -= elementBytes + len(n.Data)
	p.current().AppendChild(n)
	p.open = append(p.open, n)
}

func (p *page) start(name string, attr []html.Attribute, closed bool) {
	switch name {
	case "html":
		merge(p.html, attr)
		return
	case "head":
		merge(p.head, attr)
		return
	case "body":
		p.enterBody()
		merge(p.body, attr)
		return
	}
	if !ofHead[name] {
		p.enterBody()
	}
	p.imply(name)
	n := element(name)
	n.Attr = attr
	p.push(n)
	if void[name] || closed && p.foreign() {
		p.open = p.open[:len(p.open)-1]
	}
}

// merge adds each attribute in `attr` to an element, unless the element already has this attribute.
func merge(n *html.Node, attr []html.Attribute) {
	for _, a := range attr {
		if len(n.Attr) < maxAttributes && !slices.ContainsFunc(n.Attr, func(b html.Attribute) bool { return a.Key == b.Key }) {
			n.Attr = append(n.Attr, a)
		}
	}
}

// foreign() reports whether an open element is a drawing (svg) or a formula (math). Tags inside such an element may be self-closing.
func (p *page) foreign() bool {
	return slices.ContainsFunc(p.open, func(n *html.Node) bool { return n.Data == "svg" || n.Data == "math" })
}

// imply prepares the tree for the start tag of an element with the given name (WHATWG HTML, sections 13.1.2.4 and 13.2.6.4.9). It closes
// the open elements that this tag ends. It opens missing parents, such as the tbody around a tr.
func (p *page) imply(name string) {
	r, ok := endedBy[name]
	if !ok && block[name] {
		r = ends{set("p"), scope}
	}
	keep := len(p.open)
	for i := len(p.open) - 1; i > 0 && !r.until[p.open[i].Data]; i-- {
		if r.closes[p.open[i].Data] {
			keep = i
		}
	}
	p.open = p.open[:keep]
	cell := name == "td" || name == "th"
	if (cell || name == "tr") && p.current().Data == "table" {
		p.push(element("tbody"))
	}
	if d := p.current().Data; cell && (d == "tbody" || d == "thead" || d == "tfoot") {
		p.push(element("tr"))
	}
}

// end closes the innermost open element with a name, and all elements inside it. It does not close elements outside of the current table.
// The end tag of an inline element does not close a paragraph.
func (p *page) end(name string) {
	borders := block
	switch {
	case name == "br":
		p.start("br", nil, false)
		return
	case name == "table":
		borders = nil
	case ofTable[name]:
		borders = set("table")
	case block[name], scope[name]:
		borders = scope
	}
	for i := len(p.open) - 1; i > 0; i-- {
		switch d := p.open[i].Data; {
		case d == name:
			p.open = p.open[:i]
			return
		case borders[d] || d == "template":
			return
		}
	}
}
