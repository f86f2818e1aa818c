package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// fakeValues has one provider, which is named door.
type fakeValues struct{ got string }

func (f *fakeValues) Values(name string) ([]Value, bool) {
	if name != "" && name != "door" {
		return nil, false
	}
	return []Value{{Name: "door", Type: "push", Value: json.RawMessage(`{"open":true}`)}}, true
}

func (f *fakeValues) Put(name string, body []byte) error {
	switch {
	case name == "sun":
		return ErrNotPushed
	case name != "door":
		return ErrNoProvider
	case string(body) == "bad":
		return errors.New("it is bad")
	}
	f.got = string(body)
	return nil
}

// TestValues requests values and sends a value. The requests need the control token, and invalid input is refused.
func TestValues(t *testing.T) {
	f := newFixture(t)
	values := &fakeValues{}
	f.deps.Values = values
	token := "geheim"
	f.Configure(Settings{ControlToken: &token})
	for _, tt := range []struct {
		method, path, body, token string
		status                    int
		want                      string
	}{
		{"GET", "/values", "", token, 200, `"values":[{"name":"door","type":"push","value":{"open":true}`},
		{"GET", "/values/door", "", token, 200, `"value":{"name":"door"`},
		{"GET", "/values/wind", "", token, 404, "no provider has this name; there are: door"},
		{"GET", "/values", "", "", 401, "control bearer token"},
		{"PUT", "/values/door", `{"open":false}`, token, 200, `"success":true`},
		{"PUT", "/values/door", `1`, "wrong", 401, "control bearer token"},
		{"PUT", "/values/wind", `1`, token, 404, "no provider has this name; there are: door"},
		{"PUT", "/values/sun", `1`, token, 405, "type: push"},
		{"PUT", "/values/door", "bad", token, 400, "it is bad"},
		{"PUT", "/values/door", strings.Repeat("x", maxBody+1), token, 413, "65536"},
		{"POST", "/values/door", "1", token, 405, ""},
		{"PUT", "/values", "1", token, 405, ""},
	} {
		r := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
		r.Host = "127.0.0.1"
		if tt.token != "" {
			r.Header.Set("Authorization", "Bearer "+tt.token)
		}
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, r)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s %s: got %d %s, want %d %s", tt.method, tt.path, w.Code, w.Body, tt.status, tt.want)
		}
	}
	if values.got != `{"open":false}` {
		t.Errorf("got %q", values.got)
	}
	r := httptest.NewRequest(http.MethodPut, "/values/door", strings.NewReader("1"))
	r.Host = "127.0.0.1"
	r.Header.Set("Origin", "https://elsewhere.example")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("from a page elsewhere: got %d", w.Code)
	}
}
