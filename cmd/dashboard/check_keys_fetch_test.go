package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckFetchKeys checks a !data program that reads a wrong key of a fetched value. The error has the position of the program, and it
// lists the keys that exist.
func TestCheckFetchKeys(t *testing.T) {
	t.Parallel()
	dir := valueWall(t, "providers:\n  shop: {type: file, path: shop.json}\n")
	widgets := `widgets:
  - widget: column
    children:
      - {widget: text, text: !data .shop.totl}
      - {widget: text, text: .shop.total}
      - {widget: list, items: !data .shop.items}
      - {widget: list, items: !data .shop.items, item: {text: !data .item.nme}}
      - {widget: list, items: !data .shop.items, item: {text: !data .item.name}}
`
	for name, text := range map[string]string{"shop.json": `{"total": 3, "items": [{"name": "milk"}, {"name": "bread"}]}`, "widgets.yaml": widgets} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, said, _ := command(t, "check", "--fetch", dir)
	for _, want := range []string{
		"widgets.yaml:4:30: warning: !data .shop.totl: .shop has no key 'totl': it has items, total; is 'total' meant?",
		"widgets.yaml:5:30: warning: widgets[0].children[1].text: this is shown as text: write !data .shop.total to show a value",
		"widgets.yaml:6:31: warning: !data .shop.items: no entry has anything to show: write item: {text: !data .item.KEY} with one of its keys: name",
		"widgets.yaml:7:31: warning: !data .shop.items: item: !data .item.nme: .item has no key 'nme': it has name",
		"0 errors, 4 warnings.",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// TestCheckFetchBrokenFile checks a provider whose file is broken. The error has the position of
// the problem in this file and shows the line.
func TestCheckFetchBrokenFile(t *testing.T) {
	t.Parallel()
	dir := valueWall(t, "providers:\n  shop: {type: file, path: shop.json}\n")
	if err := os.WriteFile(filepath.Join(dir, "shop.json"), []byte("{\"a\": 1,\n \"b\"; 2}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, _ := command(t, "check", "--fetch", dir)
	if !strings.Contains(said, "shop.json:2:5: error: not JSON: ") || !strings.Contains(said, "\n    2 |  \"b\"; 2}\n") {
		t.Error(said)
	}
}

// TestMissingSecretAlone checks that a missing secret is reported only once. Errors that the missing secret causes are not reported.
func TestMissingSecretAlone(t *testing.T) {
	t.Parallel()
	dir := valueWall(t, "providers:\n  shop: {type: rest, url: 'http://h/', auth: {bearer: !secret token}}\n")
	_, said, _ := command(t, "check", dir)
	if !strings.Contains(said, "'!secret token'") || !strings.HasSuffix(said, "\n1 error, 0 warnings.\n") {
		t.Error(said)
	}
}
