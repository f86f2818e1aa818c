package server

import "net/http"

// source answers GET /source with the origin of the wall's files.
func (s *Server) source(w http.ResponseWriter, _ *http.Request) {
	var report fields
	if s.deps.Source != nil {
		report = s.deps.Source()
	}
	if report == nil {
		refuse(w, http.StatusNotFound, "the files of this wall are in its own folder: conf.yaml has no config_url")
		return
	}
	report["success"] = true
	answer(w, http.StatusOK, report)
}
