package server

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"dashboard/control"
	"dashboard/control/pairing"
	"dashboard/control/wallkey"
)

// peerMay lists the requests that the key of a peer allows. All other requests are refused. A peer is a wall that is paired with this
// wall. The peer's page of all walls can show and control this wall.
var peerMay = []string{
	"GET /healthz", "GET /frame", "GET /pages", "POST /notify", "DELETE /notify/" + noticeID, "POST /page", "POST /theme", "POST /power",
	"POST /reload", "POST /identify", "POST /update", "DELETE /peers",
}

// errNoPeers is the error if this wall needs no pairing or cannot show a code.
const errNoPeers = "this wall has no control token, or no screen that shows a code; add it with its control token"

// peerKey returns the key of a peer.
func (s *Server) peerKey(id string) ([]byte, bool) {
	if s.deps.Peers == nil {
		return nil, false
	}
	return s.deps.Peers.Key(id)
}

// fromPeer reports whether a peer has signed a request that peers may send. Each signature is valid only once.
func (s *Server) fromPeer(r *http.Request) bool {
	_, ok := s.peerOf(r)
	return ok
}

// peerOf returns the id of the peer that signed a request.
func (s *Server) peerOf(r *http.Request) (id string, ok bool) {
	if !wallkey.Signed(r) {
		return "", false
	}
	if !slices.Contains(peerMay, r.Method+" "+r.URL.Path) || r.ContentLength > maxBody || s.settings.Load().ControlToken == nil {
		return "", false
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil || len(body) > maxBody {
		return "", false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	id, err = s.signatures.Check(r, body)
	if err != nil {
		return "", false
	}
	s.deps.Peers.Met(id, s.now())
	return id, true
}

// challenge adds data to a refusal. With this data, the peer can sign the request again.
func (s *Server) challenge(w http.ResponseWriter, r *http.Request) {
	if wallkey.Signed(r) {
		w.Header().Add("WWW-Authenticate", s.signatures.Challenge(r))
	}
}

// offering wraps a handler for walls that are not paired yet. It checks the caller's rate, the origin of the page, and whether pairing is
// possible.
func (s *Server) offering(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := s.settings.Load()
		switch {
		case !s.callers.allow(r.RemoteAddr, s.now()):
			refuseFor(w, time.Second, http.StatusTooManyRequests, "too many requests")
		case !ownOrigin(r, c.Names) || crossSite(r):
			refuse(w, http.StatusForbidden, "a page of another site may not pair walls")
		case s.deps.Peers == nil || c.ControlToken == nil || !s.deps.HasScreen():
			refuse(w, http.StatusNotFound, errNoPeers)
		default:
			h(w, r)
		}
	}
}

// askAsPeer answers POST /peers. This wall then shows a code for the requesting wall.
func (s *Server) askAsPeer(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Name string `json:"name"`
		Key  string `json:"key"`
	}
	if !readObject(w, r, &asked, "'name', text, the name of the wall that asks, and 'key', its half of the key") {
		return
	}
	half, err := wallkey.NewHalf()
	if err != nil {
		refuse(w, http.StatusInternalServerError, "no key can be made")
		return
	}
	key, err := half.Key(asked.Key, asked.Key, half.Public())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	one, secret, err := s.deps.Peers.AskWithKey(asked.Name, host, key, s.now())
	if err != nil {
		refuseFor(w, 10*time.Second, http.StatusTooManyRequests, err.Error())
		return
	}
	s.log.Info("a wall asks to control this wall, which shows a code", "name", one.Name, "address", one.Address)
	s.deps.ShowPeer(one.Code, one.Name)
	answer(w, http.StatusOK, fields{
		"success": true, "secret": secret, "key": half.Public(), "name": s.deps.Name(), "expires_in": one.Until.Sub(s.now()).Seconds(),
	})
}

// enterAsPeer answers POST /peers/code. If the request contains the code that this wall shows, the key of the requesting wall becomes
// valid.
func (s *Server) enterAsPeer(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Code string `json:"code"`
	}
	if !readObject(w, r, &asked, "'code', the six digits on the wall, as text") {
		return
	}
	d, _, left, err := s.deps.Peers.Enter(bearerToken(r), asked.Code, s.now())
	if err != nil {
		refuseCode(w, left, err)
		s.endPeerCode()
		return
	}
	s.log.Info("a wall may control this wall", "name", d.Name, "address", d.Address)
	s.deps.ShowPeer("", d.Name)
	answer(w, http.StatusOK, fields{"success": true, "id": d.ID, "name": s.deps.Name()})
}

// endPeerCode removes the code from the screen if no wall is waiting.
func (s *Server) endPeerCode() {
	if len(s.deps.Peers.Waiting(s.now())) == 0 {
		s.deps.ShowPeer("", "")
	}
}

// refuseCode sends the error for a rejected code.
func refuseCode(w http.ResponseWriter, left int, err error) {
	switch {
	case errors.Is(err, pairing.ErrWrong):
		answer(w, http.StatusForbidden, fields{"success": false, "error": err.Error(), "left": left})
	case errors.Is(err, pairing.ErrTries):
		refuseFor(w, 30*time.Second, http.StatusTooManyRequests, err.Error())
	case errors.Is(err, pairing.ErrGone):
		refuse(w, http.StatusNotFound, err.Error())
	default:
		refuse(w, http.StatusConflict, err.Error())
	}
}

// peers() answers GET /peers with the walls that may control this wall, and the walls that request this permission. The answer does not
// contain the codes, which only the screen shows.
func (s *Server) peers(w http.ResponseWriter, _ *http.Request) {
	list, waiting := []fields{}, []fields{}
	if s.deps.Peers != nil {
		for _, one := range s.deps.Peers.Waiting(s.now()) {
			waiting = append(waiting, fields{"id": one.ID, "name": one.Name, "address": one.Address, "until": control.Moment(one.Until)})
		}
		for _, d := range s.deps.Peers.Devices() {
			list = append(list, fields{
				"id": d.ID, "name": d.Name, "address": d.Address, "paired_at": control.Moment(d.Paired), "seen_at": control.Moment(d.Seen),
			})
		}
	}
	answer(w, http.StatusOK, fields{"success": true, "peers": list, "waiting": waiting})
}

// removePeer answers DELETE /peers/ID. It revokes the key of a wall.
func (s *Server) removePeer(w http.ResponseWriter, r *http.Request) { s.revoke(w, r, deviceID(r)) }

// leave answers DELETE /peers. It revokes the key of the wall that sends the request.
func (s *Server) leave(w http.ResponseWriter, r *http.Request) {
	if !s.callers.allow(r.RemoteAddr, s.now()) {
		refuseFor(w, time.Second, http.StatusTooManyRequests, "too many requests")
		return
	}
	id, ok := s.peerOf(r)
	if !ok {
		s.challenge(w, r)
		refuse(w, http.StatusUnauthorized, "only the wall with the key gives it up; DELETE /peers/ID revokes it here")
		return
	}
	s.revoke(w, r, id)
}

func (s *Server) revoke(w http.ResponseWriter, r *http.Request, id string) {
	if s.deps.Peers == nil {
		refuse(w, http.StatusNotFound, errNoPeers)
		return
	}
	defer s.endPeerCode()
	switch _, err := s.deps.Peers.Remove(id, s.now()); {
	case errors.Is(err, pairing.ErrUnknown):
		refuse(w, http.StatusNotFound, "there is no such wall")
		return
	case err != nil:
		s.log.Warn("the key of a wall is revoked only until the next start", "reason", err)
	}
	s.log.Info("a wall may not control this wall any more", "by", r.RemoteAddr)
	answer(w, http.StatusOK, fields{"success": true})
}
