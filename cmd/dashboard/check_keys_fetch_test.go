package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckFetchKeys: a wrong key of a fetched value is reported where the program is written, with the keys that exist.
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
