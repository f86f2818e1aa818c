package server

import (
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageLive string
	//go:embed page_tools.js
	pageTools string
	//go:embed page_screens.js
	pageScreens string
	//go:embed page_readers.js
	pageReaders string
	//go:embed page_notices.js
	pageNotices string
	pageJS      = pageLive + pageTools + pageScreens + pageReaders + pageNotices + "live();\n"
)

// A page is the preview as one file, and the policy under which a browser runs that and nothing else.
type page struct {
	body   string
	policy string
}

// newPage assembles the page.
func newPage() page {
	source := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return page{
		body: strings.NewReplacer("/*css*/", pageCSS, "/*js*/", pageJS).Replace(pageHTML),
		policy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; img-src 'self' blob: data:; " +
			"style-src " + source(pageCSS) + "; script-src " + source(pageJS),
	}
}

// tools answers GET /tools: the widget under the pointer, screens and e-readers. The page holds no frame. It requests them, with
// the token if there is one.
func (s *Server) tools(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", s.page.policy)
	h.Set("X-Frame-Options", "DENY") // for browsers that do not know frame-ancestors
	h.Set("Content-Length", strconv.Itoa(len(s.page.body)))
	w.Write([]byte(s.page.body))
}
