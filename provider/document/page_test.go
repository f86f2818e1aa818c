package document

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
)

// outline returns a tree as one line. It omits comments, blanks between elements, and the namespaces of drawings.
func outline(n *html.Node) string {
	var b strings.Builder
	switch n.Type {
	case html.DoctypeNode, html.CommentNode:
		return ""
	case html.TextNode:
		if text := strings.TrimSpace(n.Data); text != "" {
			fmt.Fprintf(&b, "%q ", text)
		}
		return b.String()
	case html.ElementNode:
		b.WriteString(n.Data)
		for _, a := range n.Attr {
			fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
		}
	}
	b.WriteString("(")
	for c := range n.ChildNodes() {
		b.WriteString(outline(c))
	}
	b.WriteString(")")
	return strings.ReplaceAll(b.String(), `" "`, "") // two texts next to each other are one text
}

// The tree of a page equals the tree of the library's parser, even if the page omits tags that are optional in the standard.
func TestPageIsAsTheLibrarysParser(t *testing.T) {
	for _, page := range []string{
		"", "x", "<p>x", "<title>t</title>x", "<!-- c --><html lang=de><meta charset=utf-8><title>a &amp; b</title><body class=k>x",
		"<head><link rel=x><style>a<b</style><script>if(a<b)c='</p>'</script></head><body><h1>x</h1>",
		"<p>a<p>b<div>c</div>d", "<p>a<ul><li>b<li>c<ul><li>d</ul><li>e</ul>f", "<ul><li><p>a<li><p>b</ul>",
		"<dl><dt>a<dd>b<dt>c<dd><p>d</dl>", "<ol><li>a</li> <li>b</li></ol>",
		"<table><tr><td>a<td>b<tr><th>c</table>d", "<table><tr><td>1</td><td><table><tr><td>2</table></td></tr></table>",
		"<table><caption>c<thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>", "<table><td>a</table>", "<table><tbody><td>a<tr><td>b</table>",
		"<table><colgroup><col><col><tr><td>a</table>",
		"<select><option>a<option selected>b</select>c", "<select><optgroup label=x><option>a<optgroup label=y><option>b</select>",
		"<p>a <b>b <i>c</i></b> d <a href='/?a=1&amp;b=2'>e</a><br>f<img src=x alt='a > b'>g<hr>h", "<A HREF=x>Y</A><DIV ID=z>w</DIV>",
		"<svg width=1><path d=x /><g><circle r=1 /></g></svg>a", "<ruby>a<rp>(<rt>b<rp>)</ruby>",
		"<textarea><p>x</textarea><p>y", "<div><span>a</div>b", "<span><p>a</span>b</p>c", "a</div></span>b", "<button><p>a</button>b",
		"<a href=1>x <a href=2>y</a>", "<p a=1 A=2 a=3>x", "<form><label>a<input name=b></label></form>", "<noscript><p>x</noscript>y", "a<br>b",
		"<video controls><source src=x><track></video>", "<section><header><h2>a</h2></header><p>b</section><footer>c</footer>", "<custom-one><p>a</custom-one>",
		"<div><p>a<table><tr><td>b</table><p>c</div>", "<body id=a><body id=b class=c>x", "<pre>a\n b</pre>", "<p>&nbsp;&eacute;&#8364;",
	} {
		page = "<!DOCTYPE html>" + page
		want, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		got, err := parsePage(page)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := outline(got), outline(want); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", page, got, want)
		}
	}
}

// If elements overlap, each element ends with its parent. No element is repeated.
func TestOverlap(t *testing.T) {
	for page, want := range map[string]string{
		"<p><b>a<p>b</b>c":                `(html(head()body(p(b("a" ))p("bc" ))))`,
		"<b><p>a</b>b</p>c":               `(html(head()body(b(p("ab" )"c" ))))`,
		"<table><tr><td>a</div>b</table>": `(html(head()body(table(tbody(tr(td("ab" )))))))`,
		"<table><tr><td><p>a<td></p>b":    `(html(head()body(table(tbody(tr(td(p("a" ))td("b" )))))))`,
		"<tr><td>a<td>b":                  `(html(head()body(tr(td("a" )td("b" )))))`,
	} {
		tree, err := parsePage(page)
		if got := outline(tree); err != nil || got != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", page, err, got, want)
		}
	}
}

func TestBoundsOfPages(t *testing.T) {
	for want, page := range map[string]string{
		"a tag, text or script":  "<p>" + strings.Repeat("x", maxToken+5000),
		"in each other":          strings.Repeat("<i>", maxOpen),
		"it would take more":     strings.Repeat("<p>x", MaxMemory/elementBytes/2),
		"a tag, text or script ": "<p " + strings.Repeat("b ", maxToken),
		"a tag, text":            "<script>" + strings.Repeat("x", maxToken+5000),
	} {
		if _, err := parsePage(page); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%.10s: got %v, want %q", page, err, want)
		}
	}
}

// Reading a hostile document of 4 MiB allocates at most three times MaxMemory.
func TestMemoryOfHostileDocuments(t *testing.T) {
	thorough.Only(t)
	const size, most = 4 << 20, 3 * MaxMemory
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	var attributes, formats strings.Builder
	for i := 0; attributes.Len() < size; i++ {
		fmt.Fprintf(&attributes, "%x ", i)
	}
	for i := range 400 {
		fmt.Fprintf(&formats, "<b x=%d>", i)
	}
	cases := 0
	for name, tt := range map[string]struct{ format, body string }{
		"cells of a row":                 {CSV, "a,b\n" + fill(",")},
		"names of a table":               {CSV, fill(",")},
		"lines in a cell":                {CSV, "a\n\"" + fill("\n")},
		"attributes of a tag":            {XML, "<a " + fill("b=\"\" ") + "/>"},
		"attributes without values":      {XML, "<a " + fill("b ") + "/>"},
		"attributes after a text":        {XML, "<r>x<a " + fill("b ") + "/>"},
		"attributes of a page":           {HTML, "<p " + attributes.String() + ">"},
		"formats of every paragraph":     {HTML, "<p>" + formats.String() + fill("</p><p>x")},
		"attributes of every format":     {HTML, "<p><b " + attributes.String()[:maxToken/2] + ">" + fill("</p><p>x")},
		"a body's attributes":            {HTML, "<body " + attributes.String()[:maxToken/2] + ">" + fill("<body x>")},
		"texts beside each other":        {HTML, "<p>" + fill("x</b>")},
		"pieces of a text in an element": {XML, "<a>" + fill("x<!---->") + "</a>"},
	} {
		if cases++; race.Left(cases, 6) {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := (&Reader{Format: tt.format}).Read(t.Context(), []byte(tt.body))
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; made > most {
			t.Errorf("%s: %d MiB were made of %d MiB (%v), at most %d wanted", name, made>>20, size>>20, err, most>>20)
		} else if testing.Verbose() {
			t.Logf("%s: %d MiB, %v", name, made>>20, err)
		}
	}
}
