package server

import (
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// connectCookie is the cookie of a browser that requests access to a service for a provider.
	connectCookie = "dashboard_connect"
	// connectTime is the lifetime of the cookie. Within this time, the user must allow the access.
	connectTime = 15 * time.Minute
	// connectedPath is the path of the page to which a service sends the browser back.
	connectedPath = "/edit/connected"
	// pastedRedirect is the address to which a service sends the browser back if the service accepts no address of this wall. The browser
	// shows an error there, and the user copies the address.
	pastedRedirect = "http://localhost"
)

// redirectOf returns the address to which a service sends the browser back. Services accept only https addresses and addresses of the
// browser's own machine. For a page with any other address, redirectOf returns pastedRedirect.
func redirectOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return pastedRedirect
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "https" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		return u.Scheme + "://" + u.Host + connectedPath
	}
	return pastedRedirect
}

// setConnectCookie sets the cookie of a browser that requests access to a service. The browser
// sends the cookie after the service has redirected the browser back to the wall.
func setConnectCookie(w http.ResponseWriter, secret string, secure bool) {
	http.SetCookie(w, &http.Cookie{
		Name: connectCookie, Value: secret, Path: connectedPath, MaxAge: int(connectTime.Seconds()), HttpOnly: true, Secure: secure,
		SameSite: http.SameSiteLaxMode,
	})
}

// connected() answers GET /edit/connected, the page to which a service sends the browser back. The request has no permission to edit,
// because it comes from a page of the service. Answering it is safe, because the cookie and the state in the address must belong to an
// earlier request of the editor.
func (s *Server) connected(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.deps.Editor == nil:
		refuse(w, http.StatusNotFound, errNoEditor)
		return
	case !s.callers.allow(r.RemoteAddr, s.now()):
		refuseFor(w, time.Second, http.StatusTooManyRequests, "too many requests")
		return
	}
	secret := ""
	if c, err := r.Cookie(connectCookie); err == nil {
		secret = c.Value
	}
	a, err := s.deps.Editor.Edit(r.Context(), EditCall{Verb: "connected", ID: secret, Query: r.URL.Query()})
	title, text, status := "Connected", "", http.StatusOK
	if err != nil && !accepts(r, "text/html") {
		refuse(w, http.StatusForbidden, err.Error())
		return
	}
	if err != nil {
		title, text, status = "Not connected", err.Error(), http.StatusForbidden
	} else if name, ok := a.Fields["provider"].(string); ok {
		text = "The wall reads " + name + " from now on."
		s.log.Info("a provider is connected", "provider", name, "address", r.RemoteAddr)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // send no Referer, because the address contains a code
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>`+title+
		`</title><link rel="stylesheet" href="../web/remote.css"><main class="one"><h1 class="headline">`+title+`</h1><p>`+
		html.EscapeString(text)+ // ignore an error, because the browser may have disconnected
		`</p><a class="main" href="./">Back to the editor</a><p class="muted">Or close this page.</p></main></html>`)
}
