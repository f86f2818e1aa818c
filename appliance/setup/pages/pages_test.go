package pages

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/flow"
)

// A radio implements flow.Radio without doing anything.
type radio struct{}

func (radio) Open()                {}
func (radio) Close()               {}
func (radio) Search(string)        {}
func (radio) Try(flow.Network)     {}
func (radio) Reload(*flow.Network) {}
func (radio) Leave()               {}
func (radio) Both() bool           { return false }

// A card stores the finished draft.
type card struct {
	done  *flow.Draft
	fixed string // text of the corrected line
	err   error
}

func (c *card) Fix(_ *about.Mistake, text string) error {
	c.fixed = text
	return c.err
}

func (c *card) Save(flow.Draft) error { return nil }
func (c *card) Finish(d flow.Draft) error {
	c.done = &d
	return nil
}

const (
	token = "K7QM42XA"
	guest = "10.1.1.20:4711"
	home  = "192.168.1.7:4711"
)

// A fixture is a server for a board with an open access point.
type fixture struct {
	*Server
	card *card
	now  time.Duration
}

func picture(t *testing.T) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 16, 9))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{card: &card{}}
	zones := fstest.MapFS{
		"iso3166.tab": {Data: []byte("#code\tname\nDE\tGermany\nUS\tUnited States\n")},
		"zone.tab":    {Data: []byte("DE\t+5230+01322\tEurope/Berlin\tmost of Germany\nUS\t+404251-0740023\tAmerica/New_York\tEastern\n")},
	}
	gallery := fstest.MapFS{"family/wall.png": {Data: picture(t)}, "kitchen/wall.png": {Data: picture(t)}, "readme/other": {}}
	m := flow.New(flow.Options{Clock: func() time.Duration { return f.now }, Radio: radio{}, Store: f.card})
	f.Server = &Server{
		Lock: &sync.Mutex{}, Machine: m, Point: netip.MustParsePrefix("10.1.1.0/24"), Tables: ReadTables(zones, gallery), Gallery: gallery,
		Place: func() flow.Place {
			return flow.Place{Token: token, Address: "10.1.1.1", Host: "dashboard", Port: "5000"}
		},
		Pause: func(time.Duration) {},
	}
	f.now = flow.Patience
	m.Tick()
	return f
}

// asks() sends a request of a phone. If `form` is not nil, it is a POST request.
func (f *fixture) asks(from, target string, form url.Values, header ...string) *httptest.ResponseRecorder {
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.RemoteAddr = from
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

// sends() sends a form and follows the redirect.
func (f *fixture) sends(t *testing.T, from, verb string, form url.Values) string {
	t.Helper()
	w := f.asks(from, "/"+token+"/"+verb, form)
	if w.Code != http.StatusSeeOther {
		t.Fatalf("%s: got %d %s, want a redirect", verb, w.Code, w.Body)
	}
	return f.asks(from, w.Header().Get("Location"), nil).Body.String()
}

func has(t *testing.T, what, body string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(body, w) {
			t.Errorf("%s: the page lacks %q: %s", what, w, body)
		}
	}
}

var misspelled = &about.Mistake{
	File: "settings.txt", Line: 14, Reason: "mistake.mean", Right: "wifi_password",
	Rows: []about.Row{{Number: 13, Before: "wifi_name = Home"}, {Number: 14, Word: "wifi_passwort", After: " = ••••••••", Wrong: true}},
}

var wrongRole = &about.Mistake{
	File: "settings.txt", Line: 2, Reason: "mistake.as", Right: "role = client", Rows: []about.Row{{Number: 2, Before: "role = ", Word: "chef", Wrong: true}},
}

// The reason of wrongConf is no key of a sentence, but the sentence itself.
var wrongConf = &about.Mistake{
	File: "dashboard/conf.yaml", Line: 5, Reason: "port: must be a number", Rows: []about.Row{{Number: 5, Before: "  port: ", Word: "many", Wrong: true}},
}

// The page about a mistake offers to correct, delete or rewrite the line. The page shows dots for the secret. If the card cannot be
// written, the page stays the same.
func TestFix(t *testing.T) {
	f := newFixture(t)
	f.Machine.Warn(misspelled, true)
	has(t, "mistake", f.asks(guest, "/"+token, nil).Body.String(), "wifi_passwort is no setting", "Without it no network is joined.",
		`value="wifi_password = ••••••••"`, `value="right" checked`, "Password of Home", "Leave the line out", "Write it myself", "settings.txt.old")
	form := url.Values{"number": {"14"}, "was": {"wifi_passwort = ••••••••"}, "choice": {"own"}, "line": {"x"}}
	f.card.err = errors.New("the card is full")
	has(t, "full card", f.sends(t, guest, "fix", form), "the card is full", "wifi_passwort", `id="line" name="line" value="x"`, `value="own" checked`)
	f.card.err = nil
	for choice, want := range map[string]string{"right": "wifi_password = ••••••••", "out": "", "own": "wifi_country = DE"} {
		g := newFixture(t)
		g.Machine.Warn(misspelled, true)
		form.Set("line", "wifi_country = DE")
		form.Set("choice", choice)
		has(t, choice, g.sends(t, guest, "fix", form), "Hello.")
		if g.card.fixed != want {
			t.Errorf("%s: got %q, want %q", choice, g.card.fixed, want)
		}
	}
	f.sends(t, guest, "fix", form)
	f.Machine.Applied(true)
	has(t, "the network is joined", f.asks(guest, "/"+token, nil).Body.String(), "The line is fixed.", `data-poll="1"`, "up to 40 s")
	f = newFixture(t)
	f.Machine.Warn(misspelled, true)
	form.Set("was", "wifi_name = Home")
	has(t, "a line that the wall does not show", f.sends(t, guest, "fix", form), "wifi_passwort is no setting")
	if f.card.fixed != "" {
		t.Errorf("got %q, want nothing", f.card.fixed)
	}
	f.Machine.Warn(wrongRole, true)
	has(t, "a wrong value", f.asks(guest, "/"+token, nil).Body.String(), "role = chef", "For example: role = client", `value="own" checked`, `value="role = chef"`)
	f.Machine.Warn(wrongConf, true)
	has(t, "a file of the wall", f.asks(guest, "/"+token, nil).Body.String(), "dashboard/conf.yaml, line 5", "port: must be a number", `value="  port: many"`)
	form = url.Values{"number": {"5"}, "was": {"  port: many"}, "choice": {"own"}, "line": {"  port: 80"}}
	if f.sends(t, guest, "fix", form); f.card.fixed != "  port: 80" {
		t.Errorf("got %q", f.card.fixed)
	}
	g := newFixture(t)
	g.Machine.Warn(misspelled, true)
	has(t, "skipped", g.sends(t, guest, "skip", url.Values{}), "Hello.")
}

// The pages after the network step show an error in the files of the wall: its position, its reason, and the steps that correct the
// error.
func TestTrouble(t *testing.T) {
	f := newFixture(t)
	f.Problem = func() string { return "widgets.yaml:7:3: widgets[1].widget: unknown widget <clok>; near: clock" }
	f.Machine.Opened("10.1.1.20", false)
	f.Machine.Settle("kitchen", "Europe/Berlin", "")
	wants := []string{
		"widgets.yaml, line 7 is not understood.", "widgets.yaml:7:3: widgets[1].widget: unknown widget &lt;clok&gt;; near: clock",
		"Open dashboard/widgets.yaml on the drive DASHBOARD.", "Correct line 7, save, put the card back.",
	}
	has(t, "wall", f.asks(guest, "/"+token, nil).Body.String(), append(wants, "Choose a wall")...)
	f.Machine.Finish()
	has(t, "done", f.asks(guest, "/"+token, nil).Body.String(), append(wants, "kitchen is ready")...)
	f.Problem = func() string { return "/etc/dashboard: permission denied" }
	body := f.asks(guest, "/"+token, nil).Body.String()
	has(t, "no line", body, "/etc/dashboard: permission denied")
	f.Problem = func() string { return "" }
	if good := f.asks(guest, "/"+token, nil).Body.String(); strings.Contains(body, "laptop") || strings.Contains(good, `role="alert"`) {
		t.Errorf("got steps without a line in %s, or an alert without an error in %s", body, good)
	}
}

// The addresses with which phones test for internet access are redirected to the page.
func TestCaptive(t *testing.T) {
	for name, target := range map[string]string{
		"iOS, macOS": "http://captive.apple.com/hotspot-detect.html",
		"Android":    "http://connectivitycheck.gstatic.com/generate_204",
		"Windows":    "http://www.msftconnecttest.com/connecttest.txt",
		"Firefox":    "http://detectportal.firefox.com/canonical.html",
		"typed":      "http://10.1.1.1/",
		"any":        "http://example.org/a/b?c=d",
	} {
		f := newFixture(t)
		w := f.asks(guest, target, nil)
		if got := w.Header().Get("Location"); w.Code != http.StatusFound || got != "http://10.1.1.1/"+token {
			t.Errorf("%s: got %d to %q, want the page", name, w.Code, got)
		}
		if f.Machine.State() != flow.Greeting {
			t.Errorf("%s: the wall does not know that a phone is there", name)
		}
	}
}

// Without the token, a phone at home sees only the form in which a person types the token. Wrong tokens are answered slowly.
func TestToken(t *testing.T) {
	f := newFixture(t)
	pauses := 0
	f.Pause = func(time.Duration) { pauses++ }
	has(t, "the root", f.asks(home, "/", nil).Body.String(), "Enter the code")
	for _, target := range []string{"/K7QM42XB", "/K7QM42X", "/x/style.css", "/K7QM42XB/speak"} {
		if w := f.asks(home, target, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", target, w.Code)
		}
	}
	if w := f.asks(home, "/", url.Values{"code": {"AAAA AAAA"}}); w.Code != http.StatusNotFound || pauses != 5 {
		t.Errorf("a wrong code: got %d after %d pauses, want 404 after 5", w.Code, pauses)
	} else {
		has(t, "a wrong code", w.Body.String(), "The wall does not show this code.", `name="code"`)
	}
	for _, name := range []string{"/style.css", "/page.js"} { // the form's own files
		if w := f.asks(home, name, nil); w.Code != http.StatusOK || pauses != 5 {
			t.Errorf("%s: got %d after %d pauses, want 200", name, w.Code, pauses)
		}
	}
	for _, code := range []string{"k7qm 42xa", "K7QM42XA", "k7qm-42xa"} {
		if w := f.asks(home, "/", url.Values{"code": {code}}); w.Header().Get("Location") != "/"+token {
			t.Errorf("%s: got %d %v", code, w.Code, w.Header())
		}
	}
	has(t, "small letters", f.asks(home, "/k7qm42xa", nil).Body.String(), "Hello.")
}

// TestWalk checks the five steps on a phone, with one wrong password.
func TestWalk(t *testing.T) {
	f := newFixture(t)
	first := f.asks(guest, "/"+token, nil, "Accept-Language", "de-DE,de;q=0.9").Body.String()
	has(t, "the phone's language and country", first, `lang="de"`, "Hallo.", `value="de" checked`, `value="DE" selected`)
	list := f.sends(t, guest, "speak", url.Values{"language": {"en"}, "country": {"DE"}})
	has(t, "the list", list, "Choose your Wi-Fi", "Searching", `data-poll="1"`)
	f.Machine.Heard([]flow.Found{
		{Name: "Sonnenallee 12", Signal: -50, Security: flow.WPA3}, {Name: "Café <b>", Signal: -70}, {Name: "eduroam", Signal: -75, Security: flow.Enterprise},
		{Name: "old", Signal: -76, Security: flow.Unsupported}, {Name: "far", Signal: -80, Security: flow.WPA2, Fast: true}, {Name: "caf\xe9 bytes", Signal: -81, Security: flow.WPA2},
	})
	list = f.asks(guest, "/"+token, nil).Body.String()
	has(t, "the list", list, "strong · WPA3", "Café &lt;b&gt;", "open: others can read along", "needs a user name", "its protection is not supported", "5 GHz: this board cannot", "name is not UTF-8")
	if strings.Contains(list, `value="eduroam"`) || strings.Contains(list, `value="far"`) || strings.Contains(list, `bytes">`) {
		t.Error("a network that cannot be joined can be tapped")
	}
	has(t, "the password", f.asks(guest, "/"+token+"?network=Sonnenallee+12", nil).Body.String(), "Password of Sonnenallee 12", "WPA3")
	try := url.Values{"network": {"Sonnenallee 12"}, "password": {"short"}, "inside": {"1"}}
	has(t, "a short password", f.sends(t, guest, "try", try), "A password has 8 to 63 characters.", `aria-invalid="true"`)
	try.Set("password", "Kirschbaum-0815")
	has(t, "the test", f.sends(t, guest, "try", try), "Trying Sonnenallee 12", "Network found")
	f.Machine.At(flow.Seen)
	f.Machine.End(flow.Refused)
	again := f.asks(guest, "/"+token, nil).Body.String()
	has(t, "refused", again, "The network refused the password.", `value="Kirschbaum-0815"`, "Try again", "checked")
	has(t, "another network", f.sends(t, guest, "forget", url.Values{}), "Choose your Wi-Fi")
	f.sends(t, guest, "try", try)
	f.Machine.End(flow.NoInternet)
	offline := f.asks(guest, "/"+token, nil).Body.String()
	has(t, "no internet", offline, "No internet behind the network.", "Choose another network", "Use it anyway")
	f.sends(t, guest, "try", try)
	f.Machine.At(flow.Reached)
	place := f.asks(home, "/"+token, nil).Body.String()
	has(t, "the place", place, "Name and place", "Berlin, Germany", "Europe/Berlin")
	form := url.Values{"name": {"Küche"}, "zone": {"Europe/Berlin"}, "place": {"Europe/Berlin"}}
	has(t, "a wrong name", f.sends(t, home, "settle", form), "Use letters, digits and hyphens.")
	form.Set("name", "Kitchen")
	form.Set("coordinates", "north")
	has(t, "wrong coordinates", f.sends(t, home, "settle", form), "Write two numbers")
	form.Set("coordinates", "")
	has(t, "the walls", f.sends(t, home, "settle", form), "Choose a wall", "Family", "Kitchen")
	has(t, "a tap", f.sends(t, home, "prefer", url.Values{"wall": {"family"}}), `class="large"`, "Use Family")
	if w := f.asks(home, "/"+token+"/walls/family.png", nil); w.Code != http.StatusOK || w.Body.Len() == 0 {
		t.Errorf("the picture: got %d", w.Code)
	}
	has(t, "done", f.sends(t, home, "finish", url.Values{}), "kitchen is ready", "<bdi>kitchen.local</bdi>", "http://kitchen.local:5000/", "It joins Sonnenallee 12 again.")
	want := flow.Draft{
		Step: flow.StepDone, Done: true, Language: "en", Country: "DE", Inside: true, Name: "kitchen", Zone: "Europe/Berlin", Place: "52.50, 13.37",
		Wall: "family", Network: &flow.Network{Name: "Sonnenallee 12", Password: "Kirschbaum-0815"},
	}
	got := *f.card.done
	if *got.Network != *want.Network {
		t.Errorf("got the network %+v", got.Network)
	}
	if got.Network, want.Network = nil, nil; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A second phone sees that another phone does the set-up. It cannot change anything, but it can take over.
func TestSecondPhone(t *testing.T) {
	f := newFixture(t)
	f.asks(guest, "/"+token, nil)
	const other = "10.1.1.21:99"
	has(t, "the second phone", f.asks(other, "/"+token, nil).Body.String(), "Another phone sets this wall up.", "Go on here instead")
	f.sends(t, other, "speak", url.Values{"language": {"fr"}, "country": {"FR"}})
	if v := f.Machine.View("10.1.1.20"); v.Draft.Language != "" {
		t.Errorf("the second phone chose %s", v.Draft.Language)
	}
	has(t, "takes over", f.sends(t, other, "take", url.Values{}), "Hello.")
	has(t, "the first", f.asks(guest, "/"+token, nil).Body.String(), "Another phone sets this wall up.")
}

// A person can enter the name of a hidden network. Without a password the network counts as an open network.
func TestHidden(t *testing.T) {
	f := newFixture(t)
	f.asks(guest, "/"+token, nil)
	f.sends(t, guest, "speak", url.Values{"language": {"en"}, "country": {"DE"}})
	has(t, "the form", f.asks(guest, "/"+token+"?hidden=1", nil).Body.String(), "A hidden network", `name="network"`)
	has(t, "no name", f.sends(t, guest, "try", url.Values{"hidden": {"1"}, "network": {""}, "password": {"12345678"}}), "A hidden network")
	f.sends(t, guest, "try", url.Values{"hidden": {"1"}, "network": {"attic"}, "password": {""}})
	if v := f.Machine.View("10.1.1.20"); v.State != flow.Trying || v.Try != (flow.Network{Name: "attic", Hidden: true}) {
		t.Errorf("got %v of %+v", v.State, v.Try)
	}
}

// Requests that no page sends get a 4xx status and change nothing.
func TestBadRequests(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		verb string
		form url.Values
	}{
		{"unknown", url.Values{}},
		{"speak", url.Values{"language": {"../etc"}, "country": {"DE"}}},
		{"speak", url.Values{"language": {"de"}, "country": {"Germany"}}},
		{"prefer", url.Values{"wall": {"../family"}}},
		{"settle", url.Values{"name": {"kitchen"}, "zone": {"Mars/Olympus"}}},
		{"settle", url.Values{"name": {"kitchen"}, "zone": {"UTC"}, "place": {"Mars/Olympus"}}},
		{"try", url.Values{"network": {strings.Repeat("x", maxForm)}}},
	} {
		if w := f.asks(guest, "/"+token+"/"+c.verb, c.form); w.Code < 400 || w.Code > 499 || !strings.Contains(w.Body.String(), `"error"`) {
			t.Errorf("%s %.80v: got %d %s", c.verb, c.form, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/walls/%252e%252e.png", "/walls/none.png", "/page.html", "/x"} {
		if w := f.asks(guest, "/"+token+target, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", target, w.Code)
		}
	}
	if v := f.Machine.View("10.1.1.20"); v.Draft.Language != "" || v.State != flow.Walking {
		t.Errorf("got %+v", v)
	}
}

func TestCoordinates(t *testing.T) {
	for text, want := range map[string]string{
		"48.52, 9.06": "48.52, 9.06", "48.52 9.06": "48.52, 9.06", "-33.9,18.4": "-33.9, 18.4", "": "", " ": "",
		"91, 0": "!", "0, 181": "!", "48": "!", "NaN, 1": "!", "1, 2, 3": "!", "a, b": "!",
	} {
		got, ok := coordinates(text)
		if !ok {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestTables(t *testing.T) {
	f := newFixture(t)
	if c := f.Tables.Cities; len(c) != 2 || c[0] != (City{"DE", "Berlin", "Europe/Berlin", "52.50, 13.37"}) || c[1].At != "40.70, -74.00" {
		t.Errorf("got the cities %+v", c)
	}
	if w := f.Tables.Walls; len(w) != 2 || w[0] != "family" {
		t.Errorf("got the walls %q, want the two with a picture", w)
	}
}
