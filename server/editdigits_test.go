package server

import (
	"errors"
	"strings"
	"testing"
)

// A device that may edit can switch the six digits off. Then no other device can ask, the code of a waiting request leaves the wall, and
// devices with permission keep it.
func TestDigitsOff(t *testing.T) {
	q := newRequester(t)
	q.request(t)
	for _, body := range []string{`{"digits":false}`, `{"digits":true}`} {
		status(t, q.tom, "POST", "/edit/devices", body, 401)
	}
	evil := &visitor{q.anna.f, map[string]string{editCookie: q.anna.cookies[editCookie]}, map[string]string{"Origin": "http://evil.example"}}
	status(t, evil, "POST", "/edit/devices", `{"digits":false}`, 403)
	for _, body := range []string{`{}`, `{"digits":0}`, `{"digits":null}`, `[]`} {
		status(t, q.anna, "POST", "/edit/devices", body, 400)
	}
	list := func(want string) {
		t.Helper()
		got := q.anna.ask(t, "GET", "/edit/devices", "").Body.String()
		if !strings.Contains(got, `"codes":true`) || !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	list(`"digits":true`)
	old := q.code
	status(t, q.anna, "POST", "/edit/devices", `{"digits":false}`, 200)
	list(`"digits":false`)
	if q.code != "" || q.name != "" {
		t.Errorf("the wall shows %q, %q", q.code, q.name)
	}
	status(t, q.tom, "POST", "/edit/allow/code", `{"code":"`+old+`"}`, 404)
	status(t, q.tom, "POST", "/edit/allow", `{"name":"Tom's Pixel"}`, 404)
	if w := q.tom.ask(t, "GET", "/edit", ""); w.Code != 403 || !strings.Contains(w.Body.String(), `"why":"machine"`) {
		t.Errorf("a device without permission: got %d %s", w.Code, w.Body)
	}
	status(t, q.tom, "POST", "/edit/devices", `{"digits":true}`, 403)
	status(t, q.anna, "GET", "/edit", "", 200)
	status(t, q.anna, "POST", "/edit/devices", `{"digits":true}`, 200)
	q.request(t)
	q.editors.KeepClosed(false, func(bool) error { return errors.New("disk full") })
	status(t, q.anna, "POST", "/edit/devices", `{"digits":false}`, 500)
	list(`"digits":true`)
}
