package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The user gives a permission in a browser or by pasting an address, for a provider of the wall or of a recipe. The commands values and
// check then use the permission. If the permission has ended, they print an error that a user understands.
func TestConnect(t *testing.T) {
	const mail = "steps: [{url: 'SERVER/api/newest', keep: {id: .id}}, {url: 'SERVER/api/{id}'}]\n" +
		"    auth: {oauth: {authorize: 'SERVER/allow', token: 'SERVER/token', client_id: w, scopes: [read]}}\n"
	t.Run("wall", func(t *testing.T) {
		connectAndUse(t, "mail", files{
			"widgets.yaml":   "theme: calm\nwidgets: [{widget: text, text: !data .mail.subject}]\n",
			"providers.yaml": "providers:\n  mail:\n    " + mail,
		})
	})
	t.Run("recipe", func(t *testing.T) {
		connectAndUse(t, "mails.box", files{
			"widgets.yaml": "theme: calm\nwidgets: [{widget: use, recipe: mails, server: SERVER}]\n",
			"recipes/mails/recipe.yaml": "name: mails\ntitle: Mails\nabout: Mails.\nversion: \"1\"\nlicense: CC0-1.0\nauthor: A\nhosts: ['{server}']\n" +
				"parameters:\n  server: {type: address, help: Server., example: 'http://nas.lan'}\n",
			"recipes/mails/providers.yaml": "providers:\n  box:\n    " + strings.ReplaceAll(mail, "SERVER", "{server}"),
			"recipes/mails/widgets.yaml":   "widgets: [{widget: text, text: !data .box.subject}]\n",
		})
	})
}

// connectAndUse connects the named provider of a wall. In the files, SERVER stands for the address of the service.
func connectAndUse(t *testing.T, provider string, wall files) {
	t.Helper()
	gone := false
	mux := http.NewServeMux()
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if r.ParseForm(); gone {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error": "invalid_grant"}`)
			return
		}
		fmt.Fprint(w, `{"access_token": "a", "refresh_token": "r", "expires_in": 3600}`)
	})
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		if gone || r.Header.Get("Authorization") != "Bearer a" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/api/newest" {
			fmt.Fprint(w, `{"id": 17}`)
			return
		}
		fmt.Fprintf(w, `{"subject": "letter %s"}`, filepath.Base(r.URL.Path))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	dir, states := t.TempDir(), t.TempDir()
	for name, text := range wall {
		wall[name] = strings.ReplaceAll(text, "SERVER", server.URL)
	}
	wall["conf.yaml"] = "outputs: [{type: stream}]\ngraphics: {resolution: [400, 300]}\n"
	wall.write(t, dir)
	t.Setenv("STATE_DIRECTORY", states)
	call := func(words ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), words, &out, &errs, nil)
		return code, out.String() + errs.String()
	}
	if code, text := call("values", dir, provider); code != 1 || !strings.Contains(text, "not connected: connect it in the editor or run 'dashboard connect'") {
		t.Errorf("before: got %d, %s", code, text)
	}
	for _, paste := range []bool{false, true} {
		if err := allow(t, dir, provider, paste); err != nil {
			t.Fatalf("pasted %v: %v", paste, err)
		}
		if code, text := call("values", dir, provider); code != 0 || !strings.Contains(text, `"subject": "letter 17"`) {
			t.Errorf("got %d, %s", code, text)
		}
	}
	if code, text := call("check", "--fetch", dir); code != 0 {
		t.Errorf("check: got %d, %s", code, text)
	}
	gone = true
	if code, text := call("check", "--fetch", dir); code != 1 || !strings.Contains(text, "the permission was withdrawn or has expired") {
		t.Errorf("withdrawn: got %d, %s", code, text)
	}
	if code, text := call("connect", dir, "mial"); code != 1 || !strings.Contains(text, "there are: "+provider) {
		t.Errorf("another name: got %d, %s", code, text)
	}
}

var opened = regexp.MustCompile(`(?m)^http\S+/allow\?\S+$`)

// allow runs the command connect and allows the access. If `paste` is true, it pastes the address. Otherwise it acts as a browser that
// follows the redirect.
func allow(t *testing.T, dir, provider string, paste bool) error {
	t.Helper()
	o := &options{}
	o.Name, o.wall.Home, o.wall.Widgets = provider, dir, "widgets.yaml"
	typed, typing := io.Pipe()
	shown, showing := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- connect(context.WithoutCancel(t.Context()), o, typed, showing); showing.Close() }()
	var text []byte
	for part := make([]byte, 4096); !opened.Match(text); {
		n, err := shown.Read(part)
		if err != nil {
			return err
		}
		text = append(text, part[:n]...)
	}
	go io.Copy(io.Discard, shown)
	u, err := url.Parse(opened.FindString(string(text)))
	if err != nil {
		return err
	}
	back := u.Query().Get("redirect_uri") + "?code=c&state=" + u.Query().Get("state")
	if paste {
		fmt.Fprintln(typing, back)
	} else if resp, err := http.Get(back); err != nil {
		return err
	} else {
		resp.Body.Close()
	}
	return <-done
}
