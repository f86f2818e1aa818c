// Package words describes the differences between two versions of a configuration file in words.
package words

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dashboard/config/edit"
)

// maxValue is the maximum length of a value in a description, in bytes.
const maxValue = 24

// widgetTitles contains the titles of kinds of widgets. For other kinds, the name is the title.
var widgetTitles = map[string]string{
	"agenda": "Calendar", "qr": "QR code", "airquality": "Air quality", "nextevent": "Next event", "sunpath": "Sun path",
}

// A part is a widget without its children, a provider, or any other key of a file.
type part struct {
	title string
	kind  string // kind of widget, "source" for a provider, or "" for another key
	keys  map[string]string
	text  string // text of the whole part
}

// partsOf returns the parts of a file.
func partsOf(d *edit.Document) (list []*part) {
	for _, e := range d.Root.Items() {
		if e.Key == nil {
			continue
		}
		switch key := e.Key.Value; key {
		case "widgets":
			list = widgetParts(d, e.Value, list)
		case "providers":
			for _, p := range e.Value.Items() {
				if p.Key != nil {
					list = append(list, partOf(d, p.Value, "source "+p.Key.Value, "source"))
				}
			}
		case "theme", "colors":
			list = append(list, &part{title: "changed the theme", text: d.Text(e.Value)})
		default:
			list = append(list, &part{title: key, text: d.Text(e.Value)})
		}
	}
	return list
}

// widgetParts adds the widgets below a node to `list`, in reading order. It does not follow aliases, so that each widget is added once.
func widgetParts(d *edit.Document, n *edit.Node, list []*part) []*part {
	if n == nil {
		return list
	}
	if kind := n.Get("widget").Text(); kind != "" {
		list = append(list, partOf(d, n, cmp.Or(n.Get("title").Text(), n.Get("name").Text(), widgetTitles[kind], kind), kind))
	}
	for _, e := range n.Entries {
		list = widgetParts(d, e.Value, list)
	}
	return list
}

func partOf(d *edit.Document, n *edit.Node, title, kind string) *part {
	p := &part{title: title, kind: kind, keys: map[string]string{}, text: title}
	for _, e := range n.Items() {
		if e.Key != nil && e.Key.Value != "children" {
			text := d.Text(e.Value)
			p.keys[e.Key.Value] = text
			p.text += "\n" + e.Key.Value + ": " + text
		}
	}
	return p
}

// Of returns a short description of each difference between two versions of a file, such as "Calendar: days 5" or "new source solar". It
// ignores comments and the layout of the text.
func Of(before, after *edit.Document) (words []string) {
	was, is := partsOf(before), partsOf(after)
	gone, fresh := without(was, is), without(is, was)
	for _, p := range fresh {
		i := slices.IndexFunc(gone, func(o *part) bool { return o.kind == p.kind && o.title == p.title })
		if i < 0 && p.kind != "source" {
			i = slices.IndexFunc(gone, func(o *part) bool { return p.kind != "" && o.kind == p.kind })
		}
		if i < 0 {
			words = append(words, named("new ", p))
			continue
		}
		words = append(words, changed(gone[i], p))
		gone = slices.Delete(gone, i, i+1)
	}
	for _, p := range gone {
		words = append(words, named("removed ", p))
	}
	return words
}

// without() returns the parts of the slice `list` that the slice `other` does not contain.
func without(list, other []*part) (left []*part) {
	count := map[string]int{}
	for _, p := range other {
		count[p.kind+p.text]++
	}
	for _, p := range list {
		if count[p.kind+p.text]--; count[p.kind+p.text] < 0 {
			left = append(left, p)
		}
	}
	return left
}

func named(word string, p *part) string {
	if p.kind == "" {
		return p.title
	}
	return word + p.title
}

// changed() describes the change of a part. If only one key has changed, the description contains the key and, if it is short, the new
// value.
func changed(was, is *part) string {
	all := maps.Clone(was.keys)
	maps.Copy(all, is.keys)
	maps.DeleteFunc(all, func(k, _ string) bool { return was.keys[k] == is.keys[k] })
	for k := range all {
		switch v := is.keys[k]; {
		case len(all) > 1:
		case v == "" || len(v) > maxValue || strings.ContainsAny(v, "\n!"):
			return was.title + ": " + k
		default:
			return was.title + ": " + k + " " + v
		}
	}
	return was.title
}
