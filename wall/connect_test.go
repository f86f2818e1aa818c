package wall

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// A mailService is a service with OAuth 2 and one value.
type mailService struct {
	mu     sync.Mutex
	gone   bool // the user has withdrawn the permission
	access string
	issued int
}

func (s *mailService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.ParseForm(); {
	case r.URL.Path == "/token" && (s.gone || r.Form.Get("grant_type") == "authorization_code" && (r.Form.Get("code") != "c" || r.Form.Get("code_verifier") == "")):
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error": "invalid_grant"}`)
	case r.URL.Path == "/token":
		s.issued++
		s.access = fmt.Sprint("access", s.issued)
		fmt.Fprintf(w, `{"access_token": %q, "refresh_token": "r%d", "expires_in": 3600}`, s.access, s.issued)
	case s.gone || r.Header.Get("Authorization") != "Bearer "+s.access || s.access == "":
		w.WriteHeader(http.StatusUnauthorized)
	default:
		fmt.Fprint(w, `{"mails": 37}`)
	}
}

func (s *mailService) set(gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = gone
}

// begun begins a connection as the editor's page does. It returns the address of the service and the browser's cookie.
func (w *glassWall) begun(origin string) (address, back url.Values, cookie *http.Cookie) {
	w.t.Helper()
	a := w.ask("POST /edit/connections/mail", []string{"Content-Type", "application/json", "Origin", origin}, "{}")
	var got struct{ URL, Redirect string }
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != http.StatusOK {
		w.t.Fatal(a.status, a.body)
	}
	cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
	if err != nil || cookie.SameSite != http.SameSiteLaxMode || !cookie.HttpOnly {
		w.t.Fatal(cookie, err)
	}
	u, err := url.Parse(got.URL)
	if err != nil || u.Query().Get("redirect_uri") != got.Redirect || got.Redirect != origin+"/edit/connected" {
		w.t.Fatal(got, err)
	}
	return u.Query(), url.Values{"state": {u.Query().Get("state")}, "code": {"c"}}, cookie
}

// returns is the answer to a browser that the service leads back.
func (w *glassWall) returns(back url.Values, cookie *http.Cookie) answer {
	w.t.Helper()
	return w.ask("GET /edit/connected?"+back.Encode(), []string{"Cookie", cookie.Name + "=" + cookie.Value, "Sec-Fetch-Site", "cross-site"}, "")
}

// A permission is given on the wall's own page, and the wall shows the value at once. A withdrawn permission is a sentence on the wall, and
// is given again on the page.
func TestConnectOnPage(t *testing.T) {
	t.Parallel()
	mail := &mailService{}
	server := httptest.NewServer(mail)
	defer server.Close()
	w := startGlass(t, 240, files{
		"providers.yaml": "providers:\n  mail: {url: " + server.URL + "/api, update_interval: 1h, auth: {oauth: {authorize: " + server.URL + "/allow, token: " + server.URL +
			"/token, client_id: w, scopes: [read]}}}\n",
		"widgets.yaml": "theme: calm\nwidgets: [{widget: card, title: Mail, value: !data .mail.mails}]\n",
	})
	origin := w.url("")
	shows := func(what string) {
		t.Helper()
		eventually(t, "the wall shows "+what, func() bool { return strings.Contains(w.text("/text"), what) })
	}
	state := func(want string) {
		t.Helper()
		if got := w.text("/edit/connections"); !strings.Contains(got, `"provider":"mail","state":"`+want+`"`) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	shows("refuses the token")
	state("none")

	_, back, first := w.begun(origin)
	query, later, cookie := w.begun(origin)
	if query.Get("code_challenge_method") != "S256" {
		t.Errorf("got %v", query)
	}
	for name, a := range map[string]answer{
		"second start":   w.returns(back, first),
		"foreign cookie": w.returns(later, first),
		"foreign state":  w.returns(url.Values{"state": {"<b>"}, "code": {"c"}}, cookie),
	} {
		if a.status != http.StatusForbidden || !strings.Contains(a.body, "begin again") {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
	}
	state("none")
	if a := w.returns(later, cookie); a.status != http.StatusOK || a.header.Get("Referrer-Policy") != "no-referrer" || strings.Contains(a.body, "access1") {
		t.Errorf("got %d %v %s", a.status, a.header, a.body)
	}
	shows("37")
	state("connected")
	if a := w.returns(later, cookie); a.status != http.StatusForbidden {
		t.Errorf("the second visit: got %d", a.status)
	}

	mail.set(true)
	w.s.builder.Providers.Again("mail")
	eventually(t, "the withdrawal is noticed", func() bool { return strings.Contains(w.text("/edit/connections"), `"state":"revoked"`) })
	eventually(t, "the wall reports it", func() bool { return w.log.Count("the permission was withdrawn or has expired") > 0 })
	mail.set(false)
	_, back, cookie = w.begun(origin)
	if a := w.returns(url.Values{"state": back["state"], "error": {"access_denied"}}, cookie); a.status != http.StatusForbidden || !strings.Contains(a.body, "denied") {
		t.Errorf("denied: got %d %s", a.status, a.body)
	}
	a := w.ask("POST /edit/connections/mail", []string{"Content-Type", "application/json"}, "{}") // a page that the service cannot lead back to
	var got struct{ URL, Redirect string }
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || got.Redirect != "http://localhost" {
		t.Fatal(a.body, err)
	}
	u, err := url.Parse(got.URL)
	if err != nil {
		t.Fatal(err)
	}
	pasted := `{"address": "http://localhost/?code=c&state=` + u.Query().Get("state") + `"}`
	if status, body := w.post("/edit/connections/mail/paste", pasted); status != http.StatusOK {
		t.Errorf("pasted: got %d %s", status, body)
	}
	state("connected")
}
