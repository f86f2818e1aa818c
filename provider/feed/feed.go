// Package feed is a provider of news: RSS 0.9 to 2.0, Atom (RFC 4287) and JSON Feed 1.1. Its value is {title, items: [{title, text, link,
// at, image}]}. The items have the order of the feed. Titles and texts are plain text. `at` is in Unix seconds. Missing parts of an item
// are null.
package feed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"dashboard/config/value"
	"dashboard/internal/extract"
	"dashboard/provider/ask"
	"dashboard/provider/document"
)

// Limits for the texts of one item, in bytes.
const (
	maxTitle = 500
	maxText  = 2000
	maxLink  = 2048
)

// Params are the keys of a feed provider.
type Params struct {
	// Address of the feed. file://PATH reads a local file.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// Maximum number of items.
	Limit int `yaml:"limit" default:"20" min:"1" max:"200"`
	// Pause between fetches.
	UpdateInterval value.Duration `yaml:"update_interval" default:"15m" min:"10"`
	ask.Keys
}

// New returns a provider and a key that identifies its definition. An error begins with the name of the configuration key that causes it.
func New(p *Params, d ask.Deps) (key string, s *ask.Source, err error) {
	s = &ask.Source{Name: "feed", Client: d.Client, Files: d.Files}
	if s.Request, err = p.Request(d, p.URL); err != nil {
		return "", nil, err
	}
	s.Request.Secret = p.URLSecret
	if s.Schedule, err = p.Schedule(d, p.UpdateInterval); err != nil {
		return "", nil, err
	}
	base, _ := url.Parse(p.URL) // the address was already checked
	s.Read = func(ctx context.Context, body []byte) (any, error) { return Read(ctx, body, base, p.Limit) }
	of := []any{p, s.Request}
	if ask.IsFile(p.URL) {
		of = append(of, d.Files)
	}
	return ask.Key("feed", of), s, nil
}

// errNoFeed is returned for a document that is not a feed.
var errNoFeed = errors.New("neither RSS, Atom nor JSON Feed")

// Read parses a feed and returns at most `limit` items. Relative links are resolved with the address `base`. If the document has an error,
// Read returns the items before the error. If no item precedes the error, it returns the error.
func Read(ctx context.Context, body []byte, base *url.URL, limit int) (map[string]any, error) {
	if bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("{")) {
		return readJSON(ctx, body, base, limit)
	}
	root, err := document.ReadBeginning(ctx, body)
	if root == nil {
		return nil, err
	}
	f, unlike := readElements(root, base, limit)
	if err != nil && (f == nil || len(f["items"].([]any)) == 0) {
		return nil, err
	}
	return f, unlike
}

// readElements reads a feed in RSS or Atom.
func readElements(root *document.Element, base *url.URL, limit int) (map[string]any, error) {
	r := reader{base: base}
	switch strings.ToLower(root.Name) {
	case "feed":
		return r.feed(r.text(child(root, "title"), maxTitle), named(root, "entry"), limit, r.entry), nil
	case "rss", "rdf":
		channel := child(root, "channel")
		if channel == nil {
			return nil, fmt.Errorf("%w: there is no channel in it", errNoFeed)
		}
		items := append(named(channel, "item"), named(root, "item")...) // in RSS 1.0 the items are next to the channel and not inside it
		return r.feed(r.text(child(channel, "title"), maxTitle), items, limit, r.item), nil
	}
	return nil, fmt.Errorf("%w: it begins with <%s>", errNoFeed, root.Name)
}

// A reader converts elements to items.
type reader struct{ base *url.URL }

func (r *reader) feed(title any, items []*document.Element, limit int, make func(*document.Element) map[string]any) map[string]any {
	list := []any{}
	for _, e := range items[:min(len(items), limit)] {
		if !e.Cut {
			list = append(list, make(e))
		}
	}
	return map[string]any{"title": title, "items": list}
}

// item converts an item of RSS.
func (r *reader) item(e *document.Element) map[string]any {
	short, long := child(e, "description"), child(e, "encoded")
	if short == nil || short.All() == "" {
		short = long
	}
	link := r.link(childText(e, "link"))
	if guid := child(e, "guid"); link == nil && guid != nil && guid.Attribute("isPermaLink") != "false" {
		link = r.link(guid.All())
	}
	return map[string]any{
		"title": r.text(child(e, "title"), maxTitle), "text": r.text(short, maxText), "link": link,
		"at": r.moment(e, "pubDate", "date", "published", "issued", "created", "updated", "modified"), "image": r.image(e, short, long),
	}
}

// entry converts an entry of Atom.
func (r *reader) entry(e *document.Element) map[string]any {
	short, long := child(e, "summary"), child(e, "content")
	if short == nil {
		short = long
	}
	var link any
	for _, l := range named(e, "link") {
		if rel := l.Attribute("rel"); link == nil && (rel == "" || rel == "alternate") {
			link = r.link(l.Attribute("href"))
		}
	}
	return map[string]any{
		"title": r.text(child(e, "title"), maxTitle), "text": r.text(short, maxText), "link": link,
		"at": r.moment(e, "published", "issued", "created", "updated", "modified", "date"), "image": r.image(e, short, long),
	}
}

// moment returns the time of an item. It uses the children with the given names, in this order, and
// takes the first text that is a time. The names are from RSS, Atom and Dublin Core.
func (r *reader) moment(e *document.Element, names ...string) any {
	for _, name := range names {
		if at := moment(childText(e, name)); at != nil {
			return at
		}
	}
	return nil
}

// text() returns the plain text of an element, cut to `most` bytes. It returns nil if the element is missing or empty.
func (r *reader) text(e *document.Element, most int) any {
	if e == nil {
		return nil
	}
	text := e.All()
	if kind := e.Attribute("type"); e.Space == atom && (kind == "" || kind == "text" || kind == "xhtml") {
		return some(short(strings.Join(strings.Fields(text), " "), most))
	}
	return some(document.Plain(text, most))
}

// link() returns the http or https address in a text. It resolves a relative address with `base`. If the text is not such an address, it
// returns nil.
func (r *reader) link(text string) any {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	if text == "" || len(text) > maxLink || err != nil {
		return nil
	}
	if r.base != nil {
		u = r.base.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u.String()
}

// readJSON reads a feed in JSON Feed.
func readJSON(ctx context.Context, body []byte, base *url.URL, limit int) (map[string]any, error) {
	v, err := extract.Decode(ctx, body)
	if err != nil {
		return nil, err
	}
	root, _ := v.(map[string]any)
	items, ok := root["items"].([]any)
	if !ok {
		return nil, fmt.Errorf("%w: there is no list of items in it", errNoFeed)
	}
	r, list := reader{base: base}, []any{}
	for _, it := range items[:min(len(items), limit)] {
		m, _ := it.(map[string]any)
		word := func(keys ...string) string {
			for _, k := range keys {
				if s, ok := m[k].(string); ok && s != "" {
					return s
				}
			}
			return ""
		}
		text := word("summary", "content_text")
		if text == "" {
			text = document.Plain(word("content_html"), maxText)
		}
		image := r.link(word("image", "banner_image"))
		if image == nil {
			image = r.link(firstImage(word("content_html")))
		}
		list = append(list, map[string]any{
			"title": some(short(word("title"), maxTitle)), "text": some(short(text, maxText)), "link": r.link(word("url", "external_url")),
			"at": moment(word("date_published", "date_modified")), "image": image,
		})
	}
	title, _ := root["title"].(string)
	return map[string]any{"title": some(short(title, maxTitle)), "items": list}, nil
}

// short() cuts a text to the given number of bytes.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// some() returns s, or nil if s is "".
func some(s string) any {
	if s == "" {
		return nil
	}
	return s
}
