package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/julienschmidt/httprouter"

	"dashboard/control"
	"dashboard/control/notify"
)

// notices() returns the notifications of a view. If the view does not exist or shows no notifications, it refuses the request.
func (s *Server) notices(w http.ResponseWriter, view string) (control.Notices, bool) {
	wall, ok := s.wall(w, view)
	if !ok {
		return nil, false
	}
	if wall.Notices == nil || !wall.Notices.Any() {
		refuse(w, http.StatusNotFound, notify.ErrNone.Error())
		return nil, false
	}
	return wall.Notices, true
}

// notifiable returns the names of a view's widgets that show notifications.
func (s *Server) notifiable(view string) []string {
	if wall := s.deps.Walls.Wall(view); wall != nil && wall.Notices != nil && wall.Notices.Any() {
		return wall.Notices.Names()
	}
	return nil
}

// notifiableView returns the view that a request names. If the request names no view and the main view shows no notifications,
// notifiableView returns the first view that shows notifications. This view is only preliminary, because the body may name another view.
func (s *Server) notifiableView(r *http.Request) string {
	if name := view(r); name != "" || len(s.notifiable("")) > 0 {
		return name
	}
	for _, name := range s.viewNames() {
		if len(s.notifiable(name)) > 0 {
			return name
		}
	}
	return ""
}

// full() returns the error message for a full queue of notifications.
func full(err error) string {
	if errors.Is(err, notify.ErrHeld) {
		return err.Error()
	}
	return "too many notifications are waiting for this widget"
}

// notifications() answers GET /notify, and GET /notify/ID.
func (s *Server) notifications(w http.ResponseWriter, r *http.Request) {
	n, ok := s.notices(w, view(r))
	if !ok {
		return
	}
	all, id := n.List(), inPath(r, "id")
	if id != "" {
		all = slices.DeleteFunc(all, func(e notify.Entry) bool { return e.ID != id })
		if len(all) == 0 {
			s.refuseVerb(w, view(r), nil, notify.ErrGone)
			return
		}
	}
	answer(w, http.StatusOK, fields{"notifications": all, "widgets": n.Names()})
}

// inPath returns the value of the named part of a request's path. If the path has no part of this name, it returns "".
func inPath(r *http.Request, name string) string {
	return httprouter.ParamsFromContext(r.Context()).ByName(name)
}

// isLocal reports whether a caller is on this machine. The request must come from a loopback address and use a loopback address or
// localhost as the host. No proxy may have forwarded the request.
func isLocal(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	name := hostName(r.Host)
	to, _ := netip.ParseAddr(name) // after an error the address is zero, which is not a loopback address
	forwarded := r.Header.Get("X-Forwarded-For") + r.Header.Get("Forwarded")
	return err == nil && from.Addr().Unmap().IsLoopback() && (name == "localhost" || to.Unmap().IsLoopback()) && forwarded == ""
}

// isJSON reports whether a content type is JSON, including the types of RFC 6839 section 3.1.
func isJSON(header string) bool {
	t, _, err := mime.ParseMediaType(header)
	return err == nil && (t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"))
}

// byteOrderMark is written at the beginning of a text by some programs, such as PowerShell. JSON readers may ignore it (RFC 8259, section
// 8.1).
var byteOrderMark = []byte("\xef\xbb\xbf")

// readBody reads a whole body of at most `most` bytes, without a byte order mark. If this fails, it refuses the request. If the announced
// length is larger, it reads nothing, so that the caller gets no status 100 and does not send the body.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, bool) {
	var body []byte
	err := error(&http.MaxBytesError{Limit: most})
	if r.ContentLength <= most {
		body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body must be at most %d bytes long", most))
		return nil, false
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body did not arrive whole")
		return nil, false
	}
	return bytes.TrimPrefix(body, byteOrderMark), true
}
