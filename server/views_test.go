package server

import (
	"net/http/httptest"
	"strings"
	"testing"

	"dashboard/control"
)

// TestViewsOfVerbs: notifications and themes are those of the view that is named, in the query or in the body.
func TestViewsOfVerbs(t *testing.T) {
	f := newFixture(t)
	hall, bare := &fakeThemes{state: control.ThemeState{Mode: "night"}}, &fakeNotifier{none: true}
	notes := &fakeNotifier{}
	walls := map[string]*control.Wall{"": f.wall, "main": f.wall, "hall": {Themes: hall, Notices: notes}, "bare": {Notices: bare}}
	f.parts.Wall = func(view string) *control.Wall { return walls[view] }
	f.deps.Views = func() []string { return []string{"main", "bare", "hall"} }
	f.control()
	for _, tt := range []struct {
		request, body string
		status        int
		want          string
	}{
		{"GET /theme?view=hall", "", 200, `"mode":"night"`},
		{"GET /theme", "", 200, `"mode":"day"`},
		{"GET /theme?view=bare", "", 400, "only one theme"},
		{"GET /theme?view=attic", "", 404, `"views":["main","bare","hall"]`},
		{"POST /theme?view=hall", `{"mode":"toggle"}`, 200, `"mode":"day"`},
		{"POST /theme", `{"mode":"night","view":"attic"}`, 404, "no view of this name"},
		{"POST /theme", `{"mode":"night","view":"hall"}`, 200, `"mode":"night"`},
		{"GET /notify?view=hall", "", 200, `"widgets":["note"]`},
		{"GET /notify?view=bare", "", 404, noNotifiable[10:40]},
		{"GET /notify?view=attic", "", 404, "no view of this name"},
		{"POST /notify", `{"widget":"note","text":"for main"}`, 200, "true"},
		{"POST /notify", `{"widget":"note","text":"for hall","view":"hall"}`, 200, "true"},
		{"POST /notify", `{"widget":"note","text":"x","view":"attic"}`, 404, "no view of this name"},
		{"POST /notify", `{"widget":"note","text":"x","view":7}`, 404, "no view of this name"},
		{"POST /notify?view=bare", `{"widget":"note","text":"x"}`, 404, noNotifiable[10:40]},
		{"POST /notify?view=hall", `{"widget":"nobody","text":"x"}`, 400, `"widgets":["note"]`},
		{"DELETE /notify?view=hall", "", 200, `"deleted":1`},
		{"DELETE /notify/b?view=hall", "", 404, "no notification has this id"},
		{"DELETE /notify?view=attic", "", 404, "no view of this name"},
		{"GET /pages?view=" + strings.Repeat("x", 3000), "", 404, "no view of this name"},
		{"POST /theme?view=" + strings.Repeat("x", 3000), `{"mode":"day"}`, 400, "at most 255 bytes"},
	} {
		method, target, _ := strings.Cut(tt.request, " ")
		r := httptest.NewRequest(method, target, strings.NewReader(tt.body))
		r.Host = "wall"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, r)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%.60s %s: got %d %s, want %d %s", tt.request, tt.body, w.Code, w.Body, tt.status, tt.want)
		}
	}
	if got := string(f.notes.got); !strings.Contains(got, "for main") {
		t.Errorf("main was told %s", got)
	}
	f.notes.none = true // of another view there is still one
	r := httptest.NewRequest("POST", "/notify", strings.NewReader(`{"widget":"note","text":"late","view":"hall"}`))
	r.Host = "wall"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if f.Handler().ServeHTTP(w, r); w.Code != 200 || !strings.Contains(string(notes.got), "late") {
		t.Errorf("a view whose main wall shows nothing: got %d %s", w.Code, w.Body)
	}
}
