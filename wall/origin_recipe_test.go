package wall

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRecipesFromAddress checks a wall whose files come from an address. These files use a built-in recipe and a recipe in their own
// folder. The second recipe requests values from a server that the wall's owner chose. A recipe with an error does not change the wall.
func TestRecipesFromAddress(t *testing.T) {
	t.Parallel()
	asked := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"level": "a heron at the pond"}`) })
	pond := httptest.NewServer(asked)
	defer pond.Close()
	recipe := "name: pond\ntitle: Pond\nabout: What the pond's sensor has seen.\nversion: \"1.0\"\nlicense: CC0-1.0\nauthor: the family\n" +
		"hosts: ['{server}']\nparameters:\n  server: {type: address, help: Address of the sensor., example: 'http://pond.local'}\n"
	uses := "widgets:\n  - widget: column\n    children:\n      - {widget: use, recipe: moon}\n      - {widget: use, recipe: pond, server: '" + pond.URL + "'}\n"
	var wall addressed
	wall.serve(t, map[string]string{
		"widgets.yaml":                uses,
		"recipes/pond/recipe.yaml":    recipe,
		"recipes/pond/providers.yaml": "providers:\n  seen: {url: '{server}/seen'}\n",
		"recipes/pond/widgets.yaml":   "widgets:\n  - {widget: text, text: !data .seen.level}\n",
	})
	server, own := wall.server(t, "watch")
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml":    wallConf(port, fmt.Sprintf("config_url: {url: %s/main.zip, token: !secret git, folder: kitchen, ca_file: %s}\n", server, own)),
		"secrets.yaml": "git: watch\n",
	}, "--state-dir", t.TempDir())
	eventually(t, "both recipes are on the wall", func() bool {
		text := p.text("/text")
		return strings.Contains(text, "Moon") && strings.Contains(text, "a heron at the pond")
	})

	before := p.text("/text")
	wall.serve(t, map[string]string{
		"widgets.yaml":                uses,
		"recipes/pond/recipe.yaml":    recipe,
		"recipes/pond/providers.yaml": "providers:\n  seen: {url: '{server}/seen'}\n",
		"recipes/pond/widgets.yaml":   "widgets:\n  - {widget: txet, text: !data .seen.level}\n",
	})
	answer, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/take_over", port), "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(answer.Body)
	if !strings.Contains(string(said), "recipes/pond/widgets.yaml:2:") || !strings.Contains(string(said), "txet") {
		t.Errorf("a recipe with a wrong widget: got %s", said)
	}
	if got := p.text("/text"); !strings.Contains(got, "a heron at the pond") {
		t.Errorf("the wall shows %s after the faulty recipe, before it %s", got, before)
	}
	p.end()
}
