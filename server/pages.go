package server

import (
	"net/http"

	"dashboard/control"
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
		s.deps.Streams(view(r)) // if the view has no viewers, this call makes it paint, which also evaluates the rules of its pages
		list = wall.Pages.List(s.now())
	}
	if len(list) == 0 {
		refuse(w, http.StatusNotFound, pages.ErrNone.Error())
		return
	}
	others := []fields{}
	for _, st := range list[1:] {
		others = append(others, fields(control.PageFields(st)))
	}
	f := succeeded(control.PageFields(list[0]))
	f["others"] = others
	answer(w, http.StatusOK, f)
}

// pageNames returns the pages of a view that callers can select.
func (s *Server) pageNames(view string) []string {
	if wall := s.deps.Walls.Wall(view); wall != nil && wall.Pages != nil {
		return wall.Pages.Names()
	}
	return nil
}
