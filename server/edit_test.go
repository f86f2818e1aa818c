package server

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
)

// A fakeEditor is an editor with one draft, named d, and one version, number 1.
type fakeEditor struct{ calls []EditCall }

func (e *fakeEditor) Edit(_ context.Context, c EditCall) (EditAnswer, error) {
	e.calls = append(e.calls, c)
	if c.Body != nil && json.Unmarshal(c.Body, &struct{}{}) != nil {
		return EditAnswer{}, &EditError{Status: 400, Text: "no object"}
	}
	switch {
	case c.Verb == "picture":
		return EditAnswer{Body: []byte("png"), Type: "image/png"}, nil
	case c.Verb == "connected":
		return EditAnswer{}, &EditError{Status: 403, Text: "<b>no</b>"}
	case c.ID != "" && c.ID != "d" && c.ID != "1":
		return EditAnswer{}, &EditError{Status: 404, Text: "there is no such draft", More: map[string]any{"conflict": false}}
	}
	return EditAnswer{Fields: map[string]any{"verb": c.Verb}}, nil
}

func (e *fakeEditor) Listen() (<-chan []byte, func()) { return nil, nil }

// badEdits returns the requests that the editor refuses. The key is the route.
func badEdits() map[string][]bad {
	all := map[string][]bad{
		"GET /edit":             {{"/edit?x=%00", "", 200}},
		"POST /edit/allow":      {{"/edit/allow", `{}`, 404}},
		"POST /edit/allow/code": {{"/edit/allow/code", `{"code":"000000"}`, 404}},
		"GET /edit/devices":     {{"/edit/devices", "", 404}},
		"POST /edit/devices":    {{"/edit/devices", `{"digits":false}`, 404}},
		"POST /edit/devices/:id": {
			{"/edit/devices/none", "{}", 404},
		},
		"POST /edit/devices/:id/undo": {{"/edit/devices/none/undo", "{}", 404}},
		"DELETE /edit/devices/:id": {
			{"/edit/devices/none", "", 404},
		},
		"GET /edit/connected": {{"/edit/connected?state=x&code=y", "", 403}, {"/edit/connected", "", 403}},
		"GET /edit/events":    {{"/edit/events", "", 503}},
		"POST /edit/drafts":   {{"/edit/drafts", `[`, 400}, {"/edit/drafts", strings.Repeat(" ", maxEditBody+1), 413}},
	}
	for _, route := range []string{
		"GET /edit/drafts/:id", "DELETE /edit/drafts/:id", "PUT /edit/drafts/:id/file", "GET /edit/schema/:id", "GET /edit/gallery/:id",
		"GET /edit/versions/:id", "POST /edit/versions/:id/restore", "POST /edit/versions/:id/undo",
		"POST /edit/connections/:id", "POST /edit/connections/:id/paste",
	} {
		all[route] = nil
	}
	for _, verb := range []string{"ops", "undo", "redo", "apply", "resolve", "eval", "test"} {
		all["POST /edit/drafts/:id/"+verb] = nil
	}
	for _, verb := range []string{"file", "diff", "zip", "values", "places", "theme"} {
		all["GET /edit/drafts/:id/"+verb] = nil
	}
	for route, list := range all {
		if list == nil {
			_, path, _ := strings.Cut(route, " ")
			all[route] = []bad{{strings.ReplaceAll(path, ":id", "none"), `{}`, 404}, {strings.ReplaceAll(path, ":id", "%2e%2e"), `{}`, 404}}
		}
	}
	for _, route := range []string{"GET /edit/drafts/:id/picture"} {
		all[route] = []bad{{"/edit/drafts/d/picture", "", 200}}
	}
	for _, path := range []string{"/edit/icons", "/edit/homes", "/edit/gallery", "/edit/versions", "/edit/secrets", "/edit/connections"} {
		all["GET "+path] = []bad{{path + "?x=%00", "", 200}}
	}
	all["POST /edit/secrets"] = []bad{{"/edit/secrets", `"x"`, 400}}
	return all
}

// editFixture returns a server with an editor, and a token for editing.
func editFixture(t *testing.T, token *string) (*fixture, *fakeEditor) {
	f := newFixture(t)
	e := &fakeEditor{}
	f.deps.Editor = e
	f.Configure(Settings{StreamOn: true, ConfigToken: token})
	return f, e
}

// Editing needs the token. If there is no token, only a person on the wall's own machine can edit. Pages of other sites can never edit,
// even with the token.
func TestWhoMayEdit(t *testing.T) {
	token := "s3cret"
	for name, c := range map[string]struct {
		token   *string
		from    string
		host    string
		header  map[string]string
		status  int
		because string
	}{
		"own machine":              {nil, "127.0.0.1:1", "localhost:5000", nil, 200, ""},
		"another machine":          {nil, "192.168.1.9:1", "wall.local:5000", nil, 403, needsMachine},
		"another machine's lie":    {nil, "192.168.1.9:1", "localhost:5000", nil, 403, needsMachine},
		"a proxy on the machine":   {nil, "127.0.0.1:1", "localhost:5000", map[string]string{"X-Forwarded-For": "10.0.0.1"}, 403, needsMachine},
		"rebinding":                {nil, "127.0.0.1:1", "evil.example:5000", nil, 421, ""},
		"rebinding with a token":   {&token, "192.168.1.9:1", "evil.example", map[string]string{"Authorization": "Bearer s3cret"}, 421, ""},
		"another site's page":      {nil, "127.0.0.1:1", "localhost:5000", map[string]string{"Origin": "http://evil.example"}, 403, ""},
		"another site's picture":   {nil, "127.0.0.1:1", "localhost:5000", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403, ""},
		"a frame in a page":        {nil, "127.0.0.1:1", "localhost:5000", map[string]string{"Origin": "null"}, 403, ""},
		"without the token":        {&token, "192.168.1.9:1", "wall.local", nil, 401, needsToken},
		"own machine, no token":    {&token, "127.0.0.1:1", "localhost:5000", nil, 401, needsToken},
		"a wrong token":            {&token, "192.168.1.9:1", "wall.local", map[string]string{"Authorization": "Bearer s3cre"}, 401, needsToken},
		"the token":                {&token, "192.168.1.9:1", "wall.local", map[string]string{"Authorization": "Bearer s3cret"}, 200, ""},
		"the token, another site":  {&token, "192.168.1.9:1", "wall.local", map[string]string{"Authorization": "Bearer s3cret", "Origin": "http://evil.example"}, 403, ""},
		"a guessed session cookie": {&token, "192.168.1.9:1", "wall.local", map[string]string{"Cookie": "dashboard_edit=guess"}, 401, needsToken},
	} {
		f, e := editFixture(t, c.token)
		for _, target := range []string{"/edit", "/edit/drafts/d/picture", "/edit/drafts/d/zip"} {
			r := httptest.NewRequest("GET", target, nil)
			r.RemoteAddr, r.Host = c.from, c.host
			for k, v := range c.header {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			f.Handler().ServeHTTP(w, r)
			if w.Code != c.status || c.because != "" && !strings.Contains(w.Body.String(), `"why":"`+c.because+`"`) {
				t.Errorf("%s: %s: got %d %s", name, target, w.Code, w.Body)
			}
			if w.Code != 200 && len(e.calls) > 0 {
				t.Errorf("%s: the editor was asked", name)
			}
		}
	}
}

// A request that may change something must be JSON, because a form of another site cannot send JSON.
func TestEditorTakesJSONAlone(t *testing.T) {
	f, e := editFixture(t, nil)
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		r := httptest.NewRequest("POST", "/edit/drafts", strings.NewReader("{}"))
		r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost"
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, r)
		if w.Code != 415 || len(e.calls) > 0 {
			t.Errorf("%q: got %d", kind, w.Code)
		}
	}
}

// If a caller's device was not allowed with a code, the caller's name consists of the kind of the device and its address.
func TestNamesOfCallers(t *testing.T) {
	f := newFixture(t)
	for _, c := range [][2]string{
		{"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari", "iPhone at 192.168.1.9"},
		{"Mozilla/5.0 (Linux; Android 15; K) Chrome", "Android device at 192.168.1.9"},
		{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Firefox", "Mac at 192.168.1.9"},
		{"curl/8", "192.168.1.9"},
	} {
		r := httptest.NewRequest("GET", "/edit", nil)
		r.RemoteAddr = "192.168.1.9:4000"
		r.Header.Set("User-Agent", c[0])
		if got := f.Server.editorOf(r); got != c[1] {
			t.Errorf("%s: got %q, want %q", c[0], got, c[1])
		}
	}
}

// A browser that opens /edit gets the page of the editor, also below the prefix of a proxy. Programs get JSON.
func TestEditWithoutSlash(t *testing.T) {
	f := newFixture(t)
	f.Configure(Settings{EditCodes: true})
	for accept, page := range map[string]bool{
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true, "application/json": false, "*/*": false, "": false,
	} {
		r := httptest.NewRequest("GET", "http://127.0.0.1:5000/edit?view=hall", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, r)
		if to := w.Header().Get("Location"); (to == "edit/?view=hall") != page || (w.Code == 302) != page || w.Header().Get("Vary") != "Accept" {
			t.Errorf("Accept: %s: got %d, to %q", accept, w.Code, to)
		}
	}
}
