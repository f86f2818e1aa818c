package server

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"dashboard/output/trmnl"

	"github.com/julienschmidt/httprouter"
)

// errNoReaders is the error if there is no output for e-readers.
const errNoReaders = "no trmnl output is configured"

// reading() wraps a handler for e-readers. It checks the caller's rate, and whether there is an output for e-readers. It does not check
// the wall's tokens, because each device has its own token.
func (s *Server) reading(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.callers.allow(r.RemoteAddr, s.now()):
			refuseFor(w, time.Second, http.StatusTooManyRequests, "too many requests")
		case s.deps.Readers == nil || !s.deps.Readers.On():
			refuse(w, http.StatusNotFound, errNoReaders)
		default:
			h(w, r)
		}
	}
}

// refuseReader refuses a device. The body contains the status too, because the devices read the status from the body.
func refuseReader(w http.ResponseWriter, err error) {
	status := http.StatusNotFound
	switch {
	case errors.Is(err, trmnl.ErrNoID):
		status = http.StatusBadRequest
	case errors.Is(err, trmnl.ErrFull), errors.Is(err, trmnl.ErrWritten):
		status = http.StatusForbidden
	}
	answer(w, status, fields{"status": status, "error": err.Error(), "message": err.Error(), "success": false})
}

// base returns the address at which the caller has reached this server.
func base(r *http.Request) string {
	scheme, host := "http://", r.Host
	if r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https://"
	}
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && host == "" {
		host = at.String()
	}
	return scheme + host
}

// pictureURL returns the address of a device's picture. The address is secret, so the request needs no token.
func pictureURL(r *http.Request, p trmnl.Picture) string {
	return base(r) + "/trmnl/" + p.Secret + "/" + p.Name + ending(p)
}

// ending() returns the extension of a picture's file.
func ending(p trmnl.Picture) string {
	if p.Type == "image/bmp" {
		return ".bmp"
	}
	return ".png"
}

// setUp answers GET /api/setup. After a reset, a device requests its token here.
func (s *Server) setUp(w http.ResponseWriter, r *http.Request) {
	said := trmnl.Hear(r.Header)
	token, name, err := s.deps.Readers.Setup(said)
	if err != nil {
		refuseReader(w, err)
		return
	}
	said.Token = token
	address, message := "", "This is "+name+". It shows the wall from now on."
	switch t, err := s.deps.Readers.Show(r.Context(), said, s.now()); {
	case err == nil:
		address = pictureURL(r, t.Picture)
		s.note("an e-reader was set up", "name", name, "address", r.RemoteAddr)
	case errors.Is(err, trmnl.ErrWaits):
		message = "This is " + name + ". Allow it on the page of the wall."
	}
	answer(w, http.StatusOK, fields{
		"status": http.StatusOK, "api_key": token, "friendly_id": name, "image_url": address, "filename": "empty_state",
		"message": message,
	})
}

// show() answers GET /api/display and /api/current_screen with the picture of a device, and the time of its next request.
func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	t, err := s.deps.Readers.Show(r.Context(), trmnl.Hear(r.Header), s.now())
	switch {
	case errors.Is(err, trmnl.ErrToken):
		refuseReader(w, err)
	// The device is not allowed yet. Its firmware shows the device's name and soon sends the request again.
	case errors.Is(err, trmnl.ErrWaits):
		answer(w, http.StatusOK, fields{
			"status": http.StatusAccepted, "image_url": nil, "filename": "empty_state", "refresh_rate": int(trmnl.MinRefresh.Seconds()),
			"reset_firmware": false, "update_firmware": false, "firmware_url": nil, "message": err.Error(),
		})
	case r.Context().Err() != nil: // the caller has disconnected
	case err != nil:
		s.warn("cannot paint a picture for an e-reader", "reason", err)
		refuseFor(w, time.Minute, http.StatusServiceUnavailable, "the wall cannot be painted now")
	default:
		answer(w, http.StatusOK, fields{
			"status": 0, "image_url": pictureURL(r, t.Picture), "filename": t.Picture.Name, "refresh_rate": t.Refresh,
			"reset_firmware": false, "update_firmware": false, "firmware_url": nil, "special_function": "sleep",
			"image_url_timeout": 0, "maximum_compatibility": t.Full, "temperature_profile": t.Profile, "touchbar_mode": "tap",
		})
	}
}

// readerPicture answers GET /trmnl/SECRET/NAME with a device's picture.
func (s *Server) readerPicture(w http.ResponseWriter, r *http.Request) {
	p := httprouter.ParamsFromContext(r.Context())
	name, end := p.ByName("name"), ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name, end = name[:i], name[i:]
	}
	pic, ok := s.deps.Readers.Fetch(p.ByName("secret"), name)
	if !ok || end != ending(pic) {
		refuse(w, http.StatusNotFound, "this picture has expired; request /api/display for the newest")
		return
	}
	h := w.Header()
	h.Set("Content-Type", pic.Type)
	h.Set("Content-Length", strconv.Itoa(len(pic.File)))
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		w.Write(pic.File)
	}
}

// readerLog answers POST /api/log, with which a device sends its log.
func (s *Server) readerLog(w http.ResponseWriter, r *http.Request) {
	d, err := s.deps.Readers.Known(trmnl.Hear(r.Header))
	if err != nil {
		refuseReader(w, err)
		return
	}
	body, ok := readBody(w, r, maxBody)
	if !ok {
		return
	}
	lines, ok := logLines(body)
	if !ok {
		refuse(w, http.StatusBadRequest, `the body must be a JSON object: "logs", a list`)
		return
	}
	s.deps.Readers.Hear(d, lines)
	w.WriteHeader(http.StatusNoContent)
}

// logLines returns the entries of a device's log, each as one line. Older firmware sends the list inside of an object.
func logLines(body []byte) (lines []string, ok bool) {
	var report struct {
		Logs []json.RawMessage `json:"logs"`
		Log  struct {
			Lines []json.RawMessage `json:"logs_array"`
		} `json:"log"`
	}
	if json.Unmarshal(body, &report) != nil || report.Logs == nil && report.Log.Lines == nil {
		return nil, false
	}
	for _, entry := range append(report.Logs, report.Log.Lines...) {
		var text string
		if len(lines) == trmnl.MaxLines {
			break
		}
		if json.Unmarshal(entry, &text) != nil {
			text = string(entry)
		}
		lines = append(lines, text)
	}
	return lines, true
}
