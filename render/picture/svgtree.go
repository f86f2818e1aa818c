package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// node is an element of the tree. Names are stored without namespaces.
type node struct {
	name     string
	attrs    map[string]string
	children []*node
	text     string // text content, only for a style element
	size     int    // total length of all attributes, in bytes
}

var errNoSVG = errors.New("svg: no svg element")

// parseSVG reads the first svg element and everything in it. Entities that a document type defines are not replaced.
func parseSVG(data []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return asciiReader{r}, nil }
	var p treeParser
	for !p.done {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("svg: %w", err)
		}
		if err := p.token(t); err != nil {
			return nil, err
		}
	}
	switch {
	case p.root == nil:
		return nil, errNoSVG
	case !p.done:
		return nil, fmt.Errorf("svg: %w", io.ErrUnexpectedEOF)
	}
	return p.root, nil
}

type treeParser struct {
	root   *node
	open   []*node
	count  int // number of elements
	styles int // bytes of all style elements
	done   bool
}

func (p *treeParser) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		return p.start(t)
	case xml.EndElement:
		if len(p.open) > 0 {
			p.open = p.open[:len(p.open)-1]
			p.done = len(p.open) == 0
		}
	case xml.CharData:
		if n := len(p.open); n > 0 && p.open[n-1].name == "style" && p.styles+len(t) <= maxStyle {
			p.styles += len(t)
			p.open[n-1].text += string(t)
		}
	}
	return nil
}

func (p *treeParser) start(e xml.StartElement) error {
	if p.root == nil && e.Name.Local != "svg" {
		return errNoSVG
	}
	if p.count++; p.count > maxSVGElements || len(p.open) >= maxSVGDepth {
		return errTooComplex
	}
	n := &node{name: e.Name.Local}
	if len(e.Attr) > 0 {
		n.attrs = make(map[string]string, len(e.Attr))
	}
	for _, a := range e.Attr {
		n.size += len(a.Value)
		if old := n.attrs[a.Name.Local]; old == "" { // of href and xlink:href, the first one that is not empty counts
			n.attrs[a.Name.Local] = strings.TrimSpace(a.Value)
		}
	}
	if c := n.attrs["class"]; len(c) > maxClass {
		n.attrs["class"] = c[:maxClass]
	}
	if p.root == nil {
		p.root = n
	} else {
		parent := p.open[len(p.open)-1]
		parent.children = append(parent.children, n)
	}
	p.open = append(p.open, n)
	return nil
}

// each() calls f with n and with all elements inside it, in document order.
func (n *node) each(f func(*node)) {
	f(n)
	for _, c := range n.children {
		c.each(f)
	}
}

// asciiReader reads a file in an old encoding. It replaces all bytes that are not ASCII, so that the XML stays valid. The relevant parts
// of a drawing are ASCII.
type asciiReader struct{ io.Reader }

func (r asciiReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i, c := range p[:n] {
		if c >= 0x80 {
			p[i] = '?'
		}
	}
	return n, err
}
