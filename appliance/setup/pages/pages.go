// Package pages serves the pages of the set-up to a phone. It redirects every request of a phone in the access point to these pages.
package pages

import (
	"crypto/subtle"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"dashboard/appliance/setup/flow"
)

//go:embed page.html style.css page.js icons.svg
var files embed.FS

var page = template.Must(template.ParseFS(files, "page.html"))

const (
	maxForm = 8 << 10 // maximum size of a form, in bytes. A form has a name, a password and a place
	// wrongPause delays the answer to a wrong token. maxWrong is the maximum number of callers that
	// wait for this answer. With these limits, guessing a token of 40 bits takes too long.
	wrongPause = time.Second
	maxWrong   = 4
)

// A Server serves the pages to phones. The server holds Lock while it uses Machine.
type Server struct {
	Lock    sync.Locker
	Machine *flow.Machine
	Place   func() flow.Place // called while Lock is held
	Point   netip.Prefix      // prefix of the access point's network
	Tables  Tables
	Gallery fs.FS         // folder that contains a folder with wall.png for each wall
	Host    func() string // returns the name of the board, without .local
	// Problem returns the first error in the files of the wall, with its position, or "". If the board has no wall, the field is nil.
	Problem func() string
	Pause   func(time.Duration) // pause function, or nil for time.Sleep

	waits chan struct{}
	once  sync.Once
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'")
	from := caller(r)
	s.Lock.Lock()
	place := s.Place()
	guest := s.guest(from)
	if guest {
		s.Machine.Addressed()
	}
	s.Lock.Unlock()
	token, rest, _ := strings.Cut(strings.TrimPrefix(path.Clean(r.URL.Path), "/"), "/")
	switch {
	case same(token, place.Token):
		s.known(w, r, from, "/"+token, rest)
	case guest:
		// A phone in the access point knows the access point's password from the wall, which shows the token next to it. So the phone may
		// receive the token. Each kind of phone requests a different address to test for internet access. If the answer is a redirect,
		// the phone shows the sign-in page of the network.
		http.Redirect(w, r, "http://"+place.Address+"/"+place.Token, http.StatusFound)
	case isStatic(token) && rest == "": // for the page that requests the token
		http.ServeFileFS(w, r, files, token)
	case r.Method == http.MethodPost && r.URL.Path == "/":
		s.ask(w, r, place)
	case r.URL.Path == "/":
		s.render(w, s.asked(r))
	default:
		s.refuse(w, nil)
	}
}

// isStatic reports whether a page uses the file with this name. These files contain no secrets.
func isStatic(name string) bool {
	return name == "style.css" || name == "page.js" || name == "icons.svg"
}

// guest reports whether a phone is in the access point. If the access point is closed, a phone with such an address is in a home network
// that uses the same addresses. Lock is held.
func (s *Server) guest(from netip.Addr) bool { return s.Machine.Open() && s.Point.Contains(from) }

// caller returns the address of the phone.
func caller(r *http.Request) netip.Addr {
	host, _, _ := net.SplitHostPort(r.RemoteAddr) // the HTTP server sets a valid address
	addr, _ := netip.ParseAddr(host)
	return addr.Unmap()
}

// same() compares tokens. It ignores case and the gap between the two groups.
func same(got, want string) bool {
	got = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(got))
	return want != "" && subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}

// ask handles the form in which a person has typed the token.
func (s *Server) ask(w http.ResponseWriter, r *http.Request, place flow.Place) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if r.ContentLength <= maxForm && same(r.PostFormValue("code"), place.Token) {
		http.Redirect(w, r, "/"+place.Token, http.StatusSeeOther)
		return
	}
	m := s.asked(r)
	m.Error = "code.wrong"
	s.refuse(w, m)
}

// refuse answers a wrong token after wrongPause. If maxWrong requests are already waiting, refuse answers at once with an error. If m is not
// nil, a person has typed the token, and the answer is the page m.
func (s *Server) refuse(w http.ResponseWriter, m *model) {
	s.once.Do(func() { s.waits = make(chan struct{}, maxWrong) })
	select {
	case s.waits <- struct{}{}:
		defer func() { <-s.waits }()
		if s.Pause != nil {
			s.Pause(wrongPause)
		} else {
			time.Sleep(wrongPause)
		}
		if m == nil {
			http.Error(w, `{"error": "there is no page with this code; the wall shows it"}`, http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		s.render(w, m)
	default:
		http.Error(w, `{"error": "too many wrong codes; wait a second"}`, http.StatusTooManyRequests)
	}
}

// known() answers a request with the right token.
func (s *Server) known(w http.ResponseWriter, r *http.Request, from netip.Addr, base, rest string) {
	switch {
	case isStatic(rest):
		http.ServeFileFS(w, r, files, rest)
	case strings.HasPrefix(rest, "walls/"):
		s.picture(w, r, strings.TrimSuffix(strings.TrimPrefix(rest, "walls/"), ".png"))
	case r.Method == http.MethodPost:
		s.act(w, r, from, base, rest)
	case rest != "":
		http.Error(w, `{"error": "there is nothing here"}`, http.StatusNotFound)
	default:
		s.show(w, r, from, base)
	}
}

// picture serves the picture of a wall.
func (s *Server) picture(w http.ResponseWriter, r *http.Request, name string) {
	if !fs.ValidPath(name) || strings.Contains(name, "/") {
		http.Error(w, `{"error": "there is no such wall"}`, http.StatusNotFound)
		return
	}
	w.Header().Set("Cache-Control", "max-age=3600")
	http.ServeFileFS(w, r, s.Gallery, name+"/wall.png")
}

// show answers with the page of the current step.
func (s *Server) show(w http.ResponseWriter, r *http.Request, from netip.Addr, base string) {
	problem := ""
	s.Lock.Lock()
	restarts := s.Machine.View(from.String()).Restarts
	s.Lock.Unlock()
	if s.Problem != nil && !restarts { // before a restart, there is no time to ask the wall
		problem = s.Problem() // Problem is called without the lock, because the wall may be slow
	}
	s.Lock.Lock()
	polls := r.Header.Get("X-Poll") != ""
	mine := s.Machine.Opened(from.String(), !s.guest(from))
	if v := s.Machine.View(from.String()); mine && !polls && v.State == flow.Walking && v.Draft.Step == flow.StepWifi && !v.Heard {
		s.Machine.Seek()
	}
	m := s.model(s.Machine.View(from.String()), r, base, problem)
	s.Lock.Unlock()
	s.render(w, m)
}

func (s *Server) render(w http.ResponseWriter, m *model) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := page.Execute(w, m); err != nil {
		return // the phone has closed the connection
	}
}

// errForm is the error for a form that none of our pages sends.
var errForm = errors.New("this form is not complete")

// act does the action of a form and redirects to the following page.
func (s *Server) act(w http.ResponseWriter, r *http.Request, from netip.Addr, base, verb string) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if r.ContentLength > maxForm || r.ParseForm() != nil {
		http.Error(w, `{"error": "the form is too long or damaged"}`, http.StatusBadRequest)
		return
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if verb == "take" {
		s.Machine.Take(from.String())
	}
	if !s.Machine.Opened(from.String(), !s.guest(from)) {
		http.Redirect(w, r, base, http.StatusSeeOther)
		return
	}
	query, err := s.do(verb, r)
	if err != nil {
		http.Error(w, `{"error": `+strconv.Quote(err.Error())+`}`, http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, base+query, http.StatusSeeOther)
}
