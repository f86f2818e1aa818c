package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
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

// webPolicy allows a page to load only files of this server.
const webPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"connect-src 'self'; img-src 'self' blob: data:; manifest-src 'self'; script-src 'self'; style-src 'self'"

// An asset is a bundled file of the web pages.
type asset struct {
	packed []byte // content compressed by gzip
	kind   string // content type
	tag    string // ETag
}

// body returns the uncompressed file.
func (a asset) body() ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(a.packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// assets holds the bundled files by name. They do not change while the program runs.
type assets map[string]asset

// newAssets reads the bundled files.
func newAssets() assets {
	all := assets{}
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(web.Files(), name)
		name = strings.TrimSuffix(name, ".gz")
		all[name] = newAsset(name, body)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return all
}

func newAsset(name string, packed []byte) asset {
	sum := sha256.Sum256(packed)
	return asset{packed, contentType(name), `"` + hex.EncodeToString(sum[:8]) + `"`}
}

// contentType returns the media type of a bundled file. It does not use the list of media types on this machine.
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

// serve answers with a bundled file, or with 304 if the browser already has the file.
func (all assets) serve(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := all[name]
	if !ok {
		refuse(w, http.StatusNotFound, "there is nothing here")
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache") // the browser must always check the ETag, because it must not mix files of two versions
	h.Set("Content-Security-Policy", webPolicy)
	h.Set("X-Frame-Options", "DENY") // for browsers that do not support frame-ancestors
	h["ETag"] = []string{a.tag}
	h.Set("Vary", "Accept-Encoding") // before the answer 304, which needs this header too (RFC 9110, section 15.4.5)
	if unchanged(r, a.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	body := a.packed
	if takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
	} else if plain, err := a.body(); err == nil {
		body = plain
	} else {
		refuse(w, http.StatusInternalServerError, "the file is damaged")
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

// takesGzip reports whether a caller accepts gzip (RFC 9110, section 12.5.3).
func takesGzip(r *http.Request) bool {
	for _, line := range r.Header.Values("Accept-Encoding") {
		for item := range strings.SplitSeq(line, ",") {
			name, weight, _ := strings.Cut(item, ";")
			weight = strings.ToLower(strings.ReplaceAll(weight, " ", ""))
			if strings.EqualFold(strings.TrimSpace(name), "gzip") && strings.TrimRight(weight, "0.") != "q=" { // q=0 or q=0.000
				return true
			}
		}
	}
	return false
}

// home answers GET / with the remote.
func (s *Server) home(w http.ResponseWriter, r *http.Request) { s.assets.serve(w, r, "index.html") }

// editPage answers GET /edit/ with the editor. The page itself requests the permission to edit.
func (s *Server) editPage(w http.ResponseWriter, r *http.Request) {
	s.assets.serve(w, r, "edit.html")
}

// webFile answers GET /web/NAME with a script, a style or an icon of the pages.
func (s *Server) webFile(w http.ResponseWriter, r *http.Request) {
	s.assets.serve(w, r, httprouter.ParamsFromContext(r.Context()).ByName("name"))
}

// openAPI answers GET /openapi.json.
func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	body := schema.OpenAPI()
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}
