package server

import (
	"context"
	"errors"
	"net/http"

	"dashboard/control"
)

// reload answers POST /reload: it waits until the configuration has been taken over, or refused whole.
func (s *Server) reload(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), reloadTime)
	defer cancel()
	did, err := s.deps.Walls.Reload(ctx, by(r))
	switch {
	case errors.Is(err, control.ErrNoReload):
		s.refuseVerb(w, "", err)
	case err != nil:
		refuseFor(w, minRetry, http.StatusServiceUnavailable, err.Error())
	case !did.OK:
		answer(w, http.StatusUnprocessableEntity, fields{"success": false, "error": control.ErrWrong.Error(), "diagnostics": did.Diagnostics})
	default:
		answer(w, http.StatusOK, fields{"success": true, "diagnostics": did.Diagnostics})
	}
}
