package server

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"dashboard/control"
	"dashboard/control/fleet"
)

// wallsPage answers GET /walls. A browser receives the page, and other callers receive the walls as JSON.
func (s *Server) wallsPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept, Authorization")
	if accepts(r, "text/html") {
		s.assets.serve(w, r, "walls.html")
		return
	}
	s.control(s.walls)(w, r)
}

// fleetOf returns the fleet. If the page of all walls is off, it refuses the request.
func (s *Server) fleetOf(w http.ResponseWriter) (*fleet.Fleet, bool) {
	if s.deps.Fleet == nil {
		refuse(w, http.StatusNotFound, "this wall does not follow other walls")
		return nil, false
	}
	return s.deps.Fleet, true
}

// walls() answers with all walls. Walls that do not answer come first.
func (s *Server) walls(w http.ResponseWriter, _ *http.Request) {
	f, ok := s.fleetOf(w)
	if !ok {
		return
	}
	now, list := s.now(), []fields{}
	for _, one := range f.Look() {
		list = append(list, fields{
			"id": one.ID, "name": one.Name, "url": one.URL, "version": control.OrNull(one.Version),
			"listed": one.Listed, "keyed": one.Keyed, "paired": one.Paired, "locked": one.Locked,
			"silent": one.Silent, "restarting": one.Restarting, "stale": one.Stale, "added": one.Added,
			"update": updateOf(one.Updating), "readers": readersOf(one.Readers, now),
			"problem": control.OrNull(one.Problem), "picture": control.OrNull(one.Picture),
			"seconds_since_answer": ageOf(now, one.Answered), "seconds_since_picture": ageOf(now, one.Painted),
		})
	}
	answer(w, http.StatusOK, fields{"success": true, "walls": list})
}

// updateOf describes the running update of a wall. If there is no update, it returns nil.
func updateOf(u *fleet.Update) any {
	if u == nil {
		return nil
	}
	return fields{"to": u.To, "percent": u.Percent}
}

// readersOf describes the e-readers of a wall.
func readersOf(all []fleet.Reader, now time.Time) []fields {
	list := []fields{}
	for i := range all {
		r := &all[i]
		list = append(list, fields{
			"name": r.Name, "seconds_since_picture": ageOf(now, r.Seen), "silent": r.Silent(now),
			"battery": r.Battery, "low": r.Low(), "charging": r.Charging,
		})
	}
	return list
}

// ageOf returns the time since `at` in whole seconds. If `at` is zero, it returns nil.
func ageOf(now, at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return max(0, int64(now.Sub(at)/time.Second))
}

// wallPicture answers GET /walls/ID/picture.
func (s *Server) wallPicture(w http.ResponseWriter, r *http.Request) {
	f, ok := s.fleetOf(w)
	if !ok {
		return
	}
	picture, kind, ok := f.Picture(wallID(r))
	if !ok {
		refuse(w, http.StatusNotFound, "there is no picture of this wall")
		return
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(picture)))
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		w.Write(picture)
	}
}

// A fleetAction describes a request that is sent to several walls. `key` is the name of the action's value in the request's body, or ""
// if the action has no value. `fixed` is the value if the caller does not send one.
type fleetAction struct{ method, path, key, fixed string }

// noticeID is the id of a message to several walls. All such messages have the same id, so a newer message replaces an older one.
const noticeID = "walls"

// fleetActions are the actions of the page of all walls.
var fleetActions = map[string]fleetAction{
	"message": {"POST", "/notify", "text", ""}, "take_back": {"DELETE", "/notify/" + noticeID, "", ""}, "page": {"POST", "/page", "page", ""},
	"theme": {"POST", "/theme", "mode", ""}, "power": {"POST", "/power", "state", ""},
	"reload": {"POST", "/reload", "", ""}, "identify": {"POST", "/identify", "", ""}, "update": {"POST", "/update", "action", "install"},
}

// messageSeconds is the time for which a message to several walls is shown.
const messageSeconds = 300

// onWalls answers POST /walls. It runs an action on several walls.
func (s *Server) onWalls(w http.ResponseWriter, r *http.Request) {
	f, ok := s.fleetOf(w)
	if !ok {
		return
	}
	var asked struct {
		Walls  []string `json:"walls"`
		Action string   `json:"action"`
		Value  string   `json:"value"`
	}
	if !readObject(w, r, &asked, "'walls', a list of ids, 'action' and 'value', texts") {
		return
	}
	action, known := fleetActions[asked.Action]
	ids := distinct(asked.Walls)
	switch {
	case !known:
		refuse(w, http.StatusBadRequest, "action must be message, take_back, page, theme, power, reload, identify or update")
		return
	case len(ids) == 0 || len(ids) > fleet.MaxWalls:
		refuse(w, http.StatusBadRequest, fmt.Sprintf("walls must have 1 to %d ids", fleet.MaxWalls))
		return
	case (action.key != "" && action.fixed == "") != (asked.Value != ""):
		refuse(w, http.StatusBadRequest, "message, page, theme and power need a value, the other actions have none")
		return
	}
	results, err := f.Do(r.Context(), ids, action.method, action.path, action.body(cmp.Or(asked.Value, action.fixed)))
	if err != nil {
		refuse(w, http.StatusNotFound, err.Error())
		return
	}
	list := []fields{}
	for _, one := range results {
		list = append(list, fields{
			"id": one.ID, "name": one.Name, "success": one.OK, "error": control.OrNull(one.Reason), "at": control.Moment(one.At),
		})
	}
	s.log.Info("on several walls", "action", asked.Action, "walls", len(ids), "from", r.RemoteAddr)
	answer(w, http.StatusOK, fields{"success": true, "results": list})
}

// distinct() returns a list without duplicates, in the same order.
func distinct(list []string) (all []string) {
	for _, s := range list[:min(len(list), 2*fleet.MaxWalls)] {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// body returns the body of the request to each wall.
func (a fleetAction) body(value string) []byte {
	f := fields{}
	if a.key != "" {
		f[a.key] = value
	}
	if a.path == "/notify" {
		f["id"], f["duration"] = noticeID, messageSeconds
	}
	body, err := encode(f)
	if err != nil { // a text can always be encoded
		return []byte("{}")
	}
	return body
}
