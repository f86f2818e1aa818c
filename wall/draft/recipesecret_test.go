package draft

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"dashboard/server"
)

// echo starts a server with a list of issues. Each answer contains the secret of the request. `asked` counts the requests that have the
// right secret.
func echo(t *testing.T, secret string) (address string, asked *atomic.Int64) {
	asked = &atomic.Int64{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "token "+secret {
			asked.Add(1)
		}
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		fmt.Fprintf(w, `[{"title": "Roof", "number": 1, "echo": %q, "repository": {"full_name": "a/b"}, "updated_at": "2026-05-04T09:00:00Z"}]`, r.Header.Get("Authorization"))
	}))
	t.Cleanup(web.Close)
	return web.URL, asked
}

// The test adds a recipe with a secret by the same requests as the page. The value of the secret is in secrets.yaml, and requests to the
// recipe's server contain this value. No answer, picture, diff, archive, version, log or other file contains the value.
func TestSecretOfARecipe(t *testing.T) {
	const secret = "hunter2hunter2hunter2"
	address, asked := echo(t, secret)
	b := newBench(t, usual)
	id, _ := b.open()
	var sent bytes.Buffer // all answers of the editor except the pictures
	ask := func(verb, of, query, accept string, body any) {
		t.Helper()
		text, _ := json.Marshal(body)
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		a, err := b.Edit(context.Background(), server.EditCall{Verb: verb, ID: of, Query: q, Accept: accept, Body: text, Caller: "Anna's phone"})
		if err != nil {
			t.Fatalf("%s: %v", verb, err)
		}
		fields, _ := json.Marshal(a.Fields)
		fmt.Fprintf(&sent, "%s: %s %s\n", verb, fields, a.Body)
	}
	ask("gallery", "", "", "", nil)
	ask("secret", "", "", "", SecretToStore{"gitea_token", secret})
	ask("secrets", "", "", "", nil)
	ask("places", id, "add=use", "", nil)
	row := b.call(200, "state", id, nil)["tree"].(*Node).Children[0]
	use := "widget: use\nrecipe: gitea\nserver: " + address + "\ntoken: !secret gitea_token\n"
	ask("ops", id, "", "", map[string]any{"ops": []Op{{Op: "add", Parent: row.ID, Hash: row.Hash, Index: 0, YAML: use}}})
	if p := b.call(200, "state", id, nil)["problems"].([]Problem); len(p) > 0 {
		t.Fatalf("problems: %v", p)
	}
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	name := ""
	d.mu.Lock()
	for _, one := range d.drawn.gen.Sources.Names() {
		if strings.Contains(one, "issues") {
			name = one
		}
	}
	d.mu.Unlock()
	ask("test", id, "", "", map[string]any{"provider": name})
	if asked.Load() == 0 || !strings.Contains(sent.String(), "Roof") {
		t.Fatalf("the source %q was asked %d times with the secret: %s", name, asked.Load(), sent.Bytes())
	}
	for _, verb := range []string{"state", "diff", "theme", "values", "zip"} {
		ask(verb, id, "", "", nil)
	}
	ask("diff", id, "", "text/x-diff", nil)
	first := picture480(t, d)
	ask("apply", id, "", "", map[string]any{})
	ask("versions", "", "", "", nil)
	ask("version", "1", "", "", nil)
	ask("undo-version", "1", "", "", map[string]any{})
	ask("restore", "1", "", "", map[string]any{})
	ask("state", id, "", "", nil)
	if strings.Contains(sent.String(), secret) {
		i := strings.Index(sent.String(), secret)
		t.Errorf("the secret was sent: …%s", sent.String()[max(0, i-600):i])
	}
	if strings.Contains(b.log.String(), secret) {
		t.Errorf("the secret is in the log: %s", b.log)
	}
	b.call(204, "secret", "", SecretToStore{"gitea_token", "another-token"})
	if second := picture480(t, d); !bytes.Equal(first, second) {
		t.Error("the picture depends on the secret")
	}
	b.call(204, "secret", "", SecretToStore{"gitea_token", secret})
	for dir, only := range map[string]string{b.dir: "secrets.yaml", filepath.Dir(b.Versions.dir): ""} {
		if got := filesWith(t, dir, secret, b.Versions); strings.Join(got, " ") != only {
			t.Errorf("the secret is in the files %q, want %q", got, only)
		}
	}
}

func picture480(t *testing.T, d *Draft) []byte {
	t.Helper()
	png, err := d.Picture(Shot{Width: 480, Height: 288, Sample: true})
	if err != nil {
		t.Fatal(err)
	}
	return png
}

// filesWith lists the files below the folder `dir` that contain `text`. It unpacks the versions in k before it searches them.
func filesWith(t *testing.T, dir, text string, k *Versions) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			list = append(list, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for v := range k.newest {
		if data, _ := json.Marshal(v); bytes.Contains(data, []byte(text)) {
			list = append(list, fmt.Sprintf("version %d", v.N))
		}
	}
	return list
}
