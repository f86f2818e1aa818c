package server

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"

	"dashboard/control/notify"
)

// A Notifier takes notifications.
type Notifier interface {
	// Any reports whether any widget takes notifications.
	Any() bool
	// Names lists the widgets that take notifications.
	Names() []string
	// Notify checks the body of a request and queues what it asks for, without waiting for anything; local says that
	// the caller is on this machine. It returns
	// notify.ErrNone, notify.ErrUnknown or notify.ErrFull; the text of any other error is for the caller.
	// The id is that of the request; "" if it has none.
	Notify(ctx context.Context, body []byte, local bool) (id string, err error)
	// List tells of all notifications that wait or show.
	List() []notify.Entry
	// Delete ends the notifications with an id, or all if it is empty, of a widget, or of all if its name is empty, and
	// returns how many there were. It returns notify.ErrNone, notify.ErrUnknown, or notify.ErrGone for an id that none has.
	Delete(id, widget string) (int, error)
}

// noWidget is the answer when nothing can be notified.
const noWidget = "no widget in the current theme's tree can be notified"

// notify answers POST /notify.
func (s *Server) notify(w http.ResponseWriter, r *http.Request) {
	n := s.deps.Notifier
	switch {
	case n == nil || !n.Any():
		refuse(w, http.StatusNotFound, noWidget)
		return
	case !isJSON(r.Header.Get("Content-Type")):
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	id, err := n.Notify(r.Context(), body, isLocal(r))
	s.stats.notified(err)
	switch {
	case err == nil && id != "":
		answer(w, http.StatusOK, fields{"success": true, "id": id})
	case err == nil:
		answer(w, http.StatusOK, fields{"success": true})
	default:
		refuseNotice(w, n, err)
	}
}

// refuseNotice answers what cannot be done with notifications.
func refuseNotice(w http.ResponseWriter, n Notifier, err error) {
	switch {
	case errors.Is(err, notify.ErrNone):
		refuse(w, http.StatusNotFound, noWidget)
	case errors.Is(err, notify.ErrUnknown):
		answer(w, http.StatusBadRequest, fields{"error": "Widget not found", "success": false, "widgets": n.Names()})
	case errors.Is(err, notify.ErrFull):
		refuseFor(w, 5*time.Second, http.StatusTooManyRequests, full(err))
	case errors.Is(err, notify.ErrGone):
		refuse(w, http.StatusNotFound, err.Error())
	default:
		refuse(w, http.StatusBadRequest, strings.TrimPrefix(err.Error(), "notify: "))
	}
}

// full says which queue is full.
func full(err error) string {
	if errors.Is(err, notify.ErrHeld) {
		return err.Error()
	}
	return "too many notifications are waiting for this widget"
}

// notifications answers GET /notify, and GET /notify/ID with those of that id.
func (s *Server) notifications(w http.ResponseWriter, r *http.Request) {
	n := s.deps.Notifier
	if n == nil || !n.Any() {
		refuse(w, http.StatusNotFound, noWidget)
		return
	}
	all, id := n.List(), noticeID(r)
	if id != "" {
		all = slices.DeleteFunc(all, func(e notify.Entry) bool { return e.ID != id })
		if len(all) == 0 {
			refuseNotice(w, n, notify.ErrGone)
			return
		}
	}
	answer(w, http.StatusOK, fields{"notifications": all, "widgets": n.Names()})
}

// dismiss answers DELETE /notify, of a widget with ?widget=NAME, and DELETE /notify/ID.
func (s *Server) dismiss(w http.ResponseWriter, r *http.Request) {
	n := s.deps.Notifier
	if n == nil || !n.Any() {
		refuse(w, http.StatusNotFound, noWidget)
		return
	}
	count, err := n.Delete(noticeID(r), r.URL.Query().Get("widget"))
	if err != nil {
		refuseNotice(w, n, err)
		return
	}
	answer(w, http.StatusOK, fields{"success": true, "deleted": count})
}

// noticeID is the id in the path of a request; "" if it has none.
func noticeID(r *http.Request) string { return httprouter.ParamsFromContext(r.Context()).ByName("id") }

// isLocal reports whether a caller is on this machine, rather than behind a proxy on it: it names this machine by an
// address or name that leads nowhere else.
func isLocal(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	name := hostName(r.Host)
	to, _ := netip.ParseAddr(name) // the zero one is no loopback
	forwarded := r.Header.Get("X-Forwarded-For") + r.Header.Get("Forwarded")
	return err == nil && from.Addr().Unmap().IsLoopback() && (name == "localhost" || to.Unmap().IsLoopback()) && forwarded == ""
}

// isJSON reports whether a content type is JSON, RFC 6839 section 3.1 included.
func isJSON(header string) bool {
	t, _, err := mime.ParseMediaType(header)
	return err == nil && (t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"))
}

// readBody reads the whole body, or refuses the request.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, "the body must be at most 65536 bytes long")
		return nil, false
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body did not arrive whole")
		return nil, false
	}
	return body, true
}
