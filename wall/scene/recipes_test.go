package scene

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
)

// recipeWall loads a wall that uses a recipe with these providers and this widget. It waits until each provider has a value or an error.
func recipeWall(t *testing.T, hosts, providers, widget, use string) (*Builder, *Generation, *config.Report) {
	t.Helper()
	b, g, report := loadRecipe(t, hosts, providers, widget, use)
	if g != nil {
		b.Providers.Commit(g.Sources)
		b.Await(t.Context(), make(chan struct{}))
		programtest.Eventually(t, "an answer of each provider", b.answered) // on a busy machine, the limit of Await is too short
	}
	return b, g, report
}

// loadRecipe is like recipeWall, but does not wait.
func loadRecipe(t *testing.T, hosts, providers, widget, use string) (*Builder, *Generation, *config.Report) {
	t.Helper()
	b := NewBuilder(Parts{Version: "dev", Log: slog.New(slog.DiscardHandler), Wake: func() {}})
	t.Cleanup(b.Providers.Close)
	files := folder.Dir(t.TempDir()).Over(map[string][]byte{
		"conf.yaml":      []byte("outputs: [{type: stream}]\ngraphics: {resolution: [400, 300]}\n"),
		"providers.yaml": []byte("providers: {bank: {type: derived, value: !data 1}}\n"),
		"widgets.yaml":   []byte("theme: calm\nwidgets:\n  - {widget: use, recipe: own" + use + "}\n"),
		"recipes/own/recipe.yaml": []byte("name: own\ntitle: Own\nabout: Own.\nversion: \"1\"\nlicense: CC0-1.0\nauthor: A\nhosts: " + hosts +
			"\nparameters:\n  server: {type: address, help: Server., default: http://127.0.0.1:1}\n  lamp: {type: entity, help: Lamp., default: null}\n"),
		"recipes/own/providers.yaml": []byte("providers:\n" + providers),
		"recipes/own/widgets.yaml":   []byte("widgets:\n  - " + widget + "\n"),
	})
	g, report := b.Load(Folder{Home: files.Path(""), Files: files, Widgets: "widgets.yaml"}, Alone(func() {}))
	return b, g, report
}

// status() returns the status of a provider.
func status(b *Builder, name string) provider.Status {
	for _, s := range b.Providers.Status(time.Now()) {
		if s.Name == name {
			return s
		}
	}
	return provider.Status{}
}

// A recipe sends requests only to the hosts that it lists, even after a redirect. A host in this list may contain parameters.
func TestRecipeHosts(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Path)
		fmt.Fprint(w, `{"n": 2}`)
	}))
	defer other.Close()
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/away") { // a prefix, because the provider of type prometheus adds a path
			http.Redirect(w, r, other.URL+"/stolen?token=1", http.StatusTemporaryRedirect)
			return
		}
		fmt.Fprint(w, `{"n": 1, "picture": "`+other.URL+`/x.png"}`)
	}))
	defer own.Close()
	b, g, report := recipeWall(t, `["{server}"]`, "  good: {url: \"{server}/n\"}\n  away: {url: \"{server}/away\"}\n  other: {url: \"{good.picture}\"}\n"+
		"  news: {type: feed, url: \"{server}/away\"}\n  days: {type: calendar, calendars: [{name: A, url: \"{server}/away\"}]}\n"+
		"  stream: {type: stream, url: \"{server}/away\"}\n  metrics: {type: prometheus, url: \"{server}/away\", query: up}\n",
		"{widget: column, children: [{widget: text, text: !data .good.n}, {widget: image, url: !data .good.picture}, {widget: image, url: \"{server}/away\"}, {widget: camera, url: \"{server}/away\"}]}",
		", server: "+own.URL)
	if g == nil {
		t.Fatal(report.String())
	}
	programtest.Eventually(t, "the value of the listed host", func() bool { return status(b, "own.good").Value != nil })
	if s := status(b, "own.good"); s.Err != nil || fmt.Sprint(s.Value) != "map[n:1 picture:"+other.URL+"/x.png]" {
		t.Errorf("the listed host: got %v, %v", s.Value, s.Err)
	}
	for _, name := range []string{"away", "other", "news", "stream", "metrics"} {
		programtest.Eventually(t, name+" is refused", func() bool {
			s := status(b, "own."+name)
			return s.Err != nil && strings.Contains(s.Err.Error(), "is not among the hosts")
		})
	}
	time.Sleep(50 * time.Millisecond) // wait for requests of pictures, which begin after the first values have arrived
	mu.Lock()
	defer mu.Unlock()
	if len(asked) > 0 {
		t.Errorf("the other host was asked for %v", asked)
	}
}

// If a recipe uses a host that it does not list, the check reports this at the position of the address, together with the list. An
// address whose host contains a value is checked when its request is sent.
func TestRecipeHostsAreChecked(t *testing.T) {
	const file, listed = "recipes/own/providers.yaml:2:", " is not among the hosts of the recipe own: api.example.org:8443, {server}"
	for providers, want := range map[string]string{
		`  own: {url: "https://evil.example/n"}`:                                                    file + "14: widgets[0].providers.own.url: warning: the host evil.example" + listed,
		`  own: {url: "https://user:pass@evil.example/{x}"}`:                                        "the host evil.example" + listed,
		`  own: {url: "https://api.example.org/n"}`:                                                 "the host api.example.org" + listed,
		`  own: {steps: [{url: "{server}/a", keep: {id: .id}}, {url: "http://evil.example/{id}"}]}`: file + "61: widgets[0].providers.own.steps[1].url: warning: the host evil.example" + listed,
		`  own: {type: feed, url: "https://evil.example/feed"}`:                                     "the host evil.example" + listed,
		`  own: {type: calendar, calendars: [{name: A, caldav: "https://evil.example/"}]}`:          "the host evil.example" + listed,
		`  own: {url: "https://{lamp}/n"}`:                                                          "the host light.hall" + listed,
		`  own: {url: "https://api.example.org:8443/n", headers: {url: "https://evil.example/"}}`:   "",
		`  own: {url: "{server}/n", params: {url: "https://evil.example/"}}`:                        "",
		`  own: {steps: [{url: "{server}/a", keep: {next: .next}}, {url: "{next}"}]}`:               "",
		`  own: {url: "HTTPS://API.example.org:8443/{lamp}", body: {url: "https://evil.example/"}}`: "",
	} {
		_, _, report := loadRecipe(t, `[api.example.org:8443, "{server}"]`, providers+"\n", "{widget: text, text: x}", ", lamp: light.hall")
		if got := report.String(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", providers, got, want)
		}
	}
}

// A recipe can read its own providers and the entities that the widget `use` passes to it. It can read nothing else of the wall.
func TestRecipeSight(t *testing.T) {
	const own = "  own: {url: \"{server}/n\"}\n  sum: {type: derived, value: !data .own}\n"
	for name, tt := range map[string]struct{ providers, widget, use, want string }{
		"its own":             {own, "{widget: text, text: !data .sum}", "", ""},
		"the wall's provider": {own, "{widget: text, text: !data .bank.balance}", "", "no provider is named 'bank'"},
		"by a derived one":    {own + "  steal: {type: derived, value: !data .bank}\n", "{widget: text, text: x}", "", "no provider is named 'bank'"},
		"by its global name":  {own, "{widget: text, text: !data '.[\"own.own\"]'}", "", "no provider is named 'own.own'"},
		"by the key provider": {own, "{widget: agenda, provider: bank}", "", "no provider is named 'bank'"},
		"Home Assistant":      {own, "{widget: text, text: !data '.homeassistant[\"lock.door\"].state'}", "", "the recipe was not given the entity lock.door"},
		"another entity":      {own, "{widget: text, text: !data '.homeassistant[\"lock.door\"].state'}", ", lamp: light.hall", "the recipe was not given the entity lock.door"},
		"the condition's":     {own, "{widget: text, text: x}", ", when: !data .bank.open", ""},
		"a wrong program":     {own, "{widget: text, text: !data .own | kees}", "", "recipes/own/widgets.yaml:2:26"},
	} {
		_, _, report := loadRecipe(t, `["{server}"]`, tt.providers, tt.widget, tt.use)
		got := report.String()
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
		if tt.want != "" && !strings.Contains(got, "recipes/own/") {
			t.Errorf("%s: the recipe's file is missing in %q", name, got)
		}
	}
}

// Two uses of a recipe have separate values. A reload keeps these values.
func TestRecipeReload(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "1") }))
	defer s.Close()
	b, g, report := recipeWall(t, `["{server}"]`, "  own: {url: \"{server}/n\"}\n", "{widget: text, text: !data .own}", ", server: "+s.URL)
	if g == nil {
		t.Fatal(report.String())
	}
	cell, _ := g.Sources.Named("own.own")
	again, report := b.Load(Folder{Home: g.Uses[0].Node.File(), Files: reloaded(t, s.URL), Widgets: "widgets.yaml"}, Alone(func() {}))
	if again == nil {
		t.Fatal(report.String())
	}
	kept, _ := again.Sources.Named("own.own")
	second, _ := again.Sources.Named("own-2.own")
	if kept != cell || second == nil || second == cell {
		t.Errorf("got cells %p and %p, want %p and another", kept, second, cell)
	}
}

func reloaded(t *testing.T, url string) *folder.Root {
	return folder.Dir(t.TempDir()).Over(map[string][]byte{
		"conf.yaml":    []byte("outputs: [{type: stream}]\ngraphics: {resolution: [400, 300]}\n"),
		"widgets.yaml": []byte("theme: calm\nwidgets:\n  - {widget: row, children: [{widget: use, recipe: own, server: " + url + "}, {widget: use, recipe: own}]}\n"),
		"recipes/own/recipe.yaml": []byte("name: own\ntitle: Own\nabout: Own.\nversion: \"1\"\nlicense: CC0-1.0\nauthor: A\nhosts: [\"{server}\"]" +
			"\nparameters:\n  server: {type: address, help: Server., default: http://127.0.0.1:1}\n"),
		"recipes/own/providers.yaml": []byte("providers:\n  own: {url: \"{server}/n\"}\n"),
		"recipes/own/widgets.yaml":   []byte("widgets:\n  - {widget: text, text: !data .own}\n"),
	})
}

// A request of a provider can contain the value of another provider. The other provider is then
// created first, on the wall and in a recipe. A circular reference is an error at its line.
func TestValuesInRequests(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"id": %q}`, "at "+r.URL.Path) }))
	defer s.Close()
	b, g, report := recipeWall(t, `["{server}"]`, "  b: {url: \"{server}/{a.id}\"}\n  a: {url: \"{server}/{own.id}\"}\n  own: {url: \"{server}/x\"}\n  sum: {type: derived, value: !data .b.id}\n",
		"{widget: text, text: !data .sum}", ", server: "+s.URL)
	if g == nil {
		t.Fatal(report.String())
	}
	programtest.Eventually(t, "the value of all requests", func() bool { return status(b, "own.sum").Value == "at /at /at /x" })
	for name, tt := range map[string]struct{ providers, want string }{
		"two requests":     {"  own: {url: \"{server}/{b.id}\"}\n  b: {url: \"{server}/{own.id}\"}\n", "recipes/own/providers.yaml:2:8: it reads itself: b → own → b"},
		"with a program":   {"  own: {url: \"{server}/{sum}\"}\n  sum: {type: derived, value: !data .own}\n", "recipes/own/providers.yaml:3:31: widgets[0].providers.sum.value: warning: it reads itself: own → sum → own"},
		"itself":           {"  own: {url: \"{server}/{own.id}\"}\n", "it reads itself: own → own"},
		"the wall's":       {"  own: {url: \"{server}/{bank.id}\"}\n", "no provider is named 'bank'"},
		"a host elsewhere": {"  own: {url: \"{server}/x\"}\n  b: {url: \"{own.id}\"}\n", "impossible request"},
	} {
		b, _, report := recipeWall(t, `["{server}"]`, tt.providers, "{widget: text, text: !data .own}", ", server: "+s.URL)
		programtest.Eventually(t, name+": "+tt.want, func() bool {
			got := report.String()
			for _, p := range b.Providers.Status(time.Now()) {
				got += fmt.Sprintln(p.Err)
			}
			return strings.Contains(got, tt.want)
		})
	}
}
