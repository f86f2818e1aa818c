package feed

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/hostiletest"
	"dashboard/provider/ask"
)

var base = &url.URL{Scheme: "https", Host: "news.example", Path: "/feeds/all.xml"}

func item(title, text, link, at, image any) map[string]any {
	return map[string]any{"title": title, "text": text, "link": link, "at": at, "image": image}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		title    any
		items    []any
	}{
		{"rss 2.0", `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel><atom:link href="https://x/self" rel="self"/><title>News &amp; more</title><link>https://news.example/</link>
<item><media:title>not this</media:title><title>A &lt;b&gt;bold&lt;/b&gt; day</title><link> /a?x=1&amp;y=2 </link>
<description><![CDATA[<p>One.</p><p>Two&nbsp;three</p><script>no()</script>]]></description><pubDate>Mi, 01 Jul 2026 12:00:00 +0200</pubDate>
<media:group><media:content url="https://i/v.mp4" type="video/mp4"/><media:thumbnail url="https://i/t.jpg"/></media:group></item>
<item><guid>https://news.example/b</guid><pubDate>1 Jul 2026 10:00 EST</pubDate><enclosure url="pic.png" type="image/png" length="1"/></item>
<item><title>x</title><guid isPermaLink="false">https://no/</guid><link>javascript:alert(1)</link><description>&lt;img alt='' src='https://i/d.png?a=1&amp;amp;b=2'&gt;see</description></item></channel></rss>`,
			"News & more", []any{
				item("A bold day", "One. Two three", "https://news.example/a?x=1&y=2", 1782900000, "https://i/t.jpg"),
				item(nil, nil, "https://news.example/b", 1782918000, "https://news.example/feeds/pic.png"),
				item("x", "see", nil, nil, "https://i/d.png?a=1&b=2"),
			}},
		{"rss 1.0", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Old</title></channel><item><title>I</title><link>http://o/1</link><dc:date>2026-07-01T10:00:00Z</dc:date></item></rdf:RDF>`,
			"Old", []any{item("I", nil, "http://o/1", 1782900000, nil)}},
		{"atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">a &lt; b</title>
<entry><title type="html">&lt;i>T&lt;/i></title><link rel="edit" href="/no"/><link href="/yes"/><updated>2026-07-02T00:00:00Z</updated><published>2026-07-01T12:00:00+02:00</published>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>c <b>d</b></p></div></content></entry></feed>`,
			"a < b", []any{item("T", "c d", "https://news.example/yes", 1782900000, nil)}},
		{"json", `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"/j","title":"a","content_html":"<p>x<img src=\"/i.png\"></p>","date_published":"2026-07-01T10:00:00Z"},{"id":"2","content_text":"plain <b>"},7]}`,
			"J", []any{item("a", "x", "https://news.example/j", 1782900000, "https://news.example/i.png"), item(nil, "plain <b>", nil, nil, nil), item(nil, nil, nil, nil, nil)}},
		{"shift_jis", "<?xml version='1.0' encoding='Shift_JIS'?><rss><channel><title>\x93\xfa\x96{</title></channel></rss>", "日本", []any{}},
		{"euc-jp", "<?xml version='1.0' encoding='EUC-JP'?><rss><channel><title>\xc6\xfc\xcb\xdc</title></channel></rss>", "日本", []any{}},
		{"euc-kr", "<?xml version='1.0' encoding='euc-kr'?><rss><channel><title>\xc7\xd1\xb1\xdb</title></channel></rss>", "한글", []any{}},
		{"gbk", "<?xml version='1.0' encoding='GBK'?><rss><channel><title>\xd6\xd0\xce\xc4</title></channel></rss>", "中文", []any{}},
		{"gb2312", "<?xml version='1.0' encoding='gb2312'?><rss><channel><title>\xd6\xd0\xce\xc4</title></channel></rss>", "中文", []any{}},
		{"big5", "<?xml version='1.0' encoding='Big5'?><rss><channel><title>\xa4\xa4\xa4\xe5</title></channel></rss>", "中文", []any{}},
		{"cut in an item", "<rss><channel><title>T</title><item><title>a</title></item><item><title>b", "T", []any{item("a", nil, nil, nil, nil)}},
		{"cut between entries", `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>a</title></entry>`, "T", []any{item("a", nil, nil, nil, nil)}},
		{"broken in an item", "<rss><channel><title>T</title><item><title>a</title></item><item><title x='>b</title></item></channel></rss>", "T", []any{item("a", nil, nil, nil, nil)}},
		{"a control character and a single <", "<rss><channel><title>T</title><item><title>a\x08 < b & c</title></item></channel></rss>", "T", []any{item("a < b & c", nil, nil, nil, nil)}},
		{"times of other vocabularies", `<rss xmlns:dcterms="http://purl.org/dc/terms/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title><item><dcterms:issued>2026-07-01T10:00:00Z</dcterms:issued></item>
<item><dcterms:modified>2026-07-01T10:00:00Z</dcterms:modified></item><item><pubDate>soon</pubDate><atom:updated>2026-07-01T10:00:00Z</atom:updated></item></channel></rss>`,
			"T", []any{item(nil, nil, nil, 1782900000, nil), item(nil, nil, nil, 1782900000, nil), item(nil, nil, nil, 1782900000, nil)}},
		{"latin 1", "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><title>\xe4</title></channel></rss>", "ä", []any{}},
	} {
		got, err := Read(t.Context(), []byte(tt.in), base, 20)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(map[string]any{"title": tt.title, "items": tt.items}, got); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", tt.name, diff)
		}
	}
}

func TestMistakes(t *testing.T) {
	for in, want := range map[string]string{
		"<html><body>login</body></html>": "neither RSS, Atom nor JSON Feed: it begins with <html>",
		"<rss></rss>":                     "there is no channel",
		"<rss><channel><item>":            "it ends before",
		`{"a": 1}`:                        "no list of items",
		`{"items": [`:                     "not JSON",
		"":                                "not XML",
	} {
		if _, err := Read(t.Context(), []byte(in), base, 20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", in, err, want)
		}
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("word ", 2000)
	got, err := Read(t.Context(), []byte("<rss><channel>"+strings.Repeat("<item><title>"+long+"</title><description>"+long+"</description><link>http://h/"+strings.Repeat("x", maxLink)+"</link></item>", 30)+"</channel></rss>"), base, 5)
	if err != nil {
		t.Fatal(err)
	}
	items := got["items"].([]any)
	first := items[0].(map[string]any)
	if len(items) != 5 || len(first["title"].(string)) > maxTitle+len("…") || len(first["text"].(string)) > maxText+len("…") || first["link"] != nil {
		t.Errorf("got %d items, the first %.100v", len(items), first)
	}
}

func TestTimes(t *testing.T) {
	want := time.Date(2026, 7, 1, 10, 0, 0, 0, time.UTC)
	for _, in := range []string{
		"Wed, 01 Jul 2026 10:00:00 GMT", "Wed,  1 Jul 2026 12:00:00 +0200", "01 Jul 26 05:00:00 EST", "2026-07-01T10:00:00.000Z", "2026-07-01T12:00+02:00",
		"2026-07-01 10:00:00", "Wednesday, 1 July 2026 06:00:00 EDT", "Wed, 01 Jul 2026 10:00", "mer., 01 Jul 2026 12:00:00 CEST",
		"Wed Jul  1 10:00:00 2026", "Wed Jul  1 10:00:00 UTC 2026", "Wed Jul 01 12:00:00 +0200 2026", "1 July 2026 10:00 AM", "July 1, 2026 10:00 a.m. GMT", "Wed, 1 Jul. 2026 10:00AM",
		"Wednesday, 01-Jul-26 10:00:00 GMT", "Wed 1 Jul 2026 12:00:00 +02:00", "2026-07-01 10:00 AM",
	} {
		if got, ok := parseTime(in); !ok || !got.Equal(want) {
			t.Errorf("%q: got %v, %v", in, got, ok)
		}
	}
	for in, want := range map[string]time.Time{
		"23 Sept 2026":               time.Date(2026, 9, 23, 0, 0, 0, 0, time.UTC),
		"Sept. 23, 2026 1:30 PM EDT": time.Date(2026, 9, 23, 17, 30, 0, 0, time.UTC),
	} {
		if got, ok := parseTime(in); !ok || !got.Equal(want) {
			t.Errorf("%q: got %v, %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "yesterday", "99 Jul 2026 10:00:00 GMT", strings.Repeat("1", 1000)} {
		if got, ok := parseTime(in); ok {
			t.Errorf("%q: got %v", in, got)
		}
	}
}

func TestNew(t *testing.T) {
	d := ask.Deps{Client: fetch.New(&fetch.Options{})}
	one, s, err := New(&Params{URL: "https://h/1", Limit: 3}, d)
	if err != nil || s.Kind() != "feed" {
		t.Fatal(err)
	}
	if two, _, _ := New(&Params{URL: "https://h/1", Limit: 4}, d); two == one {
		t.Error("two definitions share a key")
	}
	if _, _, err := New(&Params{URL: "gopher://h"}, d); err == nil {
		t.Error("any address is taken")
	}
}

// FuzzRead reads any bytes as a feed.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"<rss><channel><title>a</title><item><link>x</link></item></channel></rss>", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>x</title></entry></feed>`, `{"items":[{"title":"x"}]}`, "<RDF><channel/><item/></RDF>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := Read(t.Context(), body, base, 3)
		if err != nil {
			return
		}
		if n := len(got["items"].([]any)); n > 3 {
			t.Errorf("%d items", n)
		}
		if _, err := json.Marshal(got); err != nil {
			t.Error(err)
		}
	})
}

// TestHostile requests feeds from hostile servers.
func TestHostile(t *testing.T) {
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	hostiletest.Each(t, func(t *testing.T, url string, timeout time.Duration) error {
		_, s, err := New(&Params{URL: url, Limit: 3, Keys: ask.Keys{Timeout: value.Duration(timeout)}}, ask.Deps{Client: client})
		if err != nil {
			t.Fatal(err)
		}
		return s.Try(t.Context(), true).Err
	})
}
