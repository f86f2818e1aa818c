package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"dashboard/control"
	"dashboard/control/power"
)

// getPower answers GET /power.
func (s *Server) getPower(w http.ResponseWriter, r *http.Request) {
	wall, ok := s.wall(w, view(r))
	switch {
	case !ok:
	case wall.Power == nil:
		refuse(w, http.StatusNotFound, control.ErrNoScreen.Error())
	default:
		answer(w, http.StatusOK, PowerFields(wall.Power.State()))
	}
}

// tellPower answers how screens are after a verb.
func (s *Server) tellPower(w http.ResponseWriter, view string, st power.State, err error) {
	if err != nil {
		s.refuseVerb(w, view, err)
		return
	}
	answer(w, http.StatusOK, PowerFields(st))
}

// PowerFields returns a state for callers. Screens are in their state after the last switching.
func PowerFields(st power.State) map[string]any {
	screens := []any{}
	for _, r := range st.Screens {
		screens = append(screens, fields{"screen": r.Screen, "backend": orNull(r.Backend), "dimmer": orNull(r.Dimmer), "problem": orNull(r.Problem)})
	}
	f := fields{"success": true, "on": st.On, "why": st.Why, "hand": st.Hand.String(), "hand_until": nil, "brightness": nil, "screens": screens}
	if !st.HandUntil.IsZero() {
		f["hand_until"] = st.HandUntil.UTC().Format(time.RFC3339)
	}
	if st.Level >= 0 {
		f["brightness"] = st.Level
	}
	return f
}

// setPower answers POST /power.
func (s *Server) setPower(w http.ResponseWriter, r *http.Request) {
	var in struct {
		View  *string  `json:"view"`
		State *string  `json:"state"`
		For   *float64 `json:"for"`
	}
	if !readJSON(w, r, &in) {
		return
	}
	var state string
	if in.State != nil {
		state = *in.State
	}
	lasts, ok := seconds(in.For)
	if !ok && slices.Contains(control.PowerStates(), state) {
		refuse(w, http.StatusBadRequest, control.ErrFor.Error())
		return
	}
	on := viewIn(r, in.View)
	st, err := s.deps.Walls.Power(r.Context(), by(r), on, state, lasts)
	s.tellPower(w, on, st, err)
}

// seconds is a time above 0 that may be missing, which is 0.
func seconds(s *float64) (d time.Duration, ok bool) {
	if s == nil {
		return 0, true
	}
	const most = 366 * 24 * 3600 // beyond which no time is sensible
	return max(1, time.Duration(min(*s, most)*float64(time.Second))), *s > 0
}

// setBrightness answers POST /brightness.
func (s *Server) setBrightness(w http.ResponseWriter, r *http.Request) {
	var in struct {
		View       *string `json:"view"`
		Brightness any     `json:"brightness"`
	}
	if !readJSON(w, r, &in) {
		return
	}
	level, ok := control.Share(in.Brightness)
	if !ok {
		refuse(w, http.StatusBadRequest, control.ErrBrightness.Error())
		return
	}
	on := viewIn(r, in.View)
	st, err := s.deps.Walls.Brightness(r.Context(), by(r), on, level)
	s.tellPower(w, on, st, err)
}

// identify answers POST /identify. The body is optional.
func (s *Server) identify(w http.ResponseWriter, r *http.Request) {
	var in struct {
		View *string  `json:"view"`
		For  *float64 `json:"for"` // s
	}
	if r.ContentLength != 0 && !readJSON(w, r, &in) {
		return
	}
	lasts, ok := seconds(in.For)
	if !ok {
		refuse(w, http.StatusBadRequest, control.ErrIdentify.Error())
		return
	}
	on := viewIn(r, in.View)
	if err := s.deps.Walls.Identify(r.Context(), by(r), on, lasts); err != nil {
		s.refuseVerb(w, on, err)
		return
	}
	answer(w, http.StatusOK, fields{"success": true})
}

// readJSON reads a JSON object with only the keys of into, or refuses the request.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	if !isJSON(r.Header.Get("Content-Type")) {
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return false
	}
	body, ok := readBody(w, r)
	if !ok {
		return false
	}
	if err := decodeObject(body, into); err != nil {
		refuse(w, http.StatusBadRequest, "the body must be a JSON object: "+plainJSON(err))
		return false
	}
	return true
}

// decodeObject decodes a JSON object with only the keys of into and nothing after it.
func decodeObject(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF { // Decoder.More takes a bracket too many for the end
		return errors.New("there is more than one JSON object")
	}
	return nil
}

// plainJSON describes a problem of a body in plain words, because encoding/json names Go types.
func plainJSON(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return "'" + kind.Field + "' is of the wrong kind, or out of range: " + kind.Value
	case errors.As(err, &kind):
		return "this is another kind of value: " + kind.Value
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too soon"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
