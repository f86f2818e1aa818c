package server

import (
	"math"
	"net/http"
	"time"

	pages "dashboard/control/page"
)

// getPages answers GET /pages.
func (s *Server) getPages(w http.ResponseWriter, r *http.Request) {
	wall, ok := s.wall(w, view(r))
	if !ok {
		return
	}
	var list []pages.Status
	if wall.Pages != nil {
		s.deps.Streams(view(r)) // updates a wall without viewers, and its rules
		list = wall.Pages.List(s.now())
	}
	if len(list) == 0 {
		refuse(w, http.StatusNotFound, pages.ErrNone.Error())
		return
	}
	others := []fields{}
	for _, st := range list[1:] {
		others = append(others, pageFields(st))
	}
	f := pageFields(list[0])
	f["success"], f["others"] = true, others
	answer(w, http.StatusOK, f)
}

// pageFields returns the answer for a widget with pages.
func pageFields(st pages.Status) fields {
	return fields{
		"name": orNull(st.Name), "page": st.Page, "why": st.Why, "rule": orNull(st.Rule), "at": st.At, "since": moment(st.Since), "until": moment(st.Until), "pages": st.Names,
	}
}

// setPage answers POST /page.
func (s *Server) setPage(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r.Header.Get("Content-Type")) {
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	on, what, hold, problem := pageArguments(body)
	if problem != "" {
		refuse(w, http.StatusBadRequest, problem)
		return
	}
	on = viewIn(r, &on)
	st, err := s.deps.Walls.Page(r.Context(), by(r), on, what, hold)
	if err != nil {
		s.refuseVerb(w, on, err)
		return
	}
	f := pageFields(st)
	f["success"] = true
	answer(w, http.StatusOK, f)
}

// pageNames are the pages of a view that can be asked for.
func (s *Server) pageNames(view string) []string {
	if wall := s.deps.Walls.Wall(view); wall != nil && wall.Pages != nil {
		return wall.Pages.Names()
	}
	return nil
}

// pageArguments reads the body of POST /page. problem is "" if it is right.
func pageArguments(body []byte) (on, what string, hold time.Duration, problem string) {
	var asked struct {
		View string   `json:"view"`
		Page *string  `json:"page"`
		Hold *float64 `json:"hold"` // s
	}
	if decodeObject(body, &asked) != nil {
		return "", "", 0, "the body must be a JSON object with 'page', text, and optionally 'hold', seconds, and 'view', text"
	}
	if asked.Page == nil {
		return "", "", 0, "'page' is required: the name of a page, next, previous or auto"
	}
	if asked.Hold != nil {
		if !(*asked.Hold >= 0 && *asked.Hold <= pages.MaxHold.Seconds()) {
			return "", "", 0, pages.ErrHold.Error()
		}
		hold = time.Duration(math.Round(*asked.Hold * float64(time.Second)))
	}
	return asked.View, *asked.Page, hold, ""
}
