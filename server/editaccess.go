package server

import (
	"net"
	"net/http"
	"strings"
	"time"
)

// errNoEditor is the error if the wall has no editor.
const errNoEditor = "this wall cannot be edited in a browser"

// Permissions that a caller may need before it can edit.
const (
	needsToken   = "token"   // editing requires config_token
	needsCode    = "code"    // the device must be allowed with a code that the wall shows
	needsMachine = "machine" // editing is only possible on the wall's machine
)

// whyNot are the error messages for missing permissions.
var whyNot = map[string]string{
	needsToken:   "a valid config bearer token is required: server.auth.config_token in conf.yaml",
	needsCode:    "this device needs the code that the wall shows",
	needsMachine: "editing works from the wall's own machine only; server.auth.config_token in conf.yaml allows other machines",
}

// editPermit reports whether a request may edit. If the request may not edit, editPermit also returns the missing permission.
func (s *Server) editPermit(r *http.Request) (ok bool, needs string) {
	c := s.settings.Load()
	if _, ok := s.editDevice(r); ok {
		return true, ""
	}
	switch {
	case c.ConfigToken != nil && authorized(r, c.ConfigToken):
		return true, ""
	case c.ConfigToken == nil && s.asksDigits():
		return isLocal(r), needsCode
	case c.ConfigToken != nil:
		return false, needsToken
	}
	return isLocal(r), needsMachine
}

// offersEditing reports whether the remote shows a link to the editor. The link is shown if the caller may edit, or if the caller can get
// the permission in the editor.
func (s *Server) offersEditing(r *http.Request) bool {
	ok, needs := s.editPermit(r)
	return s.deps.Editor != nil && (ok || needs != needsMachine)
}

// mayEdit wraps a handler of the editor. It checks the caller's rate, the origin of the page, and the permission.
func (s *Server) mayEdit(h http.HandlerFunc) http.HandlerFunc {
	return s.beforeEdit(func(w http.ResponseWriter, r *http.Request) {
		ok, needs := s.editPermit(r)
		if ok {
			h(w, r)
			return
		}
		status := http.StatusForbidden
		if needs != needsMachine {
			status = http.StatusUnauthorized
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		answer(w, status, fields{"success": false, "may": false, "why": needs, "error": whyNot[needs]})
	})
}

// beforeEdit wraps a handler of the editor that needs no permission. It checks the caller's rate and the origin of the page.
func (s *Server) beforeEdit(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := s.settings.Load()
		switch {
		case s.deps.Editor == nil:
			refuse(w, http.StatusNotFound, errNoEditor)
		case !s.callers.allow(r.RemoteAddr, s.now()):
			refuseFor(w, time.Second, http.StatusTooManyRequests, "too many requests")
		case !ownOrigin(r, c.Names) || crossSite(r):
			refuse(w, http.StatusForbidden, "a page of another site may not edit the wall; behind a proxy, list its names in server.names")
		default:
			h(w, r)
		}
	}
}

// crossSite reports whether a page of another site has sent the request. It uses a header that browsers set (W3C, Fetch Metadata Request
// Headers), because requests for pictures have no Origin.
func crossSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" || site == "same-site"
}

// editorOf returns the name of the caller for the list of saves.
func (s *Server) editorOf(r *http.Request) string {
	if d, ok := s.editDevice(r); ok {
		return d.Name
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if isLocal(r) {
		return "the wall's machine"
	}
	for _, one := range systemKinds {
		if strings.Contains(r.UserAgent(), one.word) {
			return one.device + " at " + host
		}
	}
	return host
}
