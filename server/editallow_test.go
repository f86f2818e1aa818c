package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/control/pairing"
)

// A visitor is a client that keeps cookies.
type visitor struct {
	f       *fixture
	cookies map[string]string
	header  map[string]string
}

func (b *visitor) ask(t *testing.T, method, target, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.RemoteAddr, r.Host = "192.168.1.9:1000", "wall.local"
	r.Header.Set("Content-Type", "application/json")
	for k, v := range b.header {
		r.Header.Set(k, v)
	}
	for k, v := range b.cookies {
		r.AddCookie(&http.Cookie{Name: k, Value: v})
	}
	w := httptest.NewRecorder()
	b.f.Handler().ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/edit" {
			t.Errorf("the cookie %s can be read or sent by others: %+v", c.Name, c)
		}
		b.cookies[c.Name] = c.Value
	}
	return w
}

// The code on the wall allows a phone to edit until the phone is removed. The code is valid once. The code of one phone does not allow
// another phone.
func TestAllowAPhone(t *testing.T) {
	f, _ := editFixture(t, nil)
	f.now = func() time.Time { return dawn }
	shown, allowed := "", ""
	f.deps.Editors = pairing.New()
	f.deps.ShowCode = func(code, name string) {
		if shown, allowed = code, name; code != "" {
			allowed = ""
		}
	}
	f.Configure(Settings{ControlToken: pointer("qr"), EditCodes: true})
	anna := &visitor{f, map[string]string{}, map[string]string{"Authorization": "Bearer qr"}}
	mallory := &visitor{f, map[string]string{}, map[string]string{"Authorization": "Bearer qr"}}
	if w := anna.ask(t, "GET", "/edit", ""); w.Code != 401 || !strings.Contains(w.Body.String(), `"why":"code"`) {
		t.Fatalf("before: got %d %s", w.Code, w.Body)
	}
	stranger := &visitor{f, map[string]string{}, nil}
	if w := stranger.ask(t, "POST", "/edit/allow", `{"name":"x"}`); w.Code != 401 || shown != "" {
		t.Errorf("without the remote's token: got %d", w.Code)
	}
	if w := mallory.ask(t, "POST", "/edit/allow", `{"name":"Mallory"}`); w.Code != 200 || strings.Contains(w.Body.String(), shown) {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	f.now = func() time.Time { return dawn.Add(time.Minute) }
	if w := anna.ask(t, "POST", "/edit/allow", `{"name":"Anna's phone"}`); w.Code != 200 || len(shown) != 6 {
		t.Fatalf("got %d %s, code %q", w.Code, w.Body, shown)
	}
	if w := anna.ask(t, "POST", "/edit/allow/code", `{"code":"x"}`); w.Code != 403 || !strings.Contains(w.Body.String(), `"left":2`) {
		t.Errorf("a wrong code: got %d %s", w.Code, w.Body)
	}
	if w := mallory.ask(t, "POST", "/edit/allow/code", `{"code":"`+shown+`"}`); w.Code == 200 {
		t.Error("the code of another device let this one in")
	}
	if w := anna.ask(t, "POST", "/edit/allow/code", `{"code":"`+shown[:3]+" "+shown[3:]+`"}`); w.Code != 200 || allowed != "Anna's phone" {
		t.Fatalf("the code: got %d %s, %q", w.Code, w.Body, allowed)
	}
	w := anna.ask(t, "GET", "/edit", "")
	if w.Code != 200 {
		t.Errorf("after: got %d %s", w.Code, w.Body)
	}
	// Each start of the editor extends the lifetime of the cookie, so that a phone in use keeps the permission.
	if c := w.Result().Cookies(); len(c) != 1 || c[0].Name != editCookie || c[0].MaxAge != int(editCookieTime.Seconds()) {
		t.Errorf("after: got the cookies %v", c)
	}
	if w := mallory.ask(t, "GET", "/edit", ""); w.Code != 401 || len(w.Result().Cookies()) > 0 {
		t.Errorf("another device: got %d, cookies %v", w.Code, w.Result().Cookies())
	}
	stolen := &visitor{f, map[string]string{editCookie: anna.cookies[editCookie]}, map[string]string{"Origin": "http://evil.example"}}
	if w := stolen.ask(t, "GET", "/edit", ""); w.Code != 403 {
		t.Errorf("the cookie from another site's page: got %d", w.Code)
	}
	id := f.deps.Editors.Devices()[0].ID
	if w := anna.ask(t, "DELETE", "/edit/devices/"+id, ""); w.Code != 200 {
		t.Errorf("remove: got %d", w.Code)
	}
	stolen.header = nil
	if w := stolen.ask(t, "GET", "/edit", ""); w.Code != 401 {
		t.Errorf("a stolen cookie of a removed device: got %d", w.Code)
	}
}

// The third wrong code ends the request of a device that wants to edit.
func TestThreeWrongCodes(t *testing.T) {
	f, _ := editFixture(t, nil)
	f.now = func() time.Time { return dawn }
	code := ""
	f.deps.Editors = pairing.New()
	f.deps.ShowCode = func(c, _ string) { code = c }
	f.Configure(Settings{EditCodes: true})
	b := &visitor{f, map[string]string{}, nil}
	b.ask(t, "POST", "/edit/allow", `{"name":"x"}`)
	for range 3 {
		b.ask(t, "POST", "/edit/allow/code", `{"code":"00000x"}`)
	}
	if w := b.ask(t, "POST", "/edit/allow/code", `{"code":"`+code+`"}`); w.Code != 404 {
		t.Errorf("the right code after three wrong ones: got %d %s", w.Code, w.Body)
	}
}
