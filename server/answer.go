package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"dashboard/control"
)

// fields is a JSON object. encoding/json sorts its keys.
type fields map[string]any

// encode encodes v as JSON in the form that all answers have. The JSON is compact, has sorted keys and only the necessary escapes, and
// ends with a newline.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// answer sends a JSON object.
func answer(w http.ResponseWriter, status int, v fields) {
	body, err := encode(v)
	if err != nil { // this happens for example if the report contains NaN
		status = http.StatusInternalServerError
		body = []byte(`{"error":"the answer cannot be encoded","success":false}` + "\n")
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body) // ignore the error, because the caller has disconnected
}

// succeeded() returns the JSON object of a successful answer, which includes the fields of a result.
func succeeded(r control.Result) fields {
	f := fields(r)
	f["success"] = true
	return f
}

// refuse sends an error.
func refuse(w http.ResponseWriter, status int, text string) {
	answer(w, status, fields{"error": text, "success": false})
}

// refuseFor sends a temporary error. `wait` is the time after which the caller may try again (RFC 9110, section 10.2.3).
func refuseFor(w http.ResponseWriter, wait time.Duration, status int, text string) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
	refuse(w, status, text)
}
