package server

import (
	"net/http"

	"github.com/julienschmidt/httprouter"
)

// routes is every endpoint. OPTIONS, 404 and 405 follow from the table.
func (s *Server) routes() http.Handler {
	r := httprouter.New()
	r.RedirectTrailingSlash, r.RedirectFixedPath = false, false
	get := func(path string, h http.HandlerFunc) {
		h = s.guard(path, h)
		r.HandlerFunc(http.MethodGet, path, h)
		r.HandlerFunc(http.MethodHead, path, h)
	}
	post := func(path string, h http.HandlerFunc) {
		r.HandlerFunc(http.MethodPost, path, s.guard(path, h))
	}
	get("/", s.home)
	get("/frame", s.stream(s.frame))
	get("/panel", s.stream(s.panel))
	get("/events", s.stream(s.events))
	get("/stream.mjpg", s.stream(s.mjpg))
	get("/theme", s.control(s.getTheme))
	post("/theme", s.control(s.setTheme))
	get("/power", s.control(s.getPower))
	post("/power", s.control(s.setPower))
	post("/brightness", s.control(s.setBrightness))
	post("/identify", s.control(s.identify))
	post("/notify", s.control(s.notify))
	post("/notify/:id", s.control(s.choose))
	get("/notify", s.control(s.notifications))
	get("/notify/:id", s.control(s.notifications))
	for _, path := range []string{"/notify", "/notify/:id"} {
		r.HandlerFunc(http.MethodDelete, path, s.guard(path, s.control(s.dismiss)))
	}
	post("/reload", s.control(s.reload))
	get("/values", s.control(s.values))
	get("/values/:name", s.control(s.values))
	r.HandlerFunc(http.MethodPut, "/values/:name", s.guard("/values/:name", s.control(s.putValue)))
	get("/timer", s.control(s.getTimers))
	post("/timer", s.control(s.setTimer))
	get("/pages", s.control(s.getPages))
	post("/page", s.control(s.setPage))
	get("/widgets", s.control(s.widgets))
	get("/pair", s.asking(s.collect))
	post("/pair", s.asking(s.askToPair))
	get("/devices", s.managing(s.devices))
	post("/devices", s.managing(s.confirm))
	post("/devices/:id", s.managing(s.assign))
	r.HandlerFunc(http.MethodDelete, "/devices/:id", s.guard("/devices/:id", s.managing(s.remove)))
	get("/healthz", s.healthz)
	get("/metrics", s.metrics)
	r.GlobalOPTIONS = s.guard("other", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "0") })
	r.NotFound = s.guard("other", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is nothing here")
	})
	r.MethodNotAllowed = s.guard("other", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusMethodNotAllowed, "this method is not allowed here; see the header Allow")
	})
	return r
}
