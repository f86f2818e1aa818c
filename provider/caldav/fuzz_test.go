package caldav

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"dashboard/internal/fetch"
)

// The type `always` replaces the network. It sends the same answer to every request.
type always []byte

func (a always) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("Authorization") != "" && r.URL.Host != "h" {
		panic("the password goes to " + r.URL.Host)
	}
	return &http.Response{StatusCode: whole, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a)), Request: r}, nil
}

// FuzzAnswers answers every request with the same bytes. The password goes to no other host, no listed calendar is on another host, and
// no limit is exceeded.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(head + answer("/c/", isCalendar+`<cs:getctag>1</cs:getctag>`) + object("x") + `</d:multistatus>`))
	f.Add([]byte(head + answer("/", `<cal:calendar-home-set><d:href>/me/</d:href></cal:calendar-home-set>`) + `</d:multistatus>`))
	f.Add([]byte(head + answer("//evil/", isCalendar) + answer("http://evil/c/", isCalendar) + `</d:multistatus>`))
	f.Add([]byte(`<multistatus xmlns="DAV:"><response><href>%zz</href><propstat><status>HTTP/1.1</status></propstat></response></multistatus>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := New(fetch.NewWith(always(data)), fetch.Request{URL: "http://h/dav/", Auth: fetch.Auth{Username: "me", Password: "hush"}}, false)
		for range 2 {
			texts, _ := s.Look(t.Context(), from, to)
			if len(texts) > MaxObjects || len(s.all) > MaxCollections {
				t.Errorf("%d texts of %d calendars", len(texts), len(s.all))
			}
		}
		state := s.State()
		for _, c := range state.Collections {
			if !strings.HasPrefix(c.URL, "http://h/") && !strings.HasPrefix(c.URL, "http://h:80/") {
				t.Errorf("a calendar at %q", c.URL)
			}
		}
		next := New(nil, s.ask, false)
		if next.Restore(state); len(next.Texts()) != len(s.Texts()) {
			t.Errorf("kept %d texts of %d", len(next.Texts()), len(s.Texts()))
		}
	})
}
