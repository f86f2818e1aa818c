package server

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/control/timer"
)

// TestTimers lists and starts timers. The requests need the control token, and invalid input is refused.
func TestTimers(t *testing.T) {
	f := newFixture(t)
	all := timer.New(func() {})
	set := all.Begin()
	set.Timer("tea", "Tea", 4*time.Minute)
	set.Timer("watch", "", 0)
	all.Commit(set)
	f.parts.Timers = all
	f.control()
	token := "geheim"
	f.Configure(Settings{ControlToken: &token})
	for _, tt := range []struct {
		method, body, token string
		status              int
		want                string
	}{
		{"GET", "", token, 200, `"duration":240,"ends_at":null,"label":"Tea","left":240,"name":"tea","passed":0,"state":"ready"`},
		{"GET", "", "", 401, "control bearer token"},
		{"POST", `{"name":"tea","action":"start"}`, "wrong", 401, "control bearer token"},
		{"POST", `{"name":"tea","action":"start"}`, token, 200, `"state":"running"`},
		{"GET", "", token, 200, `"state":"running"`},
		{"POST", `{"name":"tea","action":"start","duration":90}`, token, 200, `"duration":90`},
		{"GET", "", token, 200, `"usual":240`},
		{"POST", `{"name":"tea","action":"reset"}`, token, 200, `"state":"ready"`},
		{"POST", `{"name":"watch","action":"toggle"}`, token, 200, `"duration":null`},
		{"POST", `{"name":"nobody","action":"start"}`, token, 404, "no timer has this name"},
		{"POST", `{"name":"tea","action":"begin"}`, token, 400, "start, stop, reset, toggle"},
		{"POST", `{"name":"tea"}`, token, 400, "'action' must be one of"},
		{"POST", `{"name":1,"action":"stop"}`, token, 400, "JSON object: 'name' must be a text"},
		{"POST", `[]`, token, 400, "JSON object"},
		{"POST", `{"name":"tea","action":"start","duration":1e300}`, token, 400, "duration"},
		{"POST", `{"name":"tea","action":"start","duration":-1}`, token, 400, "duration"},
		{"POST", `{"name":"tea","action":"start","duration":0}`, token, 400, "must be more than 0"},
		{"POST", `{"name":"tea","action":"start","duration":1e-12}`, token, 400, "must be more than 0"},
		{"POST", strings.Repeat(" ", maxBody+1), token, 413, "65536"},
		{"PUT", "", token, 405, ""},
	} {
		r := httptest.NewRequest(tt.method, "/timer", strings.NewReader(tt.body))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		if tt.token != "" {
			r.Header.Set("Authorization", "Bearer "+tt.token)
		}
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, r)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s %s: got %d %s, want %d %s", tt.method, tt.body, w.Code, w.Body, tt.status, tt.want)
		}
	}
}
