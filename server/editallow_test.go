package server

import (
	"encoding/json"
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

// A device that may edit can allow or refuse another device. The other device then needs no code.
func TestAllowFromAnotherPhone(t *testing.T) {
	f, _ := editFixture(t, nil)
	now := dawn
	f.now = func() time.Time { return now }
	shown, name := "", ""
	f.deps.Editors = pairing.New()
	f.deps.ShowCode = func(c, n string) { shown, name = c, n }
	f.Configure(Settings{EditCodes: true})
	anna, tom := &visitor{f, map[string]string{}, nil}, &visitor{f, map[string]string{}, nil}
	anna.ask(t, "POST", "/edit/allow", `{"name":"Anna's phone"}`)
	anna.ask(t, "POST", "/edit/allow/code", `{"code":"`+shown+`"}`)
	request := func() string {
		t.Helper()
		now = now.Add(time.Minute)
		if w := tom.ask(t, "POST", "/edit/allow", `{"name":"Tom's Pixel"}`); w.Code != 200 {
			t.Fatalf("got %d %s", w.Code, w.Body)
		}
		if w := tom.ask(t, "GET", "/edit/devices", ""); w.Code != 401 {
			t.Errorf("a device without permission got %d %s", w.Code, w.Body)
		}
		w := anna.ask(t, "GET", "/edit/devices", "")
		var list struct {
			Asking []struct{ ID, Name, Address string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Asking) != 1 || list.Asking[0].Name != "Tom's Pixel" || strings.Contains(w.Body.String(), shown) {
			t.Fatalf("got %s, %v", w.Body, err)
		}
		return list.Asking[0].ID
	}
	state := func(want string) {
		t.Helper()
		if w := tom.ask(t, "POST", "/edit/allow/code", `{"code":""}`); !strings.Contains(w.Body.String(), `"state":"`+want+`"`) {
			t.Errorf("got %d %s, want the state %s", w.Code, w.Body, want)
		}
	}
	id := request()
	state("waiting")
	if w := tom.ask(t, "POST", "/edit/devices/"+id, `{}`); w.Code != 401 {
		t.Errorf("a device allowed itself: %d %s", w.Code, w.Body)
	}
	for _, want := range []int{200, 404} { // the second time, nobody waits
		if w := anna.ask(t, "POST", "/edit/devices/"+id, `{}`); w.Code != want {
			t.Errorf("allow: got %d %s, want %d", w.Code, w.Body, want)
		}
	}
	state("paired")
	if w := tom.ask(t, "GET", "/edit", ""); w.Code != 200 || shown != "" || name != "Tom's Pixel" {
		t.Errorf("after: got %d %s; the wall shows %q, %q", w.Code, w.Body, shown, name)
	}
	state("expired")
	anna.ask(t, "DELETE", "/edit/devices/"+id, "")
	id = request()
	if w := anna.ask(t, "DELETE", "/edit/devices/"+id, ""); w.Code != 200 || shown != "" || name != "" {
		t.Errorf("refuse: got %d %s; the wall shows %q, %q", w.Code, w.Body, shown, name)
	}
	state("refused")
	if w := tom.ask(t, "GET", "/edit", ""); w.Code != 401 {
		t.Errorf("a refused device: got %d %s", w.Code, w.Body)
	}
	now = now.Add(time.Minute)
	if w := tom.ask(t, "POST", "/edit/allow", `{"name":"x"}`); w.Code != 429 {
		t.Errorf("a refused device asks again: got %d %s", w.Code, w.Body)
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
