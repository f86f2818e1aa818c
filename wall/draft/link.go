package draft

import (
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"

	"dashboard/config"
	"dashboard/config/edit"
)

// A link is the address of a calendar that a test has found on a web page.
type link struct {
	provider string
	from, to string // address of the page, and address of the calendar
	secret   string // name of the secret with the address of the page, or ""
}

var (
	linkTag  = regexp.MustCompile(`(?is)<(?:a|link)\s[^>]*>`)
	linkHref = regexp.MustCompile(`(?is)\shref\s*=\s*["']?([^"'\s>]+)`)
)

// link returns the first link to a calendar on the web page that a source has answered, or nil.
func (r *recorder) link() *link {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) == 0 {
		return nil
	}
	a := r.shown()
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		return nil
	}
	from := a.at
	for i, one := range r.all { // the source may have redirected to the page
		if one == a {
			for ; i > 0 && r.all[i-1].status/100 == 3; i-- {
				from = r.all[i-1].at
			}
		}
	}
	for _, tag := range linkTag.FindAllString(a.body.String(), -1) {
		m := linkHref.FindStringSubmatch(tag)
		if m == nil {
			continue
		}
		to, err := a.at.Parse(strings.Replace(html.UnescapeString(m[1]), "webcal://", "https://", 1))
		if err != nil || to.Scheme != "https" && to.Scheme != "http" {
			continue
		}
		if strings.HasSuffix(to.Path, ".ics") || strings.Contains(tag, "text/calendar") {
			return &link{from: from.String(), to: to.String()}
		}
	}
	return nil
}

// offer adds a link to the result of a test, if the page's address is in the files. The browser receives the link only if the address of
// the page is no secret.
func (t *Draft) offer(provider string, l *link, out map[string]any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open() {
		return
	}
	f := t.files[config.ProvidersName]
	if f == nil || f.good == nil {
		return
	}
	secrets, _, _ := t.editor.secrets() // without the file, no secret has this address
	p := f.good.At("providers").Get(provider).Resolve()
	try := func(key string, n *edit.Node) {
		n = n.Resolve()
		text := n.Text()
		if n != nil && n.Tag == "!secret" && secrets != nil {
			text = secrets.Root.Get(text).Text()
		}
		if at, err := url.Parse(strings.Replace(text, "webcal://", "https://", 1)); err != nil || text == "" || at.String() != l.from {
			return
		}
		out["link"], out["link_key"] = path.Base(l.to), key
		if l.provider = provider; n.Tag == "!secret" {
			l.secret = n.Value
		} else {
			out["link_to"] = l.to
		}
		t.found = l
	}
	try("url", p.Get("url"))
	for i, e := range p.Get("calendars").Items() {
		try("calendars."+itoa(i)+".url", e.Value.Resolve().Get("url"))
	}
}

// useLink replaces the secret address of a web page by the link that the last test has found there.
func (t *Draft) useLink(provider string) error {
	t.mu.Lock()
	l := t.found
	t.found = nil
	t.mu.Unlock()
	if l == nil || l.provider != provider || l.secret == "" {
		return fail(409, "no link is known any more: test the source again")
	}
	return t.editor.SetSecret(l.secret, l.to)
}
