package feed

import (
	"html"
	"regexp"
	"strings"

	"dashboard/provider/document"
)

// The namespaces of elements in feeds.
const (
	atom   = "http://www.w3.org/2005/Atom"
	rss1   = "http://purl.org/rss/1.0/"
	media  = "http://search.yahoo.com/mrss/"
	itunes = "http://www.itunes.com/dtds/podcast-1.0.dtd"
)

// named() lists the child elements with a name, in any namespace.
func named(e *document.Element, name string) (list []*document.Element) {
	for _, c := range e.Children {
		if c.Name == name {
			list = append(list, c)
		}
	}
	return list
}

// child returns the first child with a name. A child in the feed's namespace takes precedence. Children of Media RSS and iTunes are
// ignored, so that media:title is not read as the title. If there is no such child, child returns nil.
func child(e *document.Element, name string) *document.Element {
	all := named(e, name)
	for _, c := range all {
		if c.Space == e.Space || c.Space == "" || c.Space == rss1 {
			return c
		}
	}
	for _, c := range all {
		if c.Space != media && c.Space != itunes && (name != "link" || c.Text != "") {
			return c
		}
	}
	return nil
}

func childText(e *document.Element, name string) string {
	if c := child(e, name); c != nil {
		return c.All()
	}
	return ""
}

// image returns the address of an item's picture. If no picture is attached to the item, image returns the first picture in the item's
// texts.
func (r *reader) image(e *document.Element, texts ...*document.Element) any {
	if link := r.link(attached(e, 0)); link != nil {
		return link
	}
	for _, t := range texts {
		if t == nil {
			continue
		}
		if link := r.link(firstImage(t.All())); link != nil {
			return link
		}
	}
	return nil
}

// attached() returns the address of a picture that is attached to an item (Media RSS, iTunes, enclosures) or to a group inside the item.
func attached(e *document.Element, depth int) string {
	const groups = 3
	for _, c := range e.Children {
		kind := c.Attribute("type")
		picture := strings.HasPrefix(kind, "image/")
		switch {
		case c.Space == media && c.Name == "thumbnail", c.Space == media && c.Name == "content" && (picture || c.Attribute("medium") == "image"), c.Name == "enclosure" && picture:
			return c.Attribute("url")
		case c.Name == "link" && c.Attribute("rel") == "enclosure" && picture, c.Space == itunes && c.Name == "image":
			return c.Attribute("href")
		case c.Space == media && depth < groups:
			if found := attached(c, depth+1); found != "" {
				return found
			}
		}
	}
	return ""
}

// imageTag matches a picture in HTML and its address.
var imageTag = regexp.MustCompile(`(?i)<img\b[^>]*?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// firstImage returns the address of the first picture in a piece of HTML, or "".
func firstImage(piece string) string {
	m := imageTag.FindStringSubmatch(piece)
	if m == nil {
		return ""
	}
	return html.UnescapeString(m[1] + m[2])
}
