package server

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/control"
	pages "dashboard/control/page"
)

// TestPages lists and chooses pages. The requests need the control token, and invalid input is refused.
func TestPages(t *testing.T) {
	f := newFixture(t)
	hall, bare := pages.New(func() {}), pages.New(func() {})
	set := hall.Begin()
	outer := set.Add("", []pages.Page{{Name: "home", At: "widgets.yaml:3:5", Rule: "{days: mon}", Dwell: time.Minute}, {Name: "solar", Dwell: time.Minute}})
	set.Add("in", []pages.Page{{Name: "a", Dwell: time.Minute}})
	hall.Commit(set)
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	outer.Step(now, []pages.Condition{{When: true}, {When: true}})
	f.deps.Views = func() []string { return []string{"main", "bare", "gone"} }
	f.parts.Wall = func(view string) *control.Wall {
		return map[string]*control.Wall{"": {Pages: hall}, "main": {Pages: hall}, "bare": {Pages: bare}}[view]
	}
	f.parts.Now, f.now = func() time.Time { return now }, func() time.Time { return now }
	f.control()
	token := "geheim"
	f.Configure(Settings{ControlToken: &token})
	const first = `{"at":"widgets.yaml:3:5","name":null,"others":[{"at":"","name":"in","page":"a","pages":["a"],"rule":null,"since":"2026-05-01T12:00:00+00:00","until":null,"why":"turn"}],"page":"home",` +
		`"pages":["home","solar"],"rule":"{days: mon}","since":"2026-05-01T12:00:00+00:00","success":true,"until":"2026-05-01T12:01:00+00:00","why":"turn"}` + "\n"
	for _, tt := range []struct {
		request, body, token string
		status               int
		want                 string
	}{
		{"GET /pages", "", token, 200, first},
		{"GET /pages?view=main", "", token, 200, first},
		{"GET /pages", "", "", 401, "control bearer token"},
		{"GET /pages?view=bare", "", token, 404, "no widget 'pages'"},
		{"GET /pages?view=gone", "", token, 404, "no view of this name"},
		{"GET /pages?view=x", "", token, 404, `"views":["main","bare","gone"]`},
		{"POST /pages", "", token, 405, ""},
		{"GET /page", "", token, 405, ""},
		{"POST /page", `{"page":"solar","hold":90}`, token, 200, `"page":"solar","pages":["home","solar"],"rule":null,"since":"2026-05-01T12:00:00+00:00","success":true,"until":"2026-05-01T12:01:30+00:00","why":"hand"`},
		{"POST /page", `{"page":"next"}`, token, 200, `"page":"home"`},
		{"POST /page", `{"page":"previous","hold":0.5}`, token, 200, `"until":"2026-05-01T12:00:00.500000+00:00"`},
		{"POST /page?view=main", `{"page":"a"}`, token, 200, `"name":"in"`},
		{"POST /page", `{"page":"home","hold":0}`, token, 200, `"until":null,"why":"hand"`},
		{"POST /page", `{"page":"auto","hold":null}`, token, 200, `"why":"turn"`},
		{"POST /page", `{"page":"solar"}`, "wrong", 401, "control bearer token"},
		{"POST /page", `{"page":"slar"}`, token, 404, `there is no page of this name: is 'solar' meant?","pages":["home","solar","a"]`},
		{"POST /page", `{"page":""}`, token, 404, "no page of this name"},
		{"POST /page?view=bare", `{"page":"home"}`, token, 404, "no widget 'pages'"},
		{"POST /page?view=x", `{"page":"home"}`, token, 404, "no view of this name"},
		{"POST /page", `{"page":"solar","hold":-1}`, token, 400, "'hold' must be between 0 and 2592000 seconds"},
		{"POST /page", `{"page":"solar","hold":2592001}`, token, 400, "'hold' must be"},
		{"POST /page", `{"page":"solar","hold":1e300}`, token, 400, "'hold' must be"},
		{"POST /page", `{"page":"solar","hold":"5"}`, token, 400, "JSON object"},
		{"POST /page", `{"page":"solar","for":5}`, token, 400, "JSON object"},
		{"POST /page", `{"page":"solar"}{}`, token, 400, "JSON object"},
		{"POST /page", `{"page":7}`, token, 400, "JSON object"},
		{"POST /page", `{}`, token, 400, "'page' is required"},
		{"POST /page", `null`, token, 400, "'page' is required"},
		{"POST /page", `[]`, token, 400, "JSON object"},
		{"POST /page", ``, token, 400, "JSON object"},
		{"POST /page", strings.Repeat(" ", maxBody+1), token, 413, "65536"},
	} {
		method, path, _ := strings.Cut(tt.request, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(tt.body))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		if tt.token != "" {
			r.Header.Set("Authorization", "Bearer "+tt.token)
		}
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, r)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s %.60s: got %d %s, want %d %s", tt.request, tt.body, w.Code, w.Body, tt.status, tt.want)
		}
	}
	r := httptest.NewRequest("POST", "/page", strings.NewReader(`{"page":"home"}`))
	r.Header.Set("Authorization", "Bearer "+token)
	r.Host = "127.0.0.1"
	w := httptest.NewRecorder()
	if f.Handler().ServeHTTP(w, r); w.Code != 415 {
		t.Errorf("no content type: got %d %s", w.Code, w.Body)
	}
}

// TestPagesOfNobody checks that a wall without pages answers 404.
func TestPagesOfNobody(t *testing.T) {
	f := newFixture(t)
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/pages", nil)
	r.Host = "127.0.0.1"
	if f.Handler().ServeHTTP(w, r); w.Code != 404 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}
