package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"
)

// authorized() reports whether a request has the token. If `token` is nil, no token is set, and every request is authorized. The header
// must be exactly "Bearer " and the token. authorized compares hashes, because the time of the comparison must not reveal anything, for
// example the length of the token.
func authorized(r *http.Request, token *string) bool {
	if token == nil {
		return true
	}
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok && *token == "" {
		// If the token is empty, net/http has removed the space at the end of the header (RFC 9110 section 5.5).
		ok, given = given == "Bearer", ""
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(*token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && ok
}

// bearerToken returns the bearer token of a request, or "".
func bearerToken(r *http.Request) string {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return token
}

// sameToken reports whether two tokens are equal. A token that is not set is nil.
func sameToken(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// stream wraps a handler of frames or events. It first checks the stream token, the signature of a peer or the token of a paired screen,
// and then whether there is a stream.
func (s *Server) stream(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := s.settings.Load()
		allowed := authorized(r, c.StreamToken) || s.fromPeer(r)
		if d, ok := s.paired(r); ok {
			allowed, r = true, s.asScreen(r, d)
		}
		switch {
		case !allowed:
			s.challenge(w, r)
			reject(w, "stream")
		case !c.StreamOn:
			refuse(w, http.StatusNotFound, "no stream output is configured")
		default:
			h(w, r)
		}
	}
}

// control wraps a handler for callers that may control the wall. It checks the caller's rate, the origin of the page, and the control
// token or the signature of a peer.
func (s *Server) control(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := s.settings.Load()
		switch {
		case !s.callers.allow(r.RemoteAddr, s.now()):
			refuseFor(w, time.Second, http.StatusTooManyRequests, "too many requests")
		case !ownOrigin(r, c.Names):
			refuse(w, http.StatusForbidden, "a page of another site may not control the wall; behind a proxy, server.names in conf.yaml lists the names it has")
		case s.fromPeer(r) || authorized(r, c.ControlToken):
			h(w, r)
		default:
			s.challenge(w, r)
			reject(w, "control")
		}
	}
}

// reject refuses a request without a valid token (RFC 6750 section 3).
func reject(w http.ResponseWriter, kind string) {
	w.Header().Add("WWW-Authenticate", "Bearer")
	what := "a valid " + kind + " bearer token is required: send 'Authorization: Bearer TOKEN' with server.auth." + kind + "_token"
	refuse(w, http.StatusUnauthorized, what)
}
