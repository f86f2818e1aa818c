package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"dashboard/control"
)

// getPower answers GET /power.
func (s *Server) getPower(w http.ResponseWriter, r *http.Request) {
	wall, ok := s.wall(w, view(r))
	switch {
	case !ok:
	case wall.Power == nil:
		refuse(w, http.StatusNotFound, control.ErrNoScreen.Error())
	default:
		answer(w, http.StatusOK, succeeded(control.PowerFields(wall.Power.State())))
	}
}

// decodeObject decodes a JSON object. The object may have only the keys of `into`, and nothing may follow it.
func decodeObject(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF { // Decoder.More does not detect an extra bracket
		return errors.New("there is more than one JSON object")
	}
	return nil
}

// plainJSON describes an error of encoding/json without the names of Go types.
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
