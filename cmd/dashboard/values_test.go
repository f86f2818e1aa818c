package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/wall/scene"
)

// valueWall returns a folder with a wall that has the given providers.yaml, a file numbers.csv and a secret.
func valueWall(t *testing.T, providers string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"conf.yaml":      "graphics: {resolution: [160, 96]}\noutputs: [{type: stream}]\n",
		"widgets.yaml":   "widgets: [{widget: text, text: hello}]\n",
		"secrets.yaml":   "key: hush-hush\n",
		"numbers.csv":    "n,who\n1,hush-hush\n2,b\n",
		"providers.yaml": providers,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const valueProviders = `providers:
  numbers: {type: file, path: numbers.csv}
  door: {type: push, ttl: 1h}
  sum: {type: derived, value: !data '[.numbers[].n] | add'}
  twice: {type: derived, value: !data '.sum * 2'}
  gone: {url: "file://none.json", headers: {X-Key: !secret key}}
`

// TestValuesCommand checks that the command values prints the values of the providers in a folder, without secrets.
func TestValuesCommand(t *testing.T) {
	dir := valueWall(t, strings.Replace(valueProviders, "  door: {type: push, ttl: 1h}\n", "", 1))
	_, said, errs := command(t, "values", dir)
	var list []struct {
		Name  string
		Value any
		Error any
	}
	if err := json.Unmarshal([]byte(said), &list); err != nil {
		t.Fatalf("%v: %s %s", err, said, errs)
	}
	got := map[string]any{}
	for _, v := range list {
		got[v.Name] = v.Value
		if (v.Error != nil) != (v.Name == "gone") {
			t.Errorf("%s: got the error %v", v.Name, v.Error)
		}
	}
	if got["sum"] != 3.0 || got["twice"] != 6.0 || strings.Contains(said, "hush-hush") || !strings.Contains(said, scene.Masked) {
		t.Errorf("got %s", said)
	}
	if status, said, _ := command(t, "values", dir, "sum"); status != 0 || !strings.Contains(said, `"value": 3`) {
		t.Errorf("one: got %d, %s", status, said)
	}
	if status, _, errs := command(t, "values", dir, "gone"); status != 1 || !strings.Contains(errs, "gone gave no value") {
		t.Errorf("none: got %d, %s", status, errs)
	}
	if status, _, errs := command(t, "values", dir, "som"); status != 1 || !strings.Contains(errs, "no provider is named 'som'; there are: gone, numbers, sum, twice") {
		t.Errorf("unknown: got %d, %s", status, errs)
	}
}

// TestProviderMistakes checks that errors of providers are reported at their keys.
func TestProviderMistakes(t *testing.T) {
	dir := valueWall(t, `providers:
  now: {type: push}
  a: {type: derived, value: !data .b}
  b: {type: derived, value: !data .a}
  c: {type: derived, value: !data .whether}
  weather: {type: push}
  load: {type: prometheus, url: http://h, query: up, step: 5s}
`)
	_, said, _ := command(t, "check", dir)
	for _, want := range []string{
		"no provider can be named 'now'", "it reads itself: a → b → a", "is .weather meant", "providers.yaml:7:60", "is for a range",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing of %q in:\n%s", want, said)
		}
	}
}

// TestShowIsBounded checks that the output of a large value is limited.
func TestShowIsBounded(t *testing.T) {
	list := make([]any, 10*scene.MaxListParts)
	text, cut := scene.Show(list, scene.MaxListParts, (&scene.SeenSecrets{}).Mask())
	if !cut || len(text) > 5*scene.MaxListParts+2 {
		t.Errorf("got %d bytes, cut: %v", len(text), cut)
	}
	text, cut = scene.Show(strings.Repeat("x", scene.MaxShownText+1), 10, (&scene.SeenSecrets{}).Mask())
	if !cut || len(text) > scene.MaxShownText+10 {
		t.Errorf("got %d bytes, cut: %v", len(text), cut)
	}
	g := &scene.Generation{Secrets: &scene.SeenSecrets{}}
	if v := g.Value(provider.Status{Name: "a"}, 10, time.Now()); v.Value != nil || v.Age != nil {
		t.Errorf("got %+v", v)
	}
}
