package caldav

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/testing/hostiletest"
	"dashboard/internal/testing/thorough"
)

func sorted(words string) string {
	all := strings.Fields(words)
	slices.Sort(all)
	return strings.Join(all, " ")
}

const head = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">`

// answer returns a response with the given properties, and with other properties that are reported as missing.
func answer(href, props string) string {
	return `<d:response><d:href>` + href + `</d:href><d:propstat><d:prop><cs:getctag/><cal:calendar-home-set><d:href>/no</d:href></cal:calendar-home-set></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>` +
		`<d:propstat><d:prop>` + props + `</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
}

const isCalendar = `<d:resourcetype><d:collection/><cal:calendar/></d:resourcetype>`

func object(summary string) string {
	return `<d:response><d:href>/c/` + summary + `.ics</d:href><d:propstat><d:prop><cal:calendar-data>BEGIN:VCALENDAR&#13;
BEGIN:VEVENT&#13;
SUMMARY:` + summary + `&#13;
DTSTART:20260514T123000Z&#13;
END:VEVENT&#13;
END:VCALENDAR&#13;
</cal:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
}

// multi() sends an answer with status 207 that contains the given responses.
func multi(w http.ResponseWriter, answers ...string) {
	w.WriteHeader(whole)
	fmt.Fprint(w, head+strings.Join(answers, "")+`</d:multistatus>`)
}

// TestWays starts at the root of the server and finds the calendars through redirects, a principal and a folder. The redirected requests
// keep their method, although net/http alone would change the method to GET.
func TestWays(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+r.URL.Path+r.Header.Get("Depth"))
		if name, word, _ := r.BasicAuth(); name != "me" || word != "hush" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		switch r.Method + r.URL.Path {
		case "PROPFIND/":
			http.Error(w, "a page for people", http.StatusMethodNotAllowed)
		case "PROPFIND/.well-known/caldav":
			http.Redirect(w, r, "/dav", http.StatusMovedPermanently)
		case "PROPFIND/dav":
			http.Redirect(w, r, "/dav/", http.StatusFound)
		case "PROPFIND/dav/":
			multi(w, answer("/dav/", `<d:current-user-principal><d:href>people/me/</d:href></d:current-user-principal>`))
		case "PROPFIND/dav/people/me/":
			multi(w, answer("/dav/people/me/", `<cal:calendar-home-set><d:href>/dav/me/</d:href></cal:calendar-home-set>`))
		case "PROPFIND/dav/me/":
			multi(w, answer("/dav/me/", `<d:resourcetype><d:collection/></d:resourcetype>`), answer("/dav/me/a/", isCalendar+`<d:sync-token>1</d:sync-token>`),
				answer("/dav/me/inbox/", `<d:resourcetype><cal:schedule-inbox/></d:resourcetype>`), answer("/dav/me/notes/", isCalendar+`<cal:supported-calendar-component-set><cal:comp name="VJOURNAL"/></cal:supported-calendar-component-set>`))
		case "REPORT/dav/me/a/":
			multi(w, object("lunch"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	s := New(fetch.New(&fetch.Options{}), fetch.Request{URL: server.URL, Auth: fetch.Auth{Username: "me", Password: "hush"}}, false)
	texts, err := s.Look(t.Context(), from, to)
	if err != nil || titles(texts) != "lunch lunch" { // twice, because the events and the tasks are requested separately
		t.Fatalf("got %q, %v; asked %v", titles(texts), err, asked)
	}
	asked = nil
	if _, err := s.Look(t.Context(), from, to); err != nil || fmt.Sprint(asked) != "[PROPFIND/dav/me/1]" {
		t.Errorf("a second look: %v, %v", asked, err)
	}
}

// TestElsewhere: after a redirect to another host, or an answer with an address on another host, the password is not sent to that host.
// The error names the host, unless the configured address is secret.
func TestElsewhere(t *testing.T) {
	var told atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); ok {
			told.Store(true)
		}
		http.Error(w, "who?", http.StatusUnauthorized)
	}))
	defer other.Close()
	for name, reply := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		},
		"home": func(w http.ResponseWriter, r *http.Request) {
			multi(w, answer("/", `<cal:calendar-home-set><d:href>`+other.URL+`/me/</d:href></cal:calendar-home-set>`))
		},
		"principal": func(w http.ResponseWriter, r *http.Request) {
			multi(w, answer("/", `<d:current-user-principal><d:href>`+other.URL+`/me/</d:href></d:current-user-principal>`))
		},
		"calendar": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Depth") == "0" {
				multi(w, answer("/", `<cal:calendar-home-set><d:href>/</d:href></cal:calendar-home-set>`))
				return
			}
			multi(w, answer(other.URL+"/c/", isCalendar))
		},
	} {
		server := httptest.NewServer(reply)
		s := New(fetch.New(&fetch.Options{}), fetch.Request{URL: server.URL, Auth: fetch.Auth{Username: "me", Password: "hush"}}, false)
		_, err := s.Look(t.Context(), from, to)
		if err == nil || name != "calendar" && !strings.Contains(err.Error(), "configure that address to send the password there") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", name, err)
		}
		s.ask.Secret = true
		if _, err := s.Look(t.Context(), from, to); err == nil || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s of a secret address: %v", name, err)
		}
		server.Close()
	}
	if told.Load() {
		t.Error("another host was told the password")
	}
}

// TestHostile: servers hang, send slowly, send wrong data, redirect without an end, break off, send a decompression bomb, nest deeply or
// send too much. The previous texts stay, and each request ends within its time limit.
func TestHostile(t *testing.T) {
	thorough.Only(t)
	var mode atomic.Value
	mode.Store("good")
	stop := make(chan struct{})
	many := strings.Repeat(object("x"), MaxObjects+1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "PROPFIND" {
			switch mode.Load() {
			case "good", "half", "bomb", "deep", "many", "wide", "entities", "report hangs", "other":
				multi(w, answer("/", isCalendar+fmt.Sprintf(`<cs:getctag>%v</cs:getctag><cal:supported-calendar-component-set><cal:comp name="VEVENT"/></cal:supported-calendar-component-set>`, mode.Load())))
				return
			}
		}
		switch mode.Load() {
		case "good":
			multi(w, object("lunch"))
		case "hang", "report hangs":
			hostiletest.Hang(stop)(w, r)
		case "drip":
			hostiletest.Drip(stop, whole, "", " ")(w, r)
		case "lie":
			fmt.Fprint(w, "<html>please log in</html>")
		case "lie in words":
			w.WriteHeader(whole)
			fmt.Fprint(w, "<html>please log in</html>")
		case "other":
			w.WriteHeader(whole)
			fmt.Fprint(w, "{}")
		case "redirect":
			http.Redirect(w, r, r.URL.Path+"x", http.StatusMovedPermanently)
		case "file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "half":
			w.WriteHeader(whole)
			fmt.Fprint(w, head+object("dinner"))
		case "bomb":
			hostiletest.Bomb(whole, head, " ", 64<<20)(w, r)
		case "deep":
			w.WriteHeader(whole)
			fmt.Fprint(w, head+strings.Repeat("<a>", 1<<20))
		case "wide":
			w.WriteHeader(whole)
			fmt.Fprint(w, head+"<a "+strings.Repeat(`b="" `, 1<<20)+"/></d:multistatus>")
		case "entities":
			w.WriteHeader(whole)
			fmt.Fprint(w, `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`+head+"&b;")
		case "many":
			multi(w, many)
		case "gone":
			http.Error(w, "no such calendar", http.StatusNotFound)
		}
	}))
	defer server.Close()
	defer close(stop)
	s := New(fetch.New(&fetch.Options{}), fetch.Request{URL: server.URL, Timeout: time.Minute}, false)
	if texts, err := s.Look(t.Context(), from, to); err != nil || titles(texts) != "lunch" {
		t.Fatalf("got %q, %v", titles(texts), err)
	}
	s.ask.Timeout = 300 * time.Millisecond
	for _, m := range []string{"hang", "report hangs", "drip", "lie", "lie in words", "other", "redirect", "file", "half", "bomb", "deep", "wide", "entities", "gone"} {
		mode.Store(m)
		if m == "wide" || m == "bomb" || m == "deep" { // in these cases, the limit for bytes ends the answer before the timeout
			s.ask.Timeout = 20 * time.Second
		}
		texts, err := s.Look(t.Context(), from, to)
		if err == nil || titles(texts) != "lunch" {
			t.Errorf("%s: got %q, %v", m, titles(texts), err)
		}
	}
	mode.Store("many")
	s.ask.Timeout = time.Minute
	if texts, err := s.Look(t.Context(), from, to); len(texts) > MaxObjects {
		t.Errorf("got %d objects, %v", len(texts), err)
	}
	mode.Store("good")
	if texts, err := s.Look(t.Context(), from, to); err != nil || titles(texts) != "lunch" {
		t.Errorf("well again: got %q, %v", titles(texts), err)
	}
}

// TestLargeList rejects a list of calendars that exceeds its limit.
func TestLargeList(t *testing.T) {
	for more, large := range map[int]bool{1 << 10: false, maxList: true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "PROPFIND" {
				multi(w, answer("/", isCalendar+`<cs:getctag>1</cs:getctag>`), strings.Repeat(" ", more))
				return
			}
			multi(w, object("lunch"))
		}))
		client := fetch.New(&fetch.Options{})
		_, err := New(client, fetch.Request{URL: server.URL}, false).Look(t.Context(), from, to)
		if errors.Is(err, fetch.ErrTooLarge) != large || err != nil && !large {
			t.Errorf("%d bytes more: got %v", more, err)
		}
		client.CloseIdle()
		server.Close()
	}
}

// TestColor reads the color that Apple's calendar program sets. The color is stored for the next start.
func TestColor(t *testing.T) {
	for given, want := range map[string]string{"#FF2968FF": "#ff2968", " #0082C9 ": "#0082c9", "red": "", "#ff00": "", "#ff00gg": "", "": ""} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "PROPFIND" {
				multi(w, answer("/", isCalendar+`<cs:getctag>1</cs:getctag><a:calendar-color xmlns:a="http://apple.com/ns/ical/">`+given+`</a:calendar-color>`))
				return
			}
			multi(w, object("lunch"))
		}))
		client := fetch.New(&fetch.Options{})
		s := New(client, fetch.Request{URL: server.URL}, false)
		if _, err := s.Look(t.Context(), from, to); err != nil || s.Color() != want {
			t.Errorf("%q: got %q, %v, want %q", given, s.Color(), err, want)
		}
		next := New(client, fetch.Request{URL: server.URL}, false)
		next.Restore(s.State())
		if next.Color() != want {
			t.Errorf("%q after a restart: got %q, want %q", given, next.Color(), want)
		}
		client.CloseIdle()
		server.Close()
	}
}
