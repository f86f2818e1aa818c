package server

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	f.deps.ShowCode = func(_, code, name string) {
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

// A requester is a device that asks for the permission to edit, and a device that answers the request.
type requester struct {
	anna, tom *visitor
	now       time.Time
	id, code  string // shown on the wall
	name      string // device that has the permission, as the wall shows it
	editors   *pairing.Registry
}

// newRequester returns Anna's phone, which may edit, and Tom's phone, which may not.
func newRequester(t *testing.T) *requester {
	t.Helper()
	f, _ := editFixture(t, nil)
	q := &requester{now: dawn, editors: pairing.New()}
	f.now = func() time.Time { return q.now }
	f.deps.Editors = q.editors
	f.deps.ShowCode = func(id, code, name string) {
		if code != "" || q.id == id { // as on the wall, the code of another request stays
			q.id, q.code, q.name = id, code, name
		}
	}
	f.Configure(Settings{EditCodes: true})
	q.anna = &visitor{f, map[string]string{}, nil}
	q.tom = &visitor{f, map[string]string{}, map[string]string{"User-Agent": "(Linux; Android 10; K) Chrome/126.0"}}
	q.anna.ask(t, "POST", "/edit/allow", `{"name":"Anna's phone"}`)
	q.anna.ask(t, "POST", "/edit/allow/code", `{"code":"`+q.code+`"}`)
	return q
}

// request sends a request from Tom's phone. It returns the ID under which Anna's phone lists it.
func (q *requester) request(t *testing.T) string {
	t.Helper()
	q.now = q.now.Add(10 * time.Minute)
	w := q.tom.ask(t, "POST", "/edit/allow", `{"name":"Tom's Pixel"}`)
	if c := w.Result().Cookies(); w.Code != 200 || len(c) != 1 || c[0].MaxAge != int(2*pairing.WaitTime/time.Second) {
		t.Fatalf("got %d %s, %v", w.Code, w.Body, c)
	}
	return q.listed(t, false)
}

// listed returns the ID of the only request in the list of Anna's phone.
func (q *requester) listed(t *testing.T, allowed bool) string {
	t.Helper()
	w := q.anna.ask(t, "GET", "/edit/devices", "")
	var list struct {
		Asking []struct {
			ID, Name, Address, Browser string
			Allowed                    bool
		}
	}
	err := json.Unmarshal(w.Body.Bytes(), &list)
	if err != nil || len(list.Asking) != 1 || list.Asking[0].Name != "Tom's Pixel" || list.Asking[0].Address != "192.168.1.9" ||
		list.Asking[0].Browser != "Chrome on Android" || list.Asking[0].Allowed != allowed {
		t.Fatalf("got %s, %v", w.Body, err)
	}
	if q.code != "" && strings.Contains(w.Body.String(), q.code) {
		t.Errorf("the list has the code of the wall: %s", w.Body)
	}
	return list.Asking[0].ID
}

// state checks the state of the request that Tom's phone reads.
func (q *requester) state(t *testing.T, want string) {
	t.Helper()
	if w := q.tom.ask(t, "POST", "/edit/allow/code", `{"code":""}`); !strings.Contains(w.Body.String(), `"state":"`+want+`"`) {
		t.Errorf("got %d %s, want the state %s", w.Code, w.Body, want)
	}
}

// status sends a request and checks the status of the answer.
func status(t *testing.T, v *visitor, method, target, body string, want int) {
	t.Helper()
	if w := v.ask(t, method, target, body); w.Code != want || want >= 400 && !strings.Contains(w.Body.String(), `"error":"`) {
		t.Errorf("%s %s: got %d %s, want %d", method, target, w.Code, w.Body, want)
	}
}

// A device that may edit can allow another device, also at the end of its request. The other device then needs no code.
func TestAllowFromAnotherPhone(t *testing.T) {
	q := newRequester(t)
	id := q.request(t)
	q.state(t, "waiting")
	status(t, q.tom, "GET", "/edit/devices", "", 401)
	status(t, q.tom, "POST", "/edit/devices/"+id, `{}`, 401)
	status(t, q.tom, "DELETE", "/edit/devices/"+id, "", 401)
	evil := &visitor{q.anna.f, map[string]string{editCookie: q.anna.cookies[editCookie]}, map[string]string{"Origin": "http://evil.example"}}
	status(t, evil, "POST", "/edit/devices/"+id, `{}`, 403)
	evil.header = map[string]string{"Sec-Fetch-Site": "cross-site"}
	status(t, evil, "POST", "/edit/devices/"+id, `{}`, 403)
	evil.header = map[string]string{"Content-Type": "text/plain"}
	status(t, evil, "POST", "/edit/devices/"+id, `{}`, 415)
	status(t, q.anna, "POST", "/edit/devices/"+id, `{"code":"1"}`, 400)
	status(t, q.anna, "POST", "/edit/devices/"+id, strings.Repeat(" ", maxBody+1), 413)
	status(t, q.anna, "POST", "/edit/devices/none", `{}`, 404)
	q.state(t, "waiting")
	q.now = q.now.Add(pairing.WaitTime - time.Second)
	for range 2 { // a second tap changes nothing
		status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 200)
	}
	q.listed(t, true)
	if q.code == "" || q.name != "Tom's Pixel" {
		t.Errorf("the code left the wall before the device came: %q", q.code)
	}
	q.now = q.now.Add(pairing.WaitTime - time.Second)
	q.state(t, "paired")
	status(t, q.tom, "GET", "/edit", "", 200)
	if q.code != "" || q.name != "Tom's Pixel" {
		t.Errorf("the wall shows %q, %q", q.code, q.name)
	}
	q.state(t, "expired")
	if w := q.anna.ask(t, "GET", "/edit/devices", ""); !strings.Contains(w.Body.String(), `"browser":"Chrome on Android"`) {
		t.Errorf("the device: got %s", w.Body)
	}
	status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 404) // it is a device now
	status(t, q.anna, "DELETE", "/edit/devices/"+id, "", 200)
	status(t, q.tom, "GET", "/edit", "", 401)
	id = q.request(t)
	q.now = q.now.Add(pairing.WaitTime)
	status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 404) // too late
}

// A removed device has no permission at once. A device that may edit can undo the removal for a limited time.
func TestUndoRemoval(t *testing.T) {
	q := newRequester(t)
	id := q.request(t)
	status(t, q.anna, "POST", "/edit/devices/"+id, `{"days":50}`, 200)
	q.state(t, "paired")
	list := func() string { return q.anna.ask(t, "GET", "/edit/devices", "").Body.String() }
	before, undo := list(), "/edit/devices/"+id+"/undo"
	status(t, q.anna, "POST", undo, `{}`, 404) // it is not removed
	status(t, q.anna, "DELETE", "/edit/devices/"+id, "", 200)
	status(t, q.tom, "GET", "/edit", "", 401)
	status(t, q.tom, "POST", undo, `{}`, 401)
	evil := &visitor{q.anna.f, map[string]string{editCookie: q.anna.cookies[editCookie]}, map[string]string{"Origin": "http://evil.example"}}
	status(t, evil, "POST", undo, `{}`, 403)
	status(t, q.anna, "POST", undo, `{"days":1}`, 400)
	status(t, q.anna, "POST", undo, `{}`, 200)
	if got := list(); got != before {
		t.Errorf("got %s, want %s", got, before)
	}
	status(t, q.tom, "GET", "/edit", "", 200)
	status(t, q.anna, "DELETE", "/edit/devices/"+id, "", 200)
	q.now = q.now.Add(pairing.UndoTime)
	status(t, q.anna, "POST", undo, `{}`, 404)
	status(t, q.tom, "GET", "/edit", "", 401)
}

// A guest may edit until the end that the list shows.
func TestAllowAGuest(t *testing.T) {
	q := newRequester(t)
	id := q.request(t)
	for _, days := range []string{`0`, `-1`, `401`, `"50"`, `1.5`} {
		status(t, q.anna, "POST", "/edit/devices/"+id, `{"days":`+days+`}`, 400)
	}
	q.listed(t, false)
	status(t, q.anna, "POST", "/edit/devices/"+id, `{"days":50}`, 200)
	ends := q.now.AddDate(0, 0, 50)
	q.state(t, "paired")
	list := q.anna.ask(t, "GET", "/edit/devices", "").Body.String()
	if want := `"ends_at":"` + ends.UTC().Format("2006-01-02T15:04"); strings.Count(list, want) != 1 || !strings.Contains(list, `"ends_at":null`) {
		t.Errorf("got %s, want %s", list, want)
	}
	q.now = ends.Add(-time.Second)
	status(t, q.tom, "GET", "/edit", "", 200)
	q.now = ends
	if list = q.anna.ask(t, "GET", "/edit/devices", "").Body.String(); strings.Contains(list, id) {
		t.Errorf("after the end: got %s", list)
	}
	status(t, q.tom, "GET", "/edit", "", 401)
	status(t, q.anna, "GET", "/edit", "", 200)
}

// A device that may edit can refuse a request, also after the request was allowed. Only the code of this request leaves the wall.
func TestRefuseFromAnotherPhone(t *testing.T) {
	for name, before := range map[string]func(*testing.T, *requester, string){
		"waiting": func(*testing.T, *requester, string) {},
		"allowed": func(t *testing.T, q *requester, id string) {
			status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 200)
		},
		"the code of another device": func(_ *testing.T, q *requester, _ string) { q.id, q.code = "other", "654321" },
	} {
		t.Run(name, func(t *testing.T) {
			q := newRequester(t)
			id := q.request(t)
			before(t, q, id)
			other := q.id != id
			status(t, q.anna, "DELETE", "/edit/devices/"+id, "", 200)
			if (q.code == "654321") != other || !other && (q.code != "" || q.name != "") {
				t.Errorf("the wall shows %q, %q", q.code, q.name)
			}
			status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 404)
			q.state(t, "refused")
			q.state(t, "expired")
			status(t, q.tom, "GET", "/edit", "", 401)
			q.now = q.now.Add(time.Minute)
			status(t, q.tom, "POST", "/edit/allow", `{"name":"x"}`, 429)
		})
	}
}

// If the list of devices is full, no device can be allowed. If codes are off, the page of a device cannot use the request.
func TestAllowWithoutRoom(t *testing.T) {
	q := newRequester(t)
	full := q.editors.Devices()
	for n := range pairing.MaxDevices - 1 {
		full = append(full, pairing.Device{ID: fmt.Sprint("x", n), Hash: bytes.Repeat([]byte{byte(n)}, 32)})
	}
	q.editors.Keep(full, func([]pairing.Device) error { return nil })
	id := q.request(t)
	status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 409)
	q.listed(t, false)
	status(t, q.anna, "DELETE", "/edit/devices/x1", "", 200)
	status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 200)
	token := "s3cret"
	q.anna.f.Configure(Settings{ConfigToken: &token})
	q.anna.header = map[string]string{"Authorization": "Bearer s3cret"}
	status(t, q.anna, "POST", "/edit/devices/"+id, `{}`, 404)
	status(t, q.tom, "POST", "/edit/allow/code", `{"code":""}`, 404)
}

// The third wrong code ends the request of a device that wants to edit.
func TestThreeWrongCodes(t *testing.T) {
	f, _ := editFixture(t, nil)
	f.now = func() time.Time { return dawn }
	code := ""
	f.deps.Editors = pairing.New()
	f.deps.ShowCode = func(_, c, _ string) { code = c }
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
