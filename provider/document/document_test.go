package document

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dashboard/internal/testing/thorough"
)

// shown() returns a value as JSON. The keys of mappings are sorted.
func shown(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, format, in, want string }{
		{"auto, json", Auto, `{"a": 1}`, `{"a":1}`},
		{"auto, text", "", "a,b\n1,2", `"a,b\n1,2"`},
		{"yaml", YAML, "a: [1, x]\nb: {c: 2.5}\n", `{"a":[1,"x"],"b":{"c":2.5}}`},
		{"text", Text, "\xef\xbb\xbf1", `"1"`},
		{"csv", CSV, "name,n\nx,1\n\"y, z\",2.5\n", `[{"n":1,"name":"x"},{"n":2.5,"name":"y, z"}]`},
		{"csv, semicolons, CRLF", CSV, "a;b\r\n1;007\r\n", `[{"a":1,"b":"007"}]`},
		{"csv, ragged rows", CSV, "a,b\n1\n1,2,3\n", `[{"a":1,"b":null},{"a":1,"b":2}]`},
		{"csv, names twice and missing", CSV, "a,a,\n1,2,3\n", `[{"3":3,"a":1,"a2":2}]`},
		{"csv, empty", CSV, "", `[]`},
		{"csv, no numbers", CSV, "a,b,c,d\n1e5,0x1,-,.\n", `[{"a":"1e5","b":"0x1","c":"-","d":"."}]`},
		{"csv, UTF-16", CSV, "\xff\xfea\x00\n\x00\xe4\x00", `[{"a":"ä"}]`},
		{"csv, decimal commas", CSV, "a;b;c;d;e;f\n1,5;-0,25;1.234,5;007,5;1,2,3;1.5\n", `[{"a":1.5,"b":-0.25,"c":1234.5,"d":"007,5","e":"1,2,3","f":1.5}]`},
		{"csv, quoted commas stay a text", CSV, "a,b\n\"1,5\",2\n", `[{"a":"1,5","b":2}]`},
		{"csv, latin 1", CSV, "a;b\nStra\xdfe;K\xf6ln \x80\n", `[{"a":"Straße","b":"Köln €"}]`},
		{"csv, UTF-8 that was cut", CSV, "a\nStraßeä\xc3", "[{\"a\":\"Straßeä\ufffd\"}]"},
		{"json, latin 1", JSON, "{\"a\":\"K\xf6ln\"}", `{"a":"Köln"}`},
		{"auto, latin 1", Auto, "K\xf6ln", `"Köln"`},
		{"json, UTF-16", JSON, "\xff\xfe[\x00\"\x00\xe4\x00\"\x00]\x00", `["ä"]`},
		{"xml, a single <", XML, `<r a="x < y">1 < 2 <b>3 <4</b><![CDATA[5 < 6]]><!-- 7 < 8 --></r>`, `{"r":{"#text":"1 \u003c 2 5 \u003c 6","@a":"x \u003c y","b":"3 \u003c4"}}`},
		{"xml, forbidden characters", XML, "<r>a\x01b&#1;c&#x1F;d\uffffe&#9;f&#xE4;</r>", `{"r":"a b c d` + "\ufffd" + `e\tfä"}`},
		{"metrics", Metrics, "# HELP up x\n# TYPE up gauge\nup 1\nload{cpu=\"0\", host = \"a\\\"b\\\\\\n\"} 0.5 1395066363000\nload{cpu=\"1\",} +Inf\nbytes 1.5e3 # {x=\"y\"} 1\n\n",
			`{"bytes":1500,"load":[{"cpu":"0","host":"a\"b\\\n","value":0.5},{"cpu":"1","value":null}],"up":1}`},
		{"xml", XML, `<?xml version="1.0"?><r v="1"><a>x</a><a>y</a><b k="2">t</b><c/></r>`, `{"r":{"@v":"1","a":["x","y"],"b":{"#text":"t","@k":"2"},"c":""}}`},
		{"xml, text around elements", XML, `<r>a<b>c<d>e<f>g</f>h</d>i</b>j</r>`, `{"r":{"#text":"aj","b":{"#text":"ci","d":{"#text":"eh","f":"g"}}}}`},
		{"xml, prefixes", XML, `<x:r xmlns:x="http://e/"><x:a>1</x:a></x:r>`, `{"r":{"a":"1"}}`},
		{"xml, latin 1", XML, "<?xml version='1.0' encoding='ISO-8859-1'?><r>\xe4\x80</r>", `{"r":"ä€"}`},
		{"xml, says latin 1 and is UTF-8", XML, "<?xml version='1.0' encoding='ISO-8859-1'?><r>ä</r>", `{"r":"ä"}`},
		{"xml, html entities", XML, `<r>a&nbsp;&amp;&eacute;</r>`, `{"r":"a` + "\u00a0" + `\u0026é"}`},
		{"xml, left open inside", XML, `<r><br>a</r>`, `{"r":{"br":"a"}}`},
		{"html without a selector", HTML, `<title>t</title><p>a <b>b</b>c<p>d<script>x</script>`, `"a bc d"`},
	} {
		r := Reader{Format: tt.format}
		v, err := r.Read(t.Context(), []byte(tt.in))
		if got := shown(t, v); err != nil || got != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}

func TestSelect(t *testing.T) {
	page := `<table id=dep><tr><th>Zeit<th>Linie<tr class="late now"><td>12:03<td><a href="/5">5 <i>Ost</i></a></table>`
	for selector, want := range map[string]string{
		"#dep td:first-child": `[{"text":"12:03"}]`,
		"tr.late a[href]":     `[{"@href":"/5","i":{"text":"Ost"},"text":"5 Ost"}]`,
		"tr.late":             `[{"@class":"late now","td":[{"text":"12:03"},{"a":{"@href":"/5","i":{"text":"Ost"},"text":"5 Ost"},"text":"5 Ost"}],"text":"12:03 5 Ost"}]`,
		"video":               `[]`,
	} {
		s, err := NewSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		r := Reader{Format: HTML, Selector: s}
		v, err := r.Read(t.Context(), []byte(page))
		if diff := cmp.Diff(want, shown(t, v)); err != nil || diff != "" {
			t.Errorf("%s: %v, want -, got +:\n%s", selector, err, diff)
		}
	}
	if _, err := NewSelector("a["); err == nil {
		t.Error("a[ is taken for a selector")
	}
	if _, err := NewSelector(strings.Repeat("a ", maxSelector)); err == nil {
		t.Error("a selector of any length is taken")
	}
}

// TestMistakes: an error names the place in the document. A document that ends too early is invalid.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ format, in, want string }{
		{JSON, `{"a": 1`, "not JSON: line 1, column 8"},
		{JSON, ``, "not JSON"},
		{YAML, "a: [1", "not YAML: line"},
		{Metrics, "up 1\n<html>", "Prometheus' text format: line 2"},
		{Metrics, "up{a=\"1} 2", "line 1"},
		{XML, "<r><a>1</a>", "not XML: it ends before"},
		{XML, "", "not XML: it ends before"},
		{XML, "nothing", "not XML: it ends before"},
		{XML, "<r>\n<a b=></a></r", "not XML: line 2"},
		{XML, "<a/><b/>", "second element"},
	} {
		r := Reader{Format: tt.format}
		if v, err := r.Read(t.Context(), []byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: got %v, %v, want %q", tt.format, tt.in, v, err, tt.want)
		}
	}
}

// TestBounds exceeds each limit.
func TestBounds(t *testing.T) {
	thorough.Only(t)
	entities := `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><r>&b;</r>`
	if v, err := ReadXML(t.Context(), []byte(entities)); err == nil && len(shown(t, v)) > 100 {
		t.Errorf("the document's own entities are expanded: %v", v)
	}
	selector, err := NewSelector("*")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		r  Reader
		in string
	}{
		"rows":       {Reader{Format: CSV}, "a\n" + strings.Repeat("1\n", MaxMemory/rowBytes)},
		"columns":    {Reader{Format: CSV}, strings.Repeat("a,", MaxColumns)},
		"elements":   {Reader{Format: XML}, "<r>" + strings.Repeat("<a/>", MaxMemory/elementBytes) + "</r>"},
		"depth":      {Reader{Format: XML}, strings.Repeat("<a>", MaxDepth+1)},
		"attributes": {Reader{Format: XML}, "<r " + strings.Repeat("a='' ", MaxMemory/cellBytes) + "/>"},
		"tags":       {Reader{Format: HTML}, strings.Repeat("<b>", MaxMemory/elementBytes)},
		"deep html":  {Reader{Format: HTML, Selector: selector}, strings.Repeat("<div>", 500) + strings.Repeat("x", 1<<20)},
		"aliases":    {Reader{Format: YAML}, "a: &a [" + strings.Repeat("xxxxxxxx,", 100) + "]\nb: &b [" + strings.Repeat("*a,", 100) + "]\nc: [" + strings.Repeat("*b,", 100) + "]\n"},
	} {
		v, err := tt.r.Read(t.Context(), []byte(tt.in))
		if err == nil {
			t.Errorf("%s: there is no bound: %.80s", name, shown(t, v))
		} else if name != "aliases" && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestSiblings: if a selector counts siblings, a page with too many siblings is rejected, because counting them would take long.
func TestSiblings(t *testing.T) {
	rows := func(n int) []byte { return []byte(strings.Repeat("<p>x", n)) }
	for selector, n := range map[string]int{"p:nth-child(2n)": 80_000, "p:nth-last-of-type(2n)": 80_000, "a ~ p": 80_000, "p:nth-child(2)": 5000, "p": 80_000} {
		s, err := NewSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		v, err := (&Reader{Format: HTML, Selector: s}).Read(t.Context(), rows(n))
		if want := n > 8192 && selector != "p"; errors.Is(err, ErrTooLarge) != want {
			t.Errorf("%s over %d: got %v, %.20v", selector, n, err, v)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"a &amp; b":                    "a & b",
		"<p>one</p><p>two <b>3</b>4":   "one two 34",
		"a<br/>b":                      "a b",
		"<style>p{}</style>x<script>y": "x",
		"  a \n b ":                    "a b",
		"5 < 6":                        "5 < 6",
		"":                             "",
		"<img src=x>":                  "",
	} {
		if got := Plain(in, 100); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := Plain(strings.Repeat("ä", 100), 11); got != strings.Repeat("ä", 5)+"…" {
		t.Errorf("got %q", got)
	}
}

func TestByName(t *testing.T) {
	for name, want := range map[string]string{"a.JSON": JSON, "b.yml": YAML, "c.csv": CSV, "d": Auto, "e.log": Auto, "f.htm": HTML, "g.json.txt": Auto} {
		if got := ByName(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// FuzzRead reads any bytes as each format. The result is an error or a value within the limits.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"a,b\n1,2", "<r a='1'><b>x</b>&eacute;</r>", "a: [1, *b]", "<p>a<b>c", `{"a":1}`, "\xff\xfea\x00", "<a></b></a>", "<?xml encoding='koi8-r'?><a>\xc1</a>"} {
		f.Add([]byte(s))
	}
	selector, err := NewSelector("p, a[href], tr > td")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range []string{Auto, JSON, YAML, CSV, XML, HTML, Text} {
			r := Reader{Format: format, Selector: selector}
			v, err := r.Read(t.Context(), body)
			if err != nil {
				continue
			}
			if _, err := left(v, 3*MaxMemory); err != nil {
				t.Errorf("%s: a value beyond the bound", format)
			}
		}
		if got := Plain(string(body), 50); len(got) > 50+len("…") {
			t.Errorf("%d bytes of text", len(got))
		}
	})
}
