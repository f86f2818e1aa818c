package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Power switches and dims the screens of views; "" is the main one. What is returned is told to the caller as it is; nil says that
// there is no such view.
type Power interface {
	// Power tells how the screens are.
	Power(view string) map[string]any
	// SetPower takes over one of PowerStates, for so long; 0 is until told otherwise.
	SetPower(view, state string, lasts time.Duration) map[string]any
	// SetBrightness takes over a brightness from 0 to 1; below 0 follows the settings again.
	SetBrightness(view string, level float64) map[string]any
}

// PowerStates are the words that POST /power takes.
func PowerStates() []string { return []string{"on", "off", "toggle", "auto"} }

// maxPower bounds for how long a screen may be switched: longer is until told otherwise.
const maxPower = 30 * 24 * time.Hour

// getPower answers GET /power.
func (s *Server) getPower(w http.ResponseWriter, r *http.Request) {
	s.tellPower(w, func(p Power) map[string]any { return p.Power(r.URL.Query().Get("view")) })
}

// tellPower answers with what f returns.
func (s *Server) tellPower(w http.ResponseWriter, f func(Power) map[string]any) {
	if s.deps.Power == nil {
		refuse(w, http.StatusNotFound, "there is no screen to switch")
		return
	}
	st := f(s.deps.Power)
	if st == nil {
		answer(w, http.StatusNotFound, fields{"error": "there is no view of this name", "success": false, "views": s.viewNames()})
		return
	}
	st["success"] = true
	answer(w, http.StatusOK, st)
}

// setPower answers POST /power.
func (s *Server) setPower(w http.ResponseWriter, r *http.Request) {
	var in struct {
		State *string  `json:"state"`
		For   *float64 `json:"for"`
	}
	if !readJSON(w, r, &in) {
		return
	}
	if in.State == nil || !slices.Contains(PowerStates(), *in.State) {
		refuse(w, http.StatusBadRequest, "'state' must be one of: "+strings.Join(PowerStates(), ", "))
		return
	}
	var lasts time.Duration
	if in.For != nil {
		if *in.For <= 0 || *in.For > maxPower.Seconds() || *in.State == "auto" {
			refuse(w, http.StatusBadRequest, fmt.Sprintf("'for' must be seconds above 0, at most %d, and is of on, off and toggle", int(maxPower.Seconds())))
			return
		}
		lasts = max(1, time.Duration(*in.For*float64(time.Second)))
	}
	s.tellPower(w, func(p Power) map[string]any { return p.SetPower(r.URL.Query().Get("view"), *in.State, lasts) })
}

// setBrightness answers POST /brightness.
func (s *Server) setBrightness(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Brightness any `json:"brightness"`
	}
	if !readJSON(w, r, &in) {
		return
	}
	level, ok := brightness(in.Brightness)
	if !ok {
		refuse(w, http.StatusBadRequest, "'brightness' must be a share such as \"40%\" or 0.4, or \"auto\"")
		return
	}
	s.tellPower(w, func(p Power) map[string]any { return p.SetBrightness(r.URL.Query().Get("view"), level) })
}

// brightness reads a share from 0 to 1; auto is below 0.
func brightness(v any) (level float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, v >= 0 && v <= 1
	case string:
		if v == "auto" {
			return -1, true
		}
		bare, cut := strings.CutSuffix(v, "%")
		x, err := strconv.ParseFloat(strings.TrimSpace(bare), 64)
		x /= 100
		return x, cut && err == nil && !math.IsNaN(x) && x >= 0 && x <= 1
	}
	return 0, false
}

// readJSON reads the body of a request, one JSON object with no keys but those of into, or refuses it.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	if !isJSON(r.Header.Get("Content-Type")) {
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return false
	}
	body, ok := readBody(w, r)
	if !ok {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.Decode(&struct{}{}) != io.EOF {
		err = errors.New("there is more than one JSON object")
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "the body must be a JSON object: "+strings.TrimPrefix(err.Error(), "json: "))
		return false
	}
	return true
}
