package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// fakeSpeaker describes a wall whose texts contain HTML.
type fakeSpeaker struct {
	mu     sync.Mutex
	spoken Spoken
	err    error
	all    bool // true if the last call has requested all pages
}

func (f *fakeSpeaker) Spoken(_ context.Context, _ string, all bool) (*Spoken, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = all
	s := f.spoken
	return &s, f.err
}

// change replaces the parts of the spoken text.
func (f *fakeSpeaker) change(parts []SpokenPart) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spoken.Parts = parts
}

func speaking(t *testing.T) (*fixture, *fakeSpeaker) {
	t.Helper()
	f := newFixture(t)
	f.show(t, 90)
	words := &fakeSpeaker{spoken: Spoken{
		Language: "en-GB", At: published, When: "Thursday 15 May, 10:24", Pages: "Page 1 of 2", AsOf: "As of 10:24", Picture: "Picture of the wall", Dismiss: "Dismiss",
		Plain: []byte("## Weather\n14°.\n"),
		Parts: []SpokenPart{
			{Tone: "heading", Level: 2, Text: "Notification", Notice: "n1", Widget: "notification"}, {Tone: "alert", Text: "10:24: Laundry is done.", Notice: "n1", Widget: "notification"},
			{Tone: "choice", Text: "Remind me", Notice: "n1", Widget: "notification"},
			{Tone: "heading", Level: 2, Text: "Weather", Widget: "weather"}, {Tone: "sentence", Text: "<script>alert(1)</script> 14°.", Widget: "weather"},
			{Tone: "item", Text: "Friday: sunny.", Widget: "weather"}, {Tone: "item", Text: "Saturday: rain.", Widget: "weather"},
			{Tone: "heading", Level: 3, Text: "Tomorrow", Widget: "weather"}, {Tone: "aside", Text: "By us.", Widget: "weather"},
		},
	}}
	f.deps.Speaker = words
	return f, words
}

// get requests a path with the given header Accept.
func (f *fixture) get(path, accept string, more ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://localhost"+path, nil)
	r.Header.Set("Accept", accept)
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, r)
	return w
}

// tagOf returns the ETag of a response. It ignores the case of the header's name, because the server writes ETag, and Go's Header.Get
// looks for Etag.
func tagOf(w *httptest.ResponseRecorder) string {
	for name, values := range w.Header() {
		if strings.EqualFold(name, "etag") {
			return values[0]
		}
	}
	return ""
}

// TestText checks that the header Accept chooses between plain text, JSON and the page. The ETags of these bodies differ. A caller that
// already has the same body gets 304.
func TestText(t *testing.T) {
	f, words := speaking(t)
	plain := f.get("/text", "*/*")
	if want := "# Dashboard\nThursday 15 May, 10:24. Page 1 of 2.\n\n## Weather\n14°.\n"; plain.Body.String() != want || plain.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("got %q of %q, want %q", plain.Body, plain.Header().Get("Content-Type"), want)
	}
	var got struct {
		Name, Announce, Direction, Pages string
		Parts                            []SpokenPart
	}
	asJSON := f.get("/text?pages=all", "application/json")
	if err := json.Unmarshal(asJSON.Body.Bytes(), &got); err != nil || len(got.Parts) != 9 || got.Announce != "notifications" || got.Direction != "ltr" || !words.all {
		t.Errorf("got %v, all pages %v: %s", err, words.all, asJSON.Body)
	}
	page := f.get("/text", "text/html,application/xhtml+xml")
	for _, want := range []string{
		`<html lang="en-GB" dir="ltr">`, "<h1>Dashboard</h1>", "<h2>Weather</h2>", "<h3>Tomorrow</h3>", "<ul><li>Friday: sunny.</li><li>Saturday: rain.</li></ul>",
		`<section class="card notice"><h2>Notification</h2>`, "&lt;script&gt;",
	} {
		if !strings.Contains(page.Body.String(), want) {
			t.Errorf("the page has no %s:\n%s", want, page.Body)
		}
	}
	tags := map[string]bool{}
	for _, w := range []*httptest.ResponseRecorder{plain, asJSON, page} {
		tags[tagOf(w)] = true
	}
	if len(tags) != 3 {
		t.Errorf("got tags %v, want three", tags)
	}
	if again := f.get("/text", "*/*", "If-None-Match", tagOf(plain)); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("got %d with %d bytes for a known text", again.Code, again.Body.Len())
	}
}

// TestTextAccess checks that the text requires the token for frames. Without the token, a browser gets a page that contains no text and
// asks for the token, and other callers get 401.
func TestTextAccess(t *testing.T) {
	f, words := speaking(t)
	f.Configure(Settings{StreamOn: true, StreamToken: pointer("s"), ControlToken: pointer("c"), Announce: "all"})
	for _, tt := range []struct {
		accept, token string
		status        int
		words         bool
	}{
		{"*/*", "", 401, false}, {"application/json", "c", 401, false}, {"application/json", "s", 200, true}, {"text/html", "", 200, false}, {"text/html", "s", 200, true},
	} {
		w := f.get("/text", tt.accept, "Authorization", "Bearer "+tt.token)
		if w.Code != tt.status || strings.Contains(w.Body.String(), "14°") != tt.words {
			t.Errorf("%s with token %q: got %d %s", tt.accept, tt.token, w.Code, w.Body)
		}
	}
	if w := f.get("/text?pages=some", "*/*", "Authorization", "Bearer s"); w.Code != http.StatusBadRequest {
		t.Errorf("pages=some: got %d", w.Code)
	}
	if w := f.get("/text?view=none", "*/*", "Authorization", "Bearer s"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown view: got %d", w.Code)
	}
	words.err = errors.New("busy")
	if w := f.get("/text", "*/*", "Authorization", "Bearer s"); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("a wall that does not answer: got %d", w.Code)
	}
	f.Configure(Settings{})
	if w := f.get("/text", "*/*"); w.Code != http.StatusNotFound {
		t.Errorf("without a stream: got %d", w.Code)
	}
}

// TestTextIsEscaped checks that words from outside are escaped, in elements and in attributes.
func TestTextIsEscaped(t *testing.T) {
	const hostile = `<script>alert("x")</script> & 'y'`
	d := textData{Name: hostile, View: `"><b>`, Language: `"x`, When: hostile, Pages: hostile, AsOf: hostile, Picture: hostile, Blocks: []textBlock{
		{Level: 9, Text: hostile}, {Items: []string{hostile}}, {Text: hostile, Class: `"x`}, {Notice: true, Inner: []textBlock{{Text: hostile}}},
	}}
	page := string(d.page())
	if strings.Contains(page, "<script>alert") || strings.Contains(page, `"><b>`) || strings.Contains(page, `""x`) || !strings.Contains(page, "<h6>") {
		t.Errorf("got\n%s", page)
	}
}
