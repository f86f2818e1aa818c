package server

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"

	"dashboard/control"
	"dashboard/control/pairing"
)

// errNoPairing is the error if pairing is not possible, because screens need no token or because there is no stream for screens.
const errNoPairing = "screens are not paired here: no server.auth.stream_token is configured, or no stream output"

// pairs() reports whether screens can be paired: there is a stream, and it requires a token.
func (s *Server) pairs(c *Settings) bool {
	return s.deps.Pairing != nil && c.StreamOn && c.StreamToken != nil
}

// paired() returns the screen that has sent a request. ok is false if the request does not have the token of a paired screen.
func (s *Server) paired(r *http.Request) (pairing.Device, bool) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || s.deps.Pairing == nil {
		return pairing.Device{}, false
	}
	return s.deps.Pairing.Known(token, s.now())
}

// asScreen adds the view of a paired screen to its request, unless the request names a view.
func (s *Server) asScreen(r *http.Request, d pairing.Device) *http.Request {
	if d.View == "" || view(r) != "" || !slices.Contains(s.viewNames(), d.View) {
		return r
	}
	q := r.URL.Query()
	q.Set("view", d.View)
	u, next := *r.URL, *r
	u.RawQuery, next.URL = q.Encode(), &u
	return &next
}

// asking wraps a handler that screens without a token may call. It checks the caller's rate, the origin of the page, and whether pairing
// is possible.
func (s *Server) asking(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := s.settings.Load()
		switch {
		case !s.callers.allow(r.RemoteAddr, s.now()):
			refuseFor(w, time.Second, http.StatusTooManyRequests, "too many requests")
		case !ownOrigin(r, c.Names):
			refuse(w, http.StatusForbidden, "a page of another site may not pair screens")
		case !s.pairs(c):
			refuse(w, http.StatusNotFound, errNoPairing)
		default:
			h(w, r)
		}
	}
}

// managing() wraps a handler that manages screens. If there is no control token, it requires the stream token, so that a caller that may
// not see the stream cannot allow screens to see it.
func (s *Server) managing(h http.HandlerFunc) http.HandlerFunc {
	open := s.asking(h)
	return s.control(func(w http.ResponseWriter, r *http.Request) {
		c := s.settings.Load()
		if s.pairs(c) && c.ControlToken == nil && !authorized(r, c.StreamToken) {
			reject(w, "stream")
			return
		}
		open(w, r)
	})
}

// readObject reads a JSON object that has only keys of the struct `into`. If the body is anything else, readObject refuses the request.
func readObject(w http.ResponseWriter, r *http.Request, into any, want string) bool {
	if !isJSON(r.Header.Get("Content-Type")) {
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return false
	}
	body, ok := readBody(w, r, maxBody)
	if !ok {
		return false
	}
	if decodeObject(body, into) != nil {
		refuse(w, http.StatusBadRequest, "the body must be a JSON object: "+want)
		return false
	}
	return true
}

// askToPair answers POST /pair.
func (s *Server) askToPair(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Name string `json:"name"`
	}
	if !readObject(w, r, &asked, "'name', text, the name of the screen") {
		return
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	one, secret, err := s.deps.Pairing.Ask(asked.Name, host, s.now())
	if err != nil {
		refuseFor(w, 10*time.Second, http.StatusTooManyRequests, err.Error())
		return
	}
	s.log.Info("a screen asks to be paired; confirm it on the page", "name", one.Name, "address", one.Address)
	s.asked()
	answer(w, http.StatusOK, fields{"success": true, "code": one.Code, "secret": secret, "expires_in": one.Until.Sub(s.now()).Seconds()})
}

// asked() calls PairingAsked after a change of the waiting requests.
func (s *Server) asked() {
	if s.deps.PairingAsked != nil {
		s.deps.PairingAsked()
	}
}

// collect answers GET /pair with the state of the pairing request whose secret is in the header Authorization. After the confirmation, one
// answer contains the screen's token.
func (s *Server) collect(w http.ResponseWriter, r *http.Request) {
	secret, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		reject(w, "pairing")
		return
	}
	state, token, view, err := s.deps.Pairing.Collect(secret, s.now())
	switch {
	case errors.Is(err, pairing.ErrFull):
		refuse(w, http.StatusConflict, err.Error())
	case err != nil:
		s.log.Warn("a screen cannot be paired", "reason", err)
		refuse(w, http.StatusInternalServerError, "the token cannot be kept")
	case state == pairing.Paired:
		s.log.Info("a screen was paired", "address", r.RemoteAddr)
		answer(w, http.StatusOK, fields{"success": true, "state": state, "token": token, "view": view})
	case state == pairing.Expired:
		answer(w, http.StatusNotFound, fields{"success": false, "state": state, "error": "there is no such request any more"})
	default:
		answer(w, http.StatusOK, fields{"success": true, "state": state})
	}
}

// devices() answers GET /devices.
func (s *Server) devices(w http.ResponseWriter, _ *http.Request) {
	paired, waiting := []fields{}, []fields{}
	for _, d := range s.deps.Pairing.Devices() {
		paired = append(paired, fields{
			"id": d.ID, "name": d.Name, "view": d.View, "address": d.Address, "paired_at": control.Moment(d.Paired), "seen_at": control.Moment(d.Seen)})
	}
	for _, r := range s.deps.Pairing.Waiting(s.now()) {
		waiting = append(waiting, fields{"id": r.ID, "name": r.Name, "address": r.Address, "code": r.Code, "until": control.Moment(r.Until)})
	}
	answer(w, http.StatusOK, fields{"success": true, "devices": paired, "waiting": waiting, "views": s.listedViews()})
}

// knownView reports whether a view exists. If it does not exist, knownView refuses the request.
func (s *Server) knownView(w http.ResponseWriter, name string) bool {
	if name == "" || slices.Contains(s.viewNames(), name) {
		return true
	}
	s.refuseView(w)
	return false
}

// confirm answers POST /devices.
func (s *Server) confirm(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Code *string `json:"code"`
		View string  `json:"view"`
	}
	switch {
	case !readObject(w, r, &asked, "'code', the six digits on the screen, as text, and optionally 'view', the name of one"):
		return
	case asked.Code == nil:
		refuse(w, http.StatusBadRequest, "'code' is required: the six digits on the screen, as text")
		return
	case !s.knownView(w, asked.View):
		return
	}
	one, err := s.deps.Pairing.Confirm(*asked.Code, asked.View, s.now())
	switch {
	case errors.Is(err, pairing.ErrTries):
		refuseFor(w, 30*time.Second, http.StatusTooManyRequests, err.Error())
	case errors.Is(err, pairing.ErrFull):
		refuse(w, http.StatusConflict, err.Error())
	case err != nil:
		refuse(w, http.StatusNotFound, err.Error())
	default:
		s.log.Info("a screen was confirmed", "name", one.Name, "address", one.Address, "by", r.RemoteAddr)
		s.asked()
		answer(w, http.StatusOK, fields{"success": true, "id": one.ID, "name": one.Name})
	}
}

// assign answers POST /devices/ID, which sets the view of a screen.
func (s *Server) assign(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		View *string `json:"view"`
	}
	switch {
	case !readObject(w, r, &asked, "'view', the name of one, or \"\" for the main one"):
		return
	case asked.View == nil:
		refuse(w, http.StatusBadRequest, "'view' is required: the name of one, or \"\" for the main one")
		return
	case !s.knownView(w, *asked.View):
		return
	}
	d, err := s.deps.Pairing.Show(deviceID(r), *asked.View)
	switch {
	case errors.Is(err, pairing.ErrUnknown):
		refuse(w, http.StatusNotFound, err.Error())
	case err != nil:
		refuse(w, http.StatusInternalServerError, err.Error())
	default:
		s.halt() // the screen then connects again and receives the new view
		answer(w, http.StatusOK, fields{"success": true, "id": d.ID, "view": d.View})
	}
}

// remove answers DELETE /devices/ID.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	had, err := s.deps.Pairing.Remove(deviceID(r), s.now())
	switch {
	case errors.Is(err, pairing.ErrUnknown):
		refuse(w, http.StatusNotFound, err.Error())
		return
	case err != nil:
		s.log.Warn("a screen was removed", "reason", err)
	}
	if had {
		s.log.Info("a screen was removed", "by", r.RemoteAddr)
		s.halt()
	}
	s.asked()
	answer(w, http.StatusOK, fields{"success": true})
}

// halt ends all streams. The clients with a valid token connect again.
func (s *Server) halt() {
	for _, name := range s.viewNames() {
		if stream := s.unasked(name); stream != nil {
			_ = stream.Halt() // Halt of a stream never returns an error
		}
	}
}

// deviceID returns the id in the path of a request. It decodes URL escapes such as %20.
func deviceID(r *http.Request) string {
	id := httprouter.ParamsFromContext(r.Context()).ByName("id")
	if plain, err := url.PathUnescape(id); err == nil {
		return plain
	}
	return id
}
