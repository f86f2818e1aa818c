package server

import "net/http"

// asksDigits reports whether a device without permission can ask for it. The wall then shows six digits.
func (s *Server) asksDigits() bool { return s.codes() && !s.deps.Editors.Closed() }

// setDigits answers POST /edit/devices. It sets whether devices without permission can ask for it.
func (s *Server) setDigits(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Digits *bool `json:"digits"`
	}
	switch {
	case !s.codes():
		refuse(w, http.StatusNotFound, errNoCodes)
		return
	case !readObject(w, r, &asked, "'digits', true or false"):
		return
	case asked.Digits == nil:
		refuse(w, http.StatusBadRequest, "'digits' is required: true or false")
		return
	}
	removed, err := s.deps.Editors.Close(!*asked.Digits, s.now())
	if err != nil {
		s.log.Warn("cannot change whether devices can ask to edit", "reason", err)
		refuse(w, http.StatusInternalServerError, "the setting cannot be kept")
		return
	}
	for _, one := range removed {
		s.showCode(one.ID, "", "")
	}
	s.log.Info("a device changed whether other devices can ask to edit", "digits", *asked.Digits, "by", r.RemoteAddr)
	answer(w, http.StatusOK, fields{"success": true, "digits": *asked.Digits})
}
