package draft

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The test of a calendar explains in plain words why its address fails, and what to do. The address stays secret.
func TestReasons(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var code int
		_, _ = fmt.Sscanf(r.URL.Path, "/planted/%d", &code) // never fails, because the test requests only such paths
		w.WriteHeader(code)
	}))
	defer web.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String() + "/planted"
	l.Close()
	b := newBench(t, map[string]string{
		"conf.yaml": testConf, "widgets.yaml": testWall,
		"providers.yaml": "providers:\n  mine:\n    type: calendar\n    calendars:\n      - {name: Bins, url: !secret bins}\n",
	})
	for address, want := range map[string]string{
		web.URL + "/planted/404": "The server has nothing at this address (status 404). Copy the whole address again.",
		web.URL + "/planted/401": "The server denies access (status 401). Check the password or the token",
		web.URL + "/planted/418": "The server rejects the request (status 418). Check the address.",
		web.URL + "/planted/503": "The server has a problem (status 503). Test again later.",
		closed:                   "The server refuses the connection. Check the port",
		strings.Replace(web.URL, "http:", "https:", 1) + "/planted/200": "The server does not use https.",
	} {
		b.call(204, "secret", "", SecretToStore{"bins", address})
		id, _ := b.open()
		got := b.call(200, "test", id, map[string]any{"provider": "mine"})
		one, _ := got["calendars"].(map[string]any)["Bins"].(map[string]any)
		for _, words := range []any{got["words"], one["words"]} {
			if text, _ := words.(string); !strings.HasPrefix(text, want) {
				t.Errorf("%s: got %q, want %q", address, text, want)
			}
		}
		if text := fmt.Sprint(got); strings.Contains(text, "planted") || strings.Contains(text, "127.0.0.1") {
			t.Errorf("%s: the answer contains the address: %s", address, text)
		}
		b.call(204, "close", id, nil)
	}
}

// For other sources, the result of a test also contains the text of the error with the address. If the address is secret, the result
// contains only the reason.
func TestReasonOfSource(t *testing.T) {
	pages := http.NewServeMux()
	pages.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html><title>Login</title>"))
	})
	web := httptest.NewServer(pages)
	defer web.Close()
	b := newBench(t, map[string]string{
		"conf.yaml": testConf, "widgets.yaml": testWall,
		"providers.yaml": "providers:\n  open: {type: rest, url: \"" + web.URL + "/x\"}\n  closed: {type: rest, url: !secret at}\n" +
			"  page: {type: rest, url: \"" + web.URL + "/page\", jq_expression: .a}\n",
	})
	b.call(204, "secret", "", SecretToStore{"at", web.URL + "/planted"})
	id, _ := b.open()
	const words = "The server has nothing at this address (status 404). Copy the whole address again."
	for name, want := range map[string]any{"open": web.URL + ": status 404 Not Found: 404 page not found", "closed": nil} {
		if got := b.call(200, "test", id, map[string]any{"provider": name}); got["words"] != words || got["details"] != want {
			t.Errorf("%s: got %q and details %q, want %q and %q", name, got["words"], got["details"], words, want)
		}
	}
	got := b.call(200, "test", id, map[string]any{"provider": "page"})
	details, _ := got["details"].(string)
	if got["words"] != "The answer is a web page, not data. Check the address and the login." || !strings.Contains(details, "jq: expected an object") {
		t.Errorf("page: got %q and details %q", got["words"], details)
	}
}

// If the answer is not JSON, the result of a test explains what it is. The error of jq is only in the details. A wrong expression for a good
// answer keeps the error of jq.
func TestReasonOfNoJSON(t *testing.T) {
	bodies := map[string]string{
		"empty": "", "blank": " \n", "text": "It works!", "cut": `{"a": {"b": [1, 2`, "long": `{"a": "` + strings.Repeat("x", 2*maxExcerpt), "picture": "\x89PNG\r\n\x1a\n\x00\x00",
		"good": `{"b": 1}`,
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(bodies[strings.TrimPrefix(r.URL.Path, "/")]))
	}))
	defer web.Close()
	conf := "providers:\n"
	for name := range bodies {
		conf += fmt.Sprintf("  %s: {type: rest, url: %q, jq_expression: .a | keys}\n", name, web.URL+"/"+name)
	}
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall, "providers.yaml": conf})
	id, _ := b.open()
	for name, want := range map[string]string{
		"empty": "The answer is empty, not JSON. Check", "blank": "The answer is empty, not JSON. Check", "text": "The answer is plain text, not JSON. Check the address, set format,",
		"cut": "The answer is incomplete or wrong JSON.", "long": "The answer is incomplete or wrong JSON.", "picture": "The answer is a binary file,", "good": web.URL + ": jq: ",
	} {
		got := b.call(200, "test", id, map[string]any{"provider": name})
		words, _ := got["words"].(string)
		details, _ := got["details"].(string)
		if !strings.HasPrefix(words, want) || strings.Contains(details, "jq: ") == (name == "good") {
			t.Errorf("%s: got %q and details %q, want %q", name, words, details, want)
		}
	}
}
