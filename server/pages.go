package server

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	pages "dashboard/control/page"
)

// Pages are those of the views.
type Pages interface {
	// Pages is what the widgets with pages of a view show, the outermost first; "" is the main view. ok is false if there is no
	// such view.
	Pages(view string) (list []pages.Status, ok bool)
	// ShowPage has a view show a page for a time, as pages.Pages.Show does.
	ShowPage(ctx context.Context, view, what string, hold time.Duration) (pages.Status, error)
}

// pagesOf are the pages of the view that a request names. It refuses the request if there are none.
func (s *Server) pagesOf(w http.ResponseWriter, r *http.Request) (view string, list []pages.Status, ok bool) {
	view = r.URL.Query().Get("view")
	if view != "" && !slices.Contains(s.viewNames(), view) {
		s.refuseView(w)
		return "", nil, false
	}
	if s.deps.Pages != nil {
		if list, ok = s.deps.Pages.Pages(view); !ok { // a reload took it away
			s.refuseView(w)
			return "", nil, false
		}
	}
	if len(list) == 0 {
		refuse(w, http.StatusNotFound, pages.ErrNone.Error())
		return "", nil, false
	}
	return view, list, true
}

// getPages answers GET /pages.
func (s *Server) getPages(w http.ResponseWriter, r *http.Request) {
	_, list, ok := s.pagesOf(w, r)
	if !ok {
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

// pageFields is what a widget with pages shows, as it is answered.
func pageFields(st pages.Status) fields {
	return fields{
		"name": orNull(st.Name), "page": st.Page, "why": st.Why, "at": st.At, "since": moment(st.Since), "until": moment(st.Until), "pages": st.Names,
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
	what, hold, problem := pageArguments(body)
	if problem != "" {
		refuse(w, http.StatusBadRequest, problem)
		return
	}
	view, list, ok := s.pagesOf(w, r)
	if !ok {
		return
	}
	st, err := s.deps.Pages.ShowPage(r.Context(), view, what, hold)
	switch {
	case errors.Is(err, pages.ErrUnknown):
		answer(w, http.StatusNotFound, fields{"error": err.Error(), "success": false, "pages": pageNames(list)})
	case errors.Is(err, pages.ErrNone):
		refuse(w, http.StatusNotFound, err.Error())
	case errors.Is(err, pages.ErrAlone):
		refuse(w, http.StatusConflict, err.Error())
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
	default:
		f := pageFields(st)
		f["success"] = true
		answer(w, http.StatusOK, f)
	}
}

func pageNames(list []pages.Status) (all []string) {
	for _, st := range list {
		all = append(all, st.Names...)
	}
	return all
}

// pageArguments reads the body of POST /page. The problem is "" when there is none.
func pageArguments(body []byte) (what string, hold time.Duration, problem string) {
	var asked struct {
		Page *string  `json:"page"`
		Hold *float64 `json:"hold"` // s
	}
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.DisallowUnknownFields()
	if err := d.Decode(&asked); err != nil || d.More() {
		return "", 0, "the body must be a JSON object with 'page', text, and perhaps 'hold', seconds"
	}
	if asked.Page == nil {
		return "", 0, "'page' is required: the name of a page, next, previous or auto"
	}
	if asked.Hold != nil {
		if !(*asked.Hold >= 0 && *asked.Hold <= pages.MaxHold.Seconds()) {
			return "", 0, pages.ErrHold.Error()
		}
		hold = time.Duration(math.Round(*asked.Hold * float64(time.Second)))
	}
	return *asked.Page, hold, ""
}
