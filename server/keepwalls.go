package server

import (
	"errors"
	"net/http"

	"dashboard/control"
	"dashboard/control/fleet"

	"github.com/julienschmidt/httprouter"
)

// wallKey answers POST /walls/ID. It stores the control token of a wall.
func (s *Server) wallKey(w http.ResponseWriter, r *http.Request) {
	f, ok := s.fleetOf(w)
	if !ok {
		return
	}
	var asked struct {
		Token *string `json:"token"`
	}
	if !readObject(w, r, &asked, "'token', text") {
		return
	}
	if asked.Token == nil {
		refuse(w, http.StatusBadRequest, "token is required; \"\" removes it")
		return
	}
	s.kept(w, f.Keep(wallID(r), *asked.Token))
}

// wallID returns the id of a wall in the path.
func wallID(r *http.Request) string { return httprouter.ParamsFromContext(r.Context()).ByName("id") }

// kept() sends the answer to a request that changes the stored walls.
func (s *Server) kept(w http.ResponseWriter, err error) {
	var refused *fleet.Refusal
	switch {
	case errors.As(err, &refused):
		// The status is 409, because 401 and 403 would mean that the token for this wall is wrong.
		answer(w, http.StatusConflict, fields{"success": false, "error": refused.Reason, "left": refused.Left})
	case errors.Is(err, fleet.ErrUnknown), errors.Is(err, fleet.ErrNoAsk):
		refuse(w, http.StatusNotFound, err.Error())
	case errors.Is(err, fleet.ErrKey), errors.Is(err, fleet.ErrAddress):
		refuse(w, http.StatusBadRequest, err.Error())
	case errors.Is(err, fleet.ErrMany), errors.Is(err, fleet.ErrFull):
		refuse(w, http.StatusConflict, err.Error())
	case errors.Is(err, fleet.ErrNoAnswer), errors.Is(err, fleet.ErrForeign):
		refuse(w, http.StatusBadGateway, err.Error())
	case err != nil:
		s.log.Warn("the list of walls is not stored for the next start", "error", err)
		fallthrough
	default:
		answer(w, http.StatusOK, fields{"success": true})
	}
}

// addWall answers PUT /walls. It adds the wall with the given address to the page of all walls.
func (s *Server) addWall(w http.ResponseWriter, r *http.Request) {
	f, ok := s.fleetOf(w)
	var asked struct {
		URL string `json:"url"`
	}
	if !ok || !readObject(w, r, &asked, "'url', the address of a wall, such as http://hall.local:5000") {
		return
	}
	id, err := f.Add(asked.URL)
	if id == "" {
		s.kept(w, err)
		return
	}
	if err != nil {
		s.log.Warn("the list of walls is not stored for the next start", "error", err)
	}
	answer(w, http.StatusOK, fields{"success": true, "id": id})
}

// askWall answers POST /walls/ID/ask. The other wall then shows a code.
func (s *Server) askWall(w http.ResponseWriter, r *http.Request) {
	f, ok := s.fleetOf(w)
	if !ok {
		return
	}
	until, err := f.Ask(r.Context(), wallID(r))
	if err != nil {
		s.kept(w, err)
		return
	}
	answer(w, http.StatusOK, fields{"success": true, "until": control.Moment(until)})
}

// enterWall answers POST /walls/ID/code. The code that the other wall shows pairs both walls.
func (s *Server) enterWall(w http.ResponseWriter, r *http.Request) {
	f, ok := s.fleetOf(w)
	var asked struct {
		Code string `json:"code"`
	}
	if ok && readObject(w, r, &asked, "'code', the six digits on the other wall, as text") {
		s.kept(w, f.Enter(r.Context(), wallID(r), asked.Code))
	}
}

// forgetWall answers DELETE /walls/ID. It removes the key or the token of a wall. If the other wall answers, the other wall removes this
// wall's key too.
func (s *Server) forgetWall(w http.ResponseWriter, r *http.Request) {
	if f, ok := s.fleetOf(w); ok {
		s.kept(w, f.Forget(r.Context(), wallID(r)))
	}
}
