package server

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"dashboard/schema"
	"dashboard/web"

	"github.com/julienschmidt/httprouter"
)

// webPolicy lets a browser load the page's own files and nothing else.
const webPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"connect-src 'self'; img-src 'self' blob: data:; manifest-src 'self'; script-src 'self'; style-src 'self'"

// An asset is a bundled file of the web pages.
type asset struct {
	body []byte
	kind string // content type
	tag  string // ETag
}

// assets are the bundled files by name. They are part of the program and do not change while it runs.
type assets map[string]asset

// newAssets reads the bundled files.
func newAssets() assets {
	all := assets{}
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(web.Files(), name)
		all[name] = newAsset(name, body)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	all["openapi.json"] = newAsset("openapi.json", schema.OpenAPI())
	return all
}

func newAsset(name string, body []byte) asset {
	sum := sha256.Sum256(body)
	return asset{body, contentType(name), `"` + hex.EncodeToString(sum[:8]) + `"`}
}

// contentType returns the media type of a bundled file. The types do not depend on the machine's table.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// serve answers with a bundled file, or 304 if the browser has it.
func (all assets) serve(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := all[name]
	if !ok {
		refuse(w, http.StatusNotFound, "there is nothing here")
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache") // a browser asks again, so that it never mixes the files of two versions
	h.Set("Content-Security-Policy", webPolicy)
	h.Set("X-Frame-Options", "DENY") // for browsers without frame-ancestors
	h["ETag"] = []string{a.tag}
	if strings.Contains(r.Header.Get("If-None-Match"), a.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.Write(a.body)
}

// home answers GET /: the remote.
func (s *Server) home(w http.ResponseWriter, r *http.Request) { s.assets.serve(w, r, "index.html") }

// editPage answers GET /edit/: the editor. The page asks for its permission itself.
func (s *Server) editPage(w http.ResponseWriter, r *http.Request) {
	s.assets.serve(w, r, "edit.html")
}

// webFile answers GET /web/NAME: a script, style or icon of the pages.
func (s *Server) webFile(w http.ResponseWriter, r *http.Request) {
	s.assets.serve(w, r, httprouter.ParamsFromContext(r.Context()).ByName("name"))
}

// openAPI answers GET /openapi.json.
func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	s.assets.serve(w, r, "openapi.json")
}
