package webdav

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	dav "golang.org/x/net/webdav"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/thorough"
	"dashboard/provider/ask"
	"dashboard/provider/query"
)

// server starts a WebDAV server with files at the given paths. The user is "me", and the password is "hush". A path that ends with a
// slash is a folder.
func server(t *testing.T, files ...string) *httptest.Server {
	t.Helper()
	fs := dav.NewMemFS()
	for _, name := range files {
		if strings.HasSuffix(name, "/") {
			if err := fs.Mkdir(t.Context(), name, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		f, err := fs.OpenFile(t.Context(), name, 2|64, 0o644) // os.O_RDWR|os.O_CREATE
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("bytes of " + name)); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	h := &dav.Handler{Prefix: "/dav", FileSystem: fs, LockSystem: dav.NewMemLS()}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "me" || password != "hush" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func at(t *testing.T, url, password string, depth int) *Provider {
	t.Helper()
	p := Params{URL: url, Depth: depth, UpdateInterval: value.Duration(time.Hour)}
	p.Timeout = value.Duration(time.Minute)
	p.Auth = &query.Auth{Basic: &query.Basic{Username: "me", Password: password}}
	_, v, err := New(&p, ask.Deps{Client: fetch.New(&fetch.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// ids() returns the IDs of the published photos, sorted.
func ids(t *testing.T, p *Provider) (all []string, err error) {
	t.Helper()
	v, err := p.list(t.Context())
	if err != nil {
		return nil, err
	}
	for _, e := range v.(map[string]any)["photos"].([]any) {
		all = append(all, e.(map[string]any)["id"].(string))
	}
	slices.Sort(all)
	return all, nil
}

// TestFolder lists the files in a folder and in its subfolders up to the maximum depth. It reads the bytes of a file in the folder, but
// cannot read a file outside of the folder.
func TestFolder(t *testing.T) {
	s := server(t, "/photos/", "/photos/a b.jpg", "/photos/ü.HEIC", "/photos/.hidden.jpg", "/photos/sea/", "/photos/sea/1.jpg", "/photos/sea/far/", "/photos/sea/far/2.jpg", "/other.jpg")
	for depth, want := range [][]string{{"%C3%BC.HEIC", "a%20b.jpg"}, {"%C3%BC.HEIC", "a%20b.jpg", "sea/1.jpg"}, {"%C3%BC.HEIC", "a%20b.jpg", "sea/1.jpg", "sea/far/2.jpg"}} {
		got, err := ids(t, at(t, s.URL+"/dav/photos", "hush", depth))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("depth %d: got %q and %v, want %q", depth, got, err, want)
		}
	}
	p := at(t, s.URL+"/dav/photos/", "hush", 3)
	data, release, err := p.Read(t.Context(), "a%20b.jpg", 1000)
	if err != nil || string(data) != "bytes of /photos/a b.jpg" {
		t.Fatalf("got %q and %v", data, err)
	}
	release()
	if _, _, err := p.Read(t.Context(), "a%20b.jpg", 5); err == nil {
		t.Error("a file over the bound is read")
	}
	for _, id := range []string{"../other.jpg", "/dav/other.jpg", "http://elsewhere.example/x.jpg", "none.jpg", "%zz"} {
		if data, _, err := p.Read(t.Context(), id, 1000); err == nil {
			t.Errorf("%s: got %q", id, data)
		}
	}
	if _, err := ids(t, at(t, s.URL+"/dav/photos", "wrong", 1)); fetch.ClassOf(err) != fetch.Denied {
		t.Errorf("a wrong password: got %v", err)
	}
	if _, err := ids(t, at(t, s.URL+"/dav/none", "hush", 1)); fetch.ClassOf(err) != fetch.NotFound {
		t.Errorf("a folder that is not there: got %v", err)
	}
}

// TestHostileFolders: entries outside of the folder are ignored. Endless depth and many entries do not exceed the limits.
func TestHostileFolders(t *testing.T) {
	thorough.Only(t)
	entry := func(href string, folder bool) string {
		kind := ""
		if folder {
			kind = "<d:collection/>"
		}
		return "<d:response><d:href>" + href + "</d:href><d:propstat><d:prop><d:resourcetype>" + kind + "</d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
	}
	asked := 0
	var answer func(path string) string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.WriteHeader(http.StatusMultiStatus)
		fmt.Fprint(w, `<d:multistatus xmlns:d="DAV:">`+answer(r.URL.Path)+`</d:multistatus>`)
	}))
	defer s.Close()
	many := func(path string) string {
		var b bytes.Buffer
		for i := range 300 {
			b.WriteString(entry(fmt.Sprintf("%sf%d/", path, i), true) + entry(fmt.Sprintf("%sp%d.jpg", path, i), false))
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		answer         func(path string) string
		photos, folder int
	}{
		"elsewhere": {func(string) string {
			return entry("http://elsewhere.example/f/a.jpg", false) + entry("/etc/b.jpg", false) + entry("/f/../c.jpg", false) + entry("/f/x/y.jpg", false) + entry("/f/ok.jpg", false)
		}, 1, 1},
		"itself":   {func(path string) string { return entry(path, true) + entry("/f/", true) + entry("/f/ok.jpg", false) }, 1, 1},
		"endless":  {func(path string) string { return entry(path+"x/", true) + entry(path+"a.jpg", false) }, 4, 4},
		"a flood":  {many, maxPhotos, maxFolders},
		"no files": {func(string) string { return "" }, 0, 1},
	} {
		asked, answer = 0, c.answer
		got, err := ids(t, at(t, s.URL+"/f/", "", 3))
		if len(got) != c.photos || asked != c.folder || (err != nil) != (c.photos == 0) {
			t.Errorf("%s: got %d photos, %d requests and %v", name, len(got), asked, err)
		}
	}
}
