package wall

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// A mailService is an OAuth server with an API. Its access tokens expire so early that every
// request needs a new token. A refresh token is valid only once.
type mailService struct {
	mu         sync.Mutex
	challenge  string
	refresh    string // the only valid refresh token
	access     string // the only valid access token, or ""
	issued     int
	mails      int // number of answers of the API
	foreign    int // number of API requests with a wrong token while the permission is valid
	authorized int // number of pages that the user has opened
}

func (s *mailService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = r.ParseForm()
	switch r.URL.Path {
	case "/allow": // the user allows the access at once
		s.authorized++
		s.challenge = r.Form.Get("code_challenge")
		w.Header().Set("Location", r.Form.Get("redirect_uri")+"?"+url.Values{"code": {"c"}, "state": {r.Form.Get("state")}}.Encode())
		w.WriteHeader(http.StatusFound)
	case "/token":
		s.token(w, r)
	case "/mails":
		if s.access == "" || r.Header.Get("Authorization") != "Bearer "+s.access {
			if s.access != "" { // the request may have been sent before the user withdrew the permission
				s.foreign++
			}
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.mails++
		fmt.Fprintf(w, `{"unread": "%d unread"}`, 40+s.mails)
	}
}

func (s *mailService) token(w http.ResponseWriter, r *http.Request) {
	sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
	good := r.Form.Get("code") == "c" && base64.RawURLEncoding.EncodeToString(sum[:]) == s.challenge
	if r.Form.Get("grant_type") == "refresh_token" {
		good = s.refresh != "" && r.Form.Get("refresh_token") == s.refresh
	}
	if !good || r.Form.Get("client_id") != "app-of-the-user" {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error": "invalid_grant"}`)
		return
	}
	s.issued++
	s.access, s.refresh = fmt.Sprint("planted-access-", s.issued), fmt.Sprint("planted-refresh-", s.issued)
	fmt.Fprintf(w, `{"access_token": %q, "refresh_token": %q, "expires_in": 60}`, s.access, s.refresh)
}

// count returns the number of issued tokens and the number of the API's answers.
func (s *mailService) count() (issued, mails int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.issued, s.mails
}

// withdraw ends the permission, as a user does in the settings of the service.
func (s *mailService) withdraw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.access, s.refresh = "", ""
}

// allowed() opens an address of the service as a browser does. It returns the address to which the service redirects the browser.
func allowed(t *testing.T, address string) string {
	t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(httptest.NewRequest(http.MethodGet, address, nil))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.Header.Get("Location")
}

// mailsToken is the token that a browser needs for the editor.
const mailsToken = "edit-this-wall"

// mailFiles are the files of a wall with a recipe that needs a permission. For the test in a
// browser, the wall also accepts every host name, and its editor has a token.
func mailFiles(port int, service string) files {
	conf := editConf(port)
	if *inFull {
		conf = strings.Replace(conf, "{port: ", "{names: ['*'], auth: {config_token: "+mailsToken+"}, port: ", 1)
	}
	return files{
		"conf.yaml":    conf,
		"secrets.yaml": "app: app-of-the-user\n",
		"widgets.yaml": "theme: calm\nwidgets:\n  - {widget: use, recipe: mails, server: '" + service + "', app: !secret app}\n",
		"recipes/mails/recipe.yaml": "name: mails\ntitle: Mails\nabout: Mails.\nversion: \"1\"\nlicense: CC0-1.0\nauthor: A\nhosts: [\"{server}\"]\nparameters:\n" +
			"  server: {type: address, help: Server.}\n  app: {type: secret, help: App.}\n",
		"recipes/mails/providers.yaml": "providers:\n  box:\n    url: \"{server}/mails\"\n    update_interval: 1\n    auth:\n" +
			"      oauth: {authorize: \"{server}/allow\", token: \"{server}/token\", client_id: \"{app}\", scopes: [read]}\n",
		"recipes/mails/widgets.yaml": "widgets:\n  - {widget: text, title: Mails, text: !data .box.unread}\n",
	}
}

// In the editor of a running wall, the user gives a permission to a recipe, withdraws it, and gives it again. Each request renews the
// access token. The page and the wall show each state. With -long, the user gives the permission by touch in a browser.
func TestOAuthOnAWall(t *testing.T) {
	t.Parallel()
	service := &mailService{}
	srv := httptest.NewServer(service)
	defer srv.Close()
	port, states := freePort(t), t.TempDir()
	p := start(t, port, mailFiles(port, srv.URL), "--state-dir", states)
	p.serves("/frame", http.StatusOK)
	connect, state := p.connectMails, func(want string) {
		t.Helper()
		eventually(t, "the state is "+want, func() bool { return p.connection() == want })
	}
	if *inFull {
		connect, state = p.connectByFinger()
	}
	shows := func(words string) {
		t.Helper()
		var text string
		defer func() {
			if t.Failed() {
				t.Log(text)
			}
		}()
		eventually(t, "the wall shows "+words, func() bool { _, text = p.get("/text"); return strings.Contains(text, words) })
	}
	state("none")
	shows("refuses the token")
	for _, round := range []string{"first", "again"} {
		connect()
		shows(" unread")
		issued, mails := service.count()
		eventually(t, "each request has a new token", func() bool { i, m := service.count(); return i > issued+1 && m > mails+1 })
		state("connected")
		eventually(t, "the wall shows no permission to give", func() bool { _, text := p.get("/text"); return !strings.Contains(text, "withdrawn") })
		service.withdraw()
		shows("Out of date, since") // the wall still shows the last value
		shows("mails.box, the permission was withdrawn or has expired: connect again in the editor")
		eventually(t, "the log has the reason", func() bool { return strings.Contains(p.log.String(), "the permission was withdrawn or has expired") })
		state("revoked")
		t.Log(round, "round ends")
	}
	if service.foreign > 0 || service.authorized != 2 {
		t.Errorf("%d requests without a good token, %d pages of the service", service.foreign, service.authorized)
	}
	p.noTokens(states)
}

// connection returns the state of the only connection.
func (p *program) connection() string {
	var got struct {
		Connections []struct{ Provider, State string }
	}
	_, body := p.get("/edit/connections")
	if json.Unmarshal([]byte(body), &got) != nil || len(got.Connections) != 1 || got.Connections[0].Provider != "mails.box" {
		return body
	}
	return got.Connections[0].State
}

// connectMails sends the requests with which the editor's page gives the permission.
func (p *program) connectMails() {
	p.t.Helper()
	var got struct{ URL string }
	if status, body := p.post("/edit/connections/mails.box", "{}"); status != http.StatusOK || json.Unmarshal([]byte(body), &got) != nil {
		p.t.Fatalf("got %d %s", status, body)
	}
	back, _ := json.Marshal(map[string]string{"address": allowed(p.t, got.URL)})
	for want := range 2 { // paste the address twice, because it must be valid only once
		if status, body := p.post("/edit/connections/mails.box/paste", string(back)); (status == http.StatusOK) != (want == 0) {
			p.t.Errorf("attempt %d: got %d %s", want, status, body)
		}
	}
}

// connectByFinger returns two functions that use the page on a phone. `connect` gives the permission. `state` waits until the page shows
// a state. Services redirect only to https addresses and to localhost, so the user pastes the address.
func (p *program) connectByFinger() (connect func(), state func(string)) {
	t := p.t
	w := &walker{t: t, ctx: newChromium(t)}
	open := func() {
		w.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(fmt.Sprintf("http://wall.localhost:%d/edit/", p.port)))
		w.until("document.querySelector('h1.headline, header h1')")
		w.run(walkHelp)
		if w.is("find('Token')") {
			w.write("Token", mailsToken)
			w.press("Open the editor")
		}
		w.press("Data")
		w.until("document.querySelector('[aria-label=Connections]')")
	}
	words := map[string]string{"none": "not connected", "connected": "connected", "revoked": "the permission was withdrawn or has expired"}
	state = func(want string) {
		t.Helper()
		open()
		w.until(fmt.Sprintf("document.querySelector('[aria-label=Connections] small').textContent === %q", words[want]))
		w.keep("connection-" + want)
	}
	return func() {
		t.Helper()
		w.press("Connect")
		w.until("document.querySelector('[aria-label=Connections] a')")
		at, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("document.querySelector('[aria-label=Connections] a').href"))
		if err != nil {
			t.Fatal(err)
		}
		back := allowed(t, at)
		if !strings.HasPrefix(back, "http://localhost?") {
			t.Errorf("the service leads back to %s", back)
		}
		w.write("2. The browser then cannot show a page.", back)
		w.keep("connection-pasted")
		w.press("Finish")
		w.until("toasts.some((t) => t.includes('mails.box is connected'))")
		w.keep("connection-finished")
	}, state
}

// noTokens checks that only one file contains the tokens, and that only its owner can read this
// file. Answers and the log of the wall do not contain the tokens.
func (p *program) noTokens(states string) {
	p.t.Helper()
	kept, err := filepath.Glob(filepath.Join(states, "oauth", "oauth-*.json"))
	if err != nil || len(kept) != 1 {
		p.t.Fatalf("got %v, %v", kept, err)
	}
	if info, err := os.Stat(kept[0]); err != nil || info.Mode().Perm() != 0o600 {
		p.t.Errorf("got %v, %v", info, err)
	}
	for _, path := range []string{"/text", "/values", "/widgets", "/healthz", "/metrics", "/edit/connections"} {
		if _, body := p.get(path); strings.Contains(body, "planted-") {
			p.t.Errorf("%s has a token: %s", path, body)
		}
	}
	if strings.Contains(p.log.String(), "planted-") {
		p.t.Error("the log has a token")
	}
}
