package server

import (
	"cmp"
	"html"
	"net/http"
	"net/url"
	"strconv"
)

// textPage answers with the page that contains the text. If the caller has no token, the page contains no text and asks for the token.
func (s *Server) textPage(w http.ResponseWriter, r *http.Request) {
	c := s.settings.Load()
	_, screen := s.paired(r)
	data := textData{Name: s.deps.Name(), View: view(r)}
	if c.StreamOn && (screen || authorized(r, c.StreamToken)) {
		spoken, ok := s.speech(w, r)
		if !ok {
			return
		}
		data.fill(spoken)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", webPolicy)
	h.Set("X-Frame-Options", "DENY")
	s.sendTagged(w, r, "text/html; charset=utf-8", data.page())
}

// textData is the data of the page.
type textData struct {
	Name, View, Language, Direction, When, Pages, AsOf, Picture string
	Blocks                                                      []textBlock
}

// A textBlock is a heading, a paragraph, or a list of items.
type textBlock struct {
	Level  int // 2 to 6 for a heading, otherwise 0
	Text   string
	Class  string
	Items  []string
	Notice bool // true for a card with the parts of a notification
	Inner  []textBlock
}

// fill converts the parts to blocks. Items that follow each other become a list. The parts of a notification become a card.
func (d *textData) fill(v *Spoken) {
	d.Language, d.Direction, d.When, d.Pages, d.AsOf, d.Picture = v.Language, "ltr", v.When, v.Pages, v.AsOf, v.Picture
	if v.RightToLeft {
		d.Direction = "rtl"
	}
	for i := 0; i < len(v.Parts); {
		n := 1
		if id := v.Parts[i].Widget; id == "notification" {
			for i+n < len(v.Parts) && v.Parts[i+n].Notice == v.Parts[i].Notice && v.Parts[i+n].Tone != "heading" {
				n++
			}
			d.Blocks = append(d.Blocks, textBlock{Notice: true, Inner: blocksOf(v.Parts[i : i+n])})
		} else {
			for i+n < len(v.Parts) && v.Parts[i+n].Widget != "notification" {
				n++
			}
			d.Blocks = append(d.Blocks, blocksOf(v.Parts[i:i+n])...)
		}
		i += n
	}
}

// blocksOf converts parts to blocks.
func blocksOf(parts []SpokenPart) (all []textBlock) {
	for _, p := range parts {
		switch {
		case p.Tone == "heading":
			all = append(all, textBlock{Level: p.Level, Text: p.Text})
		case p.Tone != "item" && p.Tone != "choice":
			all = append(all, textBlock{Text: p.Text, Class: p.Tone})
		case len(all) > 0 && all[len(all)-1].Items != nil:
			all[len(all)-1].Items = append(all[len(all)-1].Items, p.Text)
		default:
			all = append(all, textBlock{Items: []string{p.Text}})
		}
	}
	return all
}

// page returns the page as HTML. It does not use html/template, because that package calls methods by name. The linker would then keep
// every exported method of the program, which would take 3.3 MB.
func (d *textData) page() []byte {
	p := markup{}
	p.raw(`<!doctype html>
<html lang="`).text(cmp.Or(d.Language, "en")).raw(`" dir="`).text(cmp.Or(d.Direction, "ltr")).raw(`">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<title>`).text(d.Name).raw(`</title>
<link rel="icon" href="web/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="web/remote.css">
<link rel="stylesheet" href="web/spoken.css">
</head>
<body>
<div id="app">`)
	if d.When != "" {
		d.words(&p)
	}
	p.raw(`
</div>
<script type="module" src="web/spoken.js"></script>
</body>
</html>
`)
	return p
}

// words() appends the text of the wall to the page.
func (d *textData) words(p *markup) {
	home := "./"
	if d.View != "" {
		home += "?view=" + url.QueryEscape(d.View)
	}
	p.raw("\n<header class=\"spoken-top\"><nav><a href=\"").text(home).raw(`">`).text(d.Picture).raw(`</a></nav><span class="muted">`).text(d.AsOf)
	p.raw("</span></header>\n<main class=\"spoken\"><h1>").text(d.Name).raw("</h1><p>").text(d.When).raw(".")
	if d.Pages != "" {
		p.raw(" ").text(d.Pages).raw(".")
	}
	p.raw("</p>\n")
	for _, b := range d.Blocks {
		p.block(b)
		p.raw("\n")
	}
	p.raw("</main>")
}

// markup is the HTML of a page that is being built.
type markup []byte

// raw appends HTML.
func (p *markup) raw(s string) *markup {
	*p = append(*p, s...)
	return p
}

// text appends text, escaped for elements and quoted attributes.
func (p *markup) text(s string) *markup { return p.raw(html.EscapeString(s)) }

// `deepest` is the number of heading levels that HTML has.
const deepest = 6

// block appends a block.
func (p *markup) block(b textBlock) {
	switch {
	case b.Notice:
		p.raw(`<section class="card notice">`)
		for _, inner := range b.Inner {
			p.block(inner)
		}
		p.raw("</section>")
	case b.Level > 0:
		name := "h" + strconv.Itoa(min(max(b.Level, 2), deepest))
		p.raw("<" + name + ">").text(b.Text).raw("</" + name + ">")
	case b.Items != nil:
		p.raw("<ul>")
		for _, item := range b.Items {
			p.raw("<li>").text(item).raw("</li>")
		}
		p.raw("</ul>")
	default:
		p.raw(`<p class="`).text(b.Class).raw(`">`).text(b.Text).raw("</p>")
	}
}
