package server

import (
	"net/http"

	"github.com/julienschmidt/httprouter"
)

// A router builds the table of routes.
type router struct {
	*httprouter.Router
	s *Server
}

// ServeHTTP implements http.Handler. A request in absolute form, such as GET http://kitchen, may have an empty path, which means / (RFC 9110,
// section 4.2.3).
func (r router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == "" {
		req.URL.Path = "/"
	}
	r.Router.ServeHTTP(w, req)
}

func (r router) get(path string, h http.HandlerFunc) {
	h = r.s.guard(path, h)
	r.add(http.MethodGet, path, h)
	r.HandlerFunc(http.MethodHead, path, h)
}

// add adds a route whose handler is already guarded.
func (r router) add(method, path string, h http.HandlerFunc) {
	r.s.table = append(r.s.table, method+" "+path)
	r.HandlerFunc(method, path, h)
}

func (r router) post(path string, h http.HandlerFunc) {
	r.add(http.MethodPost, path, r.s.guard(path, h))
}

func (r router) put(path string, h http.HandlerFunc) {
	r.add(http.MethodPut, path, r.s.guard(path, h))
}

func (r router) remove(path string, h http.HandlerFunc) {
	r.add(http.MethodDelete, path, r.s.guard(path, h))
}

// readers() adds the routes for the firmware of e-readers, and for managing them.
func (r router) readers() {
	r.get("/api/setup", r.s.reading(r.s.setUp))
	r.get("/api/setup/", r.s.reading(r.s.setUp))
	r.get("/api/display", r.s.reading(r.s.show))
	r.get("/api/current_screen", r.s.reading(r.s.show))
	r.post("/api/log", r.s.reading(r.s.readerLog))
	r.get("/trmnl/:secret/:name", r.s.reading(r.s.readerPicture))
	r.get("/readers", r.s.tending(r.s.readerList))
	r.post("/readers", r.s.tending(r.s.allowReader))
	r.remove("/readers/:id", r.s.tending(r.s.removeReader))
}

// fleet adds the routes of the page of all walls. It also adds the routes with which other walls show this wall on their pages.
func (r router) fleet() {
	s := r.s
	r.get("/walls", s.wallsPage)
	r.get("/walls/:id/picture", s.control(s.wallPicture))
	r.post("/walls", s.control(s.onWalls))
	r.put("/walls", s.control(s.addWall))
	r.post("/walls/:id", s.control(s.wallKey))
	r.post("/walls/:id/ask", s.control(s.askWall))
	r.post("/walls/:id/code", s.control(s.enterWall))
	r.remove("/walls/:id", s.control(s.forgetWall))
	r.get("/peers", s.control(s.peers))
	r.post("/peers", s.offering(s.askAsPeer))
	r.post("/peers/code", s.offering(s.enterAsPeer))
	r.remove("/peers", s.leave)
	r.remove("/peers/:id", s.control(s.removePeer))
}

// others() answers requests with an unknown path or method.
func (r router) others() {
	r.GlobalOPTIONS = r.s.guard("other", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "0") })
	r.NotFound = r.s.guard("other", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is nothing here")
	})
	r.MethodNotAllowed = r.s.guard("other", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusMethodNotAllowed, "this method is not allowed here; see the header Allow")
	})
}

// routes() returns the handler of all endpoints. The answers to OPTIONS, and the errors 404 and 405, come from the table of routes.
func (s *Server) routes() http.Handler {
	r := router{httprouter.New(), s}
	r.RedirectTrailingSlash, r.RedirectFixedPath = false, false
	r.get("/", s.home)
	r.get("/web/:name", s.webFile)
	r.get("/edit/", s.editPage)
	r.get("/state", s.state)
	r.get("/frame", s.stream(s.frame))
	r.get("/text", s.text)
	r.get("/panel", s.stream(s.panel))
	r.get("/events", s.stream(s.events))
	r.get("/stream.mjpg", s.stream(s.mjpg))
	r.verbs()
	r.get("/theme", s.control(s.getTheme))
	r.get("/power", s.control(s.getPower))
	r.get("/notify", s.control(s.notifications))
	r.get("/notify/:id", s.control(s.notifications))
	r.get("/values", s.control(s.values))
	r.get("/values/:name", s.control(s.values))
	r.put("/values/:name", s.control(s.putValue))
	r.get("/timer", s.control(s.getTimers))
	r.get("/pages", s.control(s.getPages))
	r.get("/widgets", s.control(s.widgets))
	r.get("/pair", s.asking(s.collect))
	r.post("/pair", s.asking(s.askToPair))
	r.get("/devices", s.managing(s.devices))
	r.post("/devices", s.managing(s.confirm))
	r.post("/devices/:id", s.managing(s.assign))
	r.remove("/devices/:id", s.managing(s.remove))
	r.readers()
	r.get("/openapi.json", s.openAPI)
	r.fleet()
	r.get("/source", s.control(s.source))
	r.get("/healthz", s.healthz)
	r.get("/metrics", s.metrics)
	r.editing()
	r.others()
	return r
}
