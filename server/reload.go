package server

import (
	"context"
	"net/http"
)

// A Reloading is what came of reading the configuration again.
type Reloading struct {
	OK          bool
	Diagnostics any // a list, as JSON: what is wrong and what is odd, each with its file, line and column
}

// reload answers POST /reload: it waits until the configuration has been taken over, or refused whole.
func (s *Server) reload(w http.ResponseWriter, r *http.Request) {
	if s.deps.Reload == nil {
		refuse(w, http.StatusNotFound, "there is nothing here")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), reloadTime)
	defer cancel()
	did, err := s.deps.Reload(ctx)
	switch {
	case err != nil:
		refuseFor(w, minRetry, http.StatusServiceUnavailable, err.Error())
	case !did.OK:
		answer(w, http.StatusUnprocessableEntity, fields{"success": false, "error": "the configuration is wrong; the dashboard goes on as it was", "diagnostics": did.Diagnostics})
	default:
		answer(w, http.StatusOK, fields{"success": true, "diagnostics": did.Diagnostics})
	}
}
