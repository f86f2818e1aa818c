package draft

import (
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/edit"
)

// A link is a link to a calendar. A test has found it on a web page at the address of a provider.
type link struct {
	provider string
	from, to string // address of the web page, and address of the calendar
	secret   string // name of the secret that contains the address of the web page, or ""
}

var (
	linkTag  = regexp.MustCompile(`(?is)<(?:a|link)\s[^>]*>`)
	linkHref = regexp.MustCompile(`(?is)\shref\s*=\s*["']?([^"'\s>]+)`)
)

// link returns the first link to a calendar on the web pages that a source has sent. If the source
// has not sent a web page with such a link, link returns nil.
func (r *recorder) link() *link {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.all {
		if a.status/100 != 2 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			continue
		}
		if found := r.linkOn(a); found != nil {
			return found
		}
	}
	return nil
}

// linkOn returns the first link to a calendar on a web page, or nil. The caller must hold the lock.
func (r *recorder) linkOn(a *answer) *link {
	from := a.at
	// The definition of the provider contains the address before all redirects to this page. Answers for other calendars may be between them.
	for _, one := range slices.Backward(r.all[:slices.Index(r.all, a)]) {
		if one.part != a.part {
			continue
		}
		if one.status/100 != 3 {
			break
		}
		from = one.at
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

// offer adds a link to the result of a test, if the provider's definition contains the address of the web page. If this address is a
// secret, the answer does not contain the address of the calendar.
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
	secrets, _, _ := t.editor.secrets() // if secrets.yaml cannot be read, secrets is nil
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

// useLink replaces a secret that contains the address of a web page. The new value is the link that the last test has found on this page.
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
