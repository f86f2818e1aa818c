package cookbook

import (
	"fmt"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/folder"
	"dashboard/internal/testing/programtest"
	"dashboard/wall/scene"
	"dashboard/wall/trial"
)

// On a busy machine, the requests and programs of a recipe need more time than the default of scene.Settle.
func init() { scene.Settle = programtest.Patience }

// The type imported is a Glance widget with answers to its requests. The widget follows Glance's documentation.
type imported struct {
	yaml    string
	answers map[string]string // answers by provider
	want    []string          // texts that the files of the recipe must contain
}

var importedWidgets = []imported{
	{"title: Random fact\n  cache: 6h\n  url: https://facts.example.org/random\n  template: |\n    <p>{{ .JSON.String \"text\" }}</p>", map[string]string{"main": `{"text": "Bees dance."}`}, []string{"url: 'https://facts.example.org/random'", "update_interval: 6h", "{text: 'Text', value: !data '.main.text'}", "hosts: [facts.example.org]"}},
	{"title: Steam specials\n  url: https://store.example.org/api?cc=de\n  template: |\n    {{ range .JSON.Array \"specials.items\" }}<li>{{ .String \"name\" }} {{ .Int \"discount_percent\" }}</li>{{ end }}", map[string]string{"main": `{"specials": {"items": [{"name": "A", "discount_percent": 50}]}}`}, []string{"items: !data '.main.specials.items'", "text: !data '.item.name', value: !data '.item.discount_percent'"}},
	{"title: Immich\n  url: http://${IMMICH_URL}/api/server/statistics\n  headers:\n    x-api-key: ${IMMICH_API_KEY}\n    Accept: application/json\n  template: |\n    {{ .JSON.Int \"photos\" | formatNumber }} {{ .JSON.Int \"videos\" }}", map[string]string{"main": `{"photos": 3, "videos": 2}`}, []string{"'{immich_url}/api/server/statistics'", "immich_api_key: {type: secret", "'x-api-key': '{immich_api_key}'", "immich_url: {type: address"}},
	{"title: NAS\n  url: http://nas.lan:8080/api/load\n  template: '{{ .JSON.Float \"load.0\" }}'", map[string]string{"main": `{"load": [0.4, 0.3]}`}, []string{"'{server}/api/load'", "example: 'http://nas.lan:8080'", ".main.load[0]"}},
	{"title: Router\n  url: https://192.168.1.1/status\n  allow-insecure: true\n  basic-auth:\n    username: admin\n    password: ${ROUTER_PASSWORD}\n  template: '{{ .JSON.String \"state\" }}'", map[string]string{"main": `{"state": "up"}`}, []string{"auth: {basic: {username: 'admin', password: '{router_password}'}}"}},
	{"title: Search\n  url: https://api.example.org/search\n  method: POST\n  body-type: json\n  body:\n    query: cats\n    limit: 5\n  template: '{{ range .JSON.Array \"hits\" }}{{ .String \"title\" }}{{ end }}'", map[string]string{"main": `{"hits": [{"title": "x"}]}`}, []string{"method: POST", "body: {query: cats, limit: 5}"}},
	{"title: Parameters\n  url: https://api.example.org/v1\n  parameters:\n    q: a b\n    tag: [x, y]\n  template: '{{ .JSON.String \"a.b-c\" }}'", map[string]string{"main": `{"a": {"b-c": 1}}`}, []string{"'q': 'a b'", "'tag': [x, y]", `.main.a["b-c"]`}},
	{"title: Two requests\n  url: https://api.example.org/one\n  subrequests:\n    other-one:\n      url: https://two.example.org/two\n      headers: {Accept: application/json}\n  template: |\n    {{ .JSON.String \"a\" }} {{ (.Subrequest \"other-one\").JSON.String \"b\" }}", map[string]string{"main": `{"a": 1}`, "other_one": `{"b": 2}`}, []string{"other_one:", "hosts: [api.example.org, two.example.org]", "!data '.other_one.b'"}},
	{"title: Only subrequests\n  subrequests:\n    users: {url: https://api.example.org/users}\n  template: '{{ range (.Subrequest \"users\").JSON.Array \"\" }}{{ .String \"login\" }}{{ end }}'", map[string]string{"users": `[{"login": "anna"}]`}, []string{"items: !data '.users'", "text: !data '.item.login'"}},
	{"title: A list at the top\n  url: https://api.example.org/list\n  template: '{{ range .JSON.Array \"\" }}{{ .String \"name\" }}{{ .String \"state\" }}{{ .String \"host\" }}{{ end }}'", map[string]string{"main": `[{"name": "a", "state": "b", "host": "c"}]`}, []string{"items: !data '.main'", "note: !data '.item.host'"}},
	{"title: No template\n  url: https://api.example.org/text", map[string]string{"main": `{"x": 1}`}, []string{"!data '.main | tostring'"}},
	{"title: \"It's: quoted\"\n  url: https://api.example.org/q\n  template: '{{ .JSON.String \"x\" }}'", map[string]string{"main": `{"x": 1}`}, []string{"name: it-s-quoted", "title: 'It''s: quoted'"}},
	{"title: 1337\n  url: https://api.example.org/q\n  template: '{{ .JSON.String \"x\" }}'", map[string]string{"main": `{"x": 1}`}, []string{"name: glance-1337"}},
	{"url: https://api.example.org/q\n  template: '{{ .JSON.String \"x\" }}'", map[string]string{"main": `{"x": 1}`}, []string{"name: imported"}},
	{"title: Secret file\n  url: https://api.example.org/q\n  headers:\n    Authorization: Bearer ${secret:api_token}\n  template: '{{ .JSON.Bool \"ok\" }}'", map[string]string{"main": `{"ok": true}`}, []string{"'Authorization': 'Bearer {api_token}'"}},
	{"title: Loop with a condition\n  url: https://api.example.org/q\n  template: |\n    {{ if eq .Response.StatusCode 200 }}{{ range $i, $e := .JSON.Array \"data.list\" }}{{ .String \"title\" }}{{ end }}{{ end }}", map[string]string{"main": `{"data": {"list": [{"title": "t"}]}}`}, []string{"items: !data '.main.data.list'"}},
	{"title: Numbers in keys\n  url: https://api.example.org/q\n  template: '{{ .JSON.Int \"results.0.value\" }}'", map[string]string{"main": `{"results": [{"value": 5}]}`}, []string{".main.results[0].value"}},
	{"title: All of a list\n  url: https://api.example.org/q\n  template: '{{ .JSON.String \"results.#.value\" }}'", map[string]string{"main": `{"results": [{"value": 5}]}`}, []string{"'[.main.results[]?.value]'"}},
	{"title: Key in the address\n  url: https://api.example.org/${API_KEY}/q?k=${API_KEY}\n  template: '{{ .JSON.String \"x\" }}'", map[string]string{"main": `{"x": 1}`}, []string{"'https://api.example.org/{api_key}/q?k={api_key}'"}},
	{"title: Server with a scheme\n  url: ${BASE_URL}/api\n  template: '{{ .JSON.String \"x\" }}'", map[string]string{"main": `{"x": 1}`}, []string{"'{base_url}/api'", "hosts: [\"{base_url}\"]"}},
	{"title: A reserved word\n  url: https://api.example.org/q\n  headers: {Size: '${SIZE}'}\n  template: '{{ .JSON.String \"x\" }}'", map[string]string{"main": `{"x": 1}`}, []string{"'Size': '{v_size}'"}},
}

// Each Glance widget becomes a recipe, and the recipe can be drawn with recorded answers.
func TestGlance(t *testing.T) {
	for i, w := range importedWidgets {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			all, err := Glance("glance.yml", []byte("- type: custom-api\n  "+w.yaml+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			b := all[0]
			text := string(b.Files["recipe.yaml"]) + string(b.Files["providers.yaml"]) + string(b.Files["widgets.yaml"])
			for _, want := range w.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			draw(t, b, w.answers)
		})
	}
}

// draw runs a recipe with the given answers, and fails the test if there is a problem.
func draw(t *testing.T, b *Bundle, answers map[string]string) {
	t.Helper()
	over := map[string][]byte{}
	for name, data := range b.Files {
		over["own/"+name] = data
	}
	for name, text := range answers {
		over["own/answers/"+name+".json"] = []byte(text)
	}
	dir := t.TempDir()
	whole := Bundle{b.Recipe, map[string][]byte{}}
	for name, data := range over {
		whole.Files[strings.TrimPrefix(name, "own/")] = data
	}
	if err := whole.Install(dir); err != nil {
		t.Fatal(err)
	}
	report := &config.Report{}
	r := (&recipe.Library{Wall: folder.Dir(dir)}).Find(b.Recipe.Name, nil, report)
	if r == nil {
		t.Fatal(report.String())
	}
	result, err := trial.Run(t.Context(), r, "dev")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range result.Problems {
		t.Error(p)
	}
	if result.Answered == 0 {
		t.Error("nothing was asked")
	}
}

// A page of Glance contains several widgets. Widgets that fetch no data do not become recipes.
func TestGlancePage(t *testing.T) {
	const page = "pages:\n- name: Home\n  columns:\n  - size: full\n    widgets:\n    - {type: rss, feeds: []}\n    - {type: custom-api, title: A, url: 'https://a.example.org'}\n" +
		"    - type: group\n      widgets: [{type: custom-api, title: A, url: 'https://b.example.org'}]\n"
	all, err := Glance("glance.yml", []byte(page))
	if err != nil || len(all) != 2 || all[0].Recipe.Name != "a" || all[1].Recipe.Name != "a-2" {
		t.Fatalf("got %d recipes, %v", len(all), err)
	}
	for text, want := range map[string]string{
		"widgets: [{type: rss}]": "there is no widget of type custom-api",
		"a: [":                   "glance.yml:1:4",
		"- {type: custom-api, title: X, url: 'file:///etc/passwd'}": "",
	} {
		all, err := Glance("glance.yml", []byte(text))
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
		for _, b := range all {
			if strings.Contains(string(b.Files["providers.yaml"]), "file:") {
				t.Errorf("%s: got a recipe that reads a file: %s", text, b.Files["providers.yaml"])
			}
		}
	}
}

func FuzzGlance(f *testing.F) {
	for _, w := range importedWidgets {
		f.Add("- type: custom-api\n  " + w.yaml + "\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Glance("glance.yml", []byte(text))
		for _, b := range all {
			if err == nil && !recipe.ValidName(b.Recipe.Name) {
				t.Errorf("got the name %q", b.Recipe.Name)
			}
		}
	})
}
