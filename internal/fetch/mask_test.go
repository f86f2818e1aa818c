package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestAnswersRepeatNoSecret: a server repeats the request in its response. The error never contains a secret of the request, no matter
// where the text of the response is cut off.
func TestAnswersRepeatNoSecret(t *testing.T) {
	pad := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, "%sno %s %s %s", strings.Repeat("-", pad), r.URL, r.Header.Get("Authorization"), r.Header.Get("X-Key"))
	}))
	defer srv.Close()
	c := New(nil)
	defer c.CloseIdle()
	for pad = 0; pad < 220; pad++ {
		for name, r := range map[string]Request{
			"bearer": {URL: srv.URL, Auth: Auth{Bearer: "planted-bearer"}},
			"basic":  {URL: srv.URL, Auth: Auth{Username: "me", Password: "planted-password"}},
			"header": {URL: srv.URL, Header: map[string]string{"X-Key": "planted-key"}},
			"auth":   {URL: srv.URL, Header: map[string]string{"Authorization": "Token planted-key"}},
			"path":   {URL: srv.URL + "/planted-path/x?key=planted-query"},
			"query":  {URL: srv.URL, Query: url.Values{"key": {"planted-query"}}},
			"secret": {URL: srv.URL + "/planted-path", Secret: true},
		} {
			resp, err := c.Do(t.Context(), &r)
			if err != nil {
				t.Fatal(err)
			}
			text := resp.Check().Error()
			resp.Release()
			if strings.Contains(text, "planted") || strings.Contains(text, "bWU6cGxhbnRlZC") || !strings.Contains(text, "403") {
				t.Fatalf("%s, %d before it: got %s", name, pad, text)
			}
			if pad == 0 && name != "secret" && !strings.Contains(text, "no ") {
				t.Errorf("%s: the server's words are gone: %s", name, text)
			}
			if _, err := c.Stream(t.Context(), &r); err == nil || strings.Contains(err.Error(), "planted") {
				t.Fatalf("%s, as a stream: got %v", name, err)
			}
		}
	}
}
