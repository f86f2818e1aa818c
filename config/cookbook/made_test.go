package cookbook

import (
	"strings"
	"testing"

	"dashboard/internal/folder"
)

const wallWidgets = `theme: calm
widgets:
  - widget: row
    children:
      - widget: list
        name: prices
        title: Prices
        items: !data .shop.items
        item: {text: !data .item.name, value: !data .sum}
      - {widget: text, name: "short", text: !data '.shop.items[0].name', entity: sensor.kitchen_heat}
      - {widget: clock}
`

const wallProviders = `providers:
  shop:
    url: https://shop.example.org/prices
    headers: {Authorization: !secret shop_token}
  sum: {type: derived, value: !data '.shop.items | length'}
  other: {url: https://other.example.org}
`

// A widget of a wall becomes a recipe with the providers that the widget reads. Secrets become parameters, and the recipe's files do not
// contain the values of the secrets.
func TestFromWall(t *testing.T) {
	files := folder.Dir(t.TempDir()).Over(map[string][]byte{"widgets.yaml": []byte(wallWidgets), "providers.yaml": []byte(wallProviders)})
	secrets := func(string) (any, error) { return "Bearer geheim", nil }
	d, err := FromWall(files, "own-prices", "prices", secrets)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Bundle(map[string][]byte{"shop.json": []byte(`{"items": [{"name": "Milk"}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"providers.yaml": "providers:\n  shop:\n    url: https://shop.example.org/prices\n    headers: {Authorization: !param shop_token}\n  sum: {type: derived, value: !data '.shop.items | length'}\n",
		"widgets.yaml":   "widgets:\n  - widget: list\n    name: prices\n    title: Prices\n    items: !data .shop.items\n    item: {text: !data .item.name, value: !data .sum}\n",
	}
	for name, text := range want {
		if got := string(b.Files[name]); got != text {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
	if got := string(b.Files["recipe.yaml"]); !strings.Contains(got, "hosts: [shop.example.org]\nparameters:\n  shop_token: {type: secret") {
		t.Errorf("recipe.yaml: got\n%s", got)
	}
	for name, data := range b.Files {
		if strings.Contains(string(data), "geheim") {
			t.Errorf("%s has the secret", name)
		}
	}
	draw(t, b, nil)
	d, err = FromWall(files, "short", "short", secrets)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = d.Bundle(nil); err != nil || !strings.Contains(string(b.Files["widgets.yaml"]), "entity: !param kitchen_heat}") {
		t.Errorf("got %s, %v", b.Files["widgets.yaml"], err)
	}
	home := strings.ReplaceAll(wallProviders, "https://shop.example.org", "http://nas.lan:81")
	files = folder.Dir(t.TempDir()).Over(map[string][]byte{"widgets.yaml": []byte(wallWidgets), "providers.yaml": []byte(home)})
	if d, err = FromWall(files, "own-prices", "prices", secrets); err != nil {
		t.Fatal(err)
	}
	if b, err = d.Bundle(map[string][]byte{"shop.json": []byte(`{"items": [{"name": "Milk"}]}`)}); err != nil {
		t.Fatal(err)
	}
	if got := string(b.Files["providers.yaml"]); !strings.Contains(got, `url: "{server}/prices"`) {
		t.Errorf("a server at home: got\n%s", got)
	}
	draw(t, b, nil)
	for name, want := range map[string]string{"none": "there is no widget with name: none"} {
		if _, err := FromWall(files, "own", name, secrets); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	}
}

// A recipe that is made from a calendar on a CalDAV server allows requests to this server.
func TestFromWallWithCalDAV(t *testing.T) {
	files := folder.Dir(t.TempDir()).Over(map[string][]byte{
		"widgets.yaml":   []byte("theme: calm\nwidgets:\n  - {widget: agenda, name: days, provider: family}\n"),
		"providers.yaml": []byte("providers:\n  family: {type: calendar, calendars: [{caldav: https://dav.example.org/family}]}\n"),
	})
	d, err := FromWall(files, "own-days", "days", func(string) (any, error) { return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Bundle(nil)
	if got := string(b.Files["recipe.yaml"]); err != nil || !strings.Contains(got, "hosts: [dav.example.org]") {
		t.Errorf("got %v\n%s", err, got)
	}
}
