package recipe

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"dashboard/config"
)

// `sound` contains the files of a valid recipe.
var sound = map[string]string{
	"recipe.yaml": `name: stop
title: Stop
about: Departures.
version: "1.0"
license: CC0-1.0
author: A
hosts: [api.example.org, "{server}"]
parameters:
  server: {type: address, help: Server., default: http://nas.lan:8080}
  stop: {help: Number of the stop.}
  line: {help: Line., default: ""}
  token: {type: secret, help: Token., default: null}
  lamp: {type: entity, help: Lamp., default: null}
`,
	"providers.yaml": `providers:
  stop: {url: "https://api.example.org/stops/{stop}?line={line}", headers: {X-Key: "{token}"}}
  own: {url: "{server}/state", jq_expression: ".[$line]"}
`,
	"widgets.yaml": `widgets:
  - widget: list
    items: !data '.stop | map(select(.line == $line))'
    item: {text: !data .item.name}
    title: Stop {stop}
`,
}

// with() returns the files in `sound` with the given changes.
func with(changes ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range sound {
		files["recipes/stop/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	for i := 0; i+2 < len(changes); i += 3 {
		f := files["recipes/stop/"+changes[i]]
		text := strings.Replace(string(f.Data), changes[i+1], changes[i+2], 1)
		if text == string(f.Data) {
			panic("nothing to replace: " + changes[i+1])
		}
		f.Data = []byte(text)
	}
	return files
}

// expand expands a use of a recipe in a wall's file.
func expand(t *testing.T, files fstest.MapFS, use string) (*Expansion, *config.Node, *config.Report) {
	t.Helper()
	r := &config.Report{}
	e := NewExpansion(&Library{Wall: files, Version: "1.2", Common: []string{"area", "when", "on_tap"}}, nil, r)
	secrets := func(name string) (any, error) {
		if name != "key" {
			return nil, fmt.Errorf("no secret %s", name)
		}
		return "geheim", nil
	}
	root := config.Parse("widgets.yaml", []byte("widgets:\n  - widget: row\n    children:\n      - "+use+"\n"), r, secrets)
	return e, e.Widgets(root), r
}

// The recipe's widget replaces a use. This widget has the values of the parameters, and the position of the use.
func TestUse(t *testing.T) {
	e, root, r := expand(t, with(), `{widget: use, recipe: stop, area: left, stop: "80/11", line: 'U4"', token: !secret key}`)
	if r.Failed() {
		t.Fatal(r.String())
	}
	w := root.Get("widgets").Items()[0].Get("children").Items()[0]
	if got := w.Pos(); got != "widgets.yaml:4:9" {
		t.Errorf("the widget is at %s", got)
	}
	for key, want := range map[string]string{
		"widget": "list", "title": "Stop 80/11", "area": "left", "items": `("U4\"") as $line | .stop | map(select(.line == $line))`,
	} {
		if got := w.Get(key).Text(); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	u := e.Uses[0]
	if got := u.Providers[0].Node().Get("url").Text(); got != "https://api.example.org/stops/80%2F11?line=U4%22" {
		t.Errorf("url: got %s", got)
	}
	if key := u.Providers[0].Node().Get("headers").Get("X-Key"); key.Text() != "geheim" || !key.Secret() {
		t.Errorf("the secret: got %s, secret %v", key.Text(), key.Secret())
	}
	if got := u.Providers[1].Node().Get("url").Text(); got != "http://nas.lan:8080/state" {
		t.Errorf("the server: got %s", got)
	}
	// The host nas.lan:8080 is in Named, because it is a default that the author of the recipe has chosen. Only the hosts in Given, which
	// the user sets, may be in the home network.
	if fmt.Sprint(u.Named, u.Given) != "[api.example.org nas.lan:8080] []" {
		t.Errorf("hosts: got %v and %v", u.Named, u.Given)
	}
	e, _, _ = expand(t, with(), `{widget: use, recipe: stop, stop: "1", server: "http://box.lan:81/x"}`)
	if u = e.Uses[0]; fmt.Sprint(u.Named, u.Given) != "[api.example.org] [box.lan:81]" {
		t.Errorf("written hosts: got %v and %v", u.Named, u.Given)
	}
	if w.Get("items").Recipe() != "stop" || w.Get("area").Recipe() != "" {
		t.Error("the recipe's values and those of the use are not told apart")
	}
}

// TestSchemaOfParameters: an editor reports a missing parameter only if the parameter has no default.
func TestSchemaOfParameters(t *testing.T) {
	r := &config.Report{}
	l := Library{Wall: with(), Version: "1.2"}
	stop := l.Find("stop", config.Parse("widgets.yaml", []byte("x"), r, nil), r)
	if stop == nil {
		t.Fatal(r)
	}
	s := stop.Schema()
	if got := s["required"]; !reflect.DeepEqual(got, []any{"stop"}) {
		t.Errorf("got the required parameters %v, want stop", got)
	}
	if n := len(s["properties"].(map[string]any)); n != 5 {
		t.Errorf("got %d parameters, want 5", n)
	}
}

// If the file of a recipe is missing but a similar path exists, the error names this path. A computer may have renamed files when a person
// unpacked them.
func TestMisplaced(t *testing.T) {
	for path, want := range map[string]string{
		"Recipes/Stop/Recipe.yaml":      "it has Recipes/Stop/Recipe.yaml",
		"recipes/stop/stop/recipe.yaml": "it has recipes/stop/stop/recipe.yaml",
		"recipes/stop/recipe.yml.txt":   "it has recipes/stop/recipe.yml.txt",
		"recipes/stop/widgets.yaml":     "it has recipes/stop",
		"stop/recipe.yaml":              "it has stop/recipe.yaml",
		"recipes/recipe.yaml":           "it has recipes/recipe.yaml",
		"recipe.yaml":                   "it has recipe.yaml",
		"recipes/other/recipe.yaml":     "'dashboard recipe list' lists them",
	} {
		_, _, r := expand(t, fstest.MapFS{path: &fstest.MapFile{Data: []byte("name: stop\n")}}, "{widget: use, recipe: stop}")
		if got := r.String(); !strings.HasSuffix(got, want+"\n") {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// TestCopyIgnored: if a built-in recipe is used although the wall has a copy of it in a wrong place, there is a warning.
func TestCopyIgnored(t *testing.T) {
	const name = "name: stop\n"
	builtIn := fstest.MapFS{}
	for file, text := range sound {
		builtIn["stop/"+file] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, tt := range []struct{ file, text, want string }{
		{"stop/recipe.yaml", name, "it has stop/recipe.yaml"},
		{"recipe.yaml", name, "it has recipe.yaml"},
		{"recipes/recipe.yaml", name, "it has recipes/recipe.yaml"},
		{"recipes/stop/stop/recipe.yaml", name, "it has recipes/stop/stop/recipe.yaml"},
		{"recipes/stop/recipe.yaml.txt", name, "it has recipes/stop/recipe.yaml.txt"},
		{"recipes/stop/widgets.yaml", "", "it has recipes/stop"},
		{"recipes/stop/answers/a.json", "", ""},
		{"recipes/stop/notes.txt", "", ""},
		{"recipes/other/recipe.yaml", name, ""},
		{"stop/recipe.yaml", "name: soup\n", ""},
		{"stop/recipe.yaml", "name: [", ""},
		{"recipe.yaml", "", ""},
		{"recipe.yaml/x", name, ""},
		{"stop/stop.jpg", "", ""},
	} {
		report := &config.Report{}
		at := config.Parse("widgets.yaml", []byte("recipe: stop"), report, nil).Get("recipe")
		l := Library{Wall: fstest.MapFS{tt.file: &fstest.MapFile{Data: []byte(tt.text)}}, BuiltIn: builtIn}
		if r := l.Find("stop", at, report); r == nil || !r.BuiltIn {
			t.Fatalf("%s: got %v, %s", tt.file, r, report)
		}
		if got := report.String(); tt.want == "" && got != "" || tt.want != "" && !strings.HasSuffix(got, tt.want+"\n") {
			t.Errorf("%s with %q: got %q, want %q", tt.file, tt.text, got, tt.want)
		}
	}
}

// Each error is reported with its position. An error in the recipe also names the use.
func TestMistakes(t *testing.T) {
	const good = `{widget: use, recipe: stop, stop: "1"}`
	for name, tt := range map[string]struct {
		files fstest.MapFS
		use   string
		want  string
	}{
		"no recipe":         {with(), "{widget: use}", "widgets.yaml:4:9: widgets[0].children[0]: 'use' needs the name of a recipe"},
		"unknown recipe":    {with(), "{widget: use, recipe: stopp}", "widgets.yaml:4:31: widgets[0].children[0].recipe: there is no recipe 'stopp'; near: stop"},
		"a path for a name": {with(), "{widget: use, recipe: ../stop}", "there is no recipe '../stop'"},
		"required":          {with(), "{widget: use, recipe: stop}", "widgets.yaml:4:9: widgets[0].children[0]: the recipe stop needs 'stop': Number of the stop."},
		"misspelt":          {with(), `{widget: use, recipe: stop, stop: "1", lin: U4}`, "widgets.yaml:4:48: widgets[0].children[0].lin: the recipe stop has no parameter 'lin'; near: line"},
		"wrong type":        {with(), `{widget: use, recipe: stop, stop: "1", server: nas}`, `widgets.yaml:4:56: widgets[0].children[0].server: must be an address such as http://nas.lan:8080, not "nas"`},
		"a program":         {with(), `{widget: use, recipe: stop, stop: !data .other.token}`, "takes a plain value, not a program"},
		"unknown provider type": {
			with("providers.yaml", "{url: \"{server}", "{type: file, url: \"{server}"), good,
			"recipes/stop/providers.yaml:3:15: providers.own.type: a recipe may have providers of type",
		},
		"unknown parameter": {with("widgets.yaml", "Stop {stop}", "!param sotp"), good, "recipes/stop/widgets.yaml:5:12: widgets[0].title: the recipe has no parameter 'sotp'; near: stop"},
		"nested":            {with("widgets.yaml", "widget: list", "widget: use"), good, "a recipe cannot have a 'use'"},
		"two widgets":       {with("widgets.yaml", "  - widget: list", "  - widget: clock\n  - widget: list"), good, "a recipe has exactly one widget"},
		"newer":             {with("recipe.yaml", "license", "requires: \"1.10\"\nlicense"), good, "widgets.yaml:4:31: widgets[0].children[0].recipe: the recipe 'stop' needs version 1.10 of the program, and this is 1.2"},
		"a common key":      {with("recipe.yaml", "  line:", "  when:"), good, "a parameter cannot be named 'when'"},
		"another folder":    {with("recipe.yaml", "name: stop", "name: stops"), good, "must be the name of the folder, stop"},
		"a host with a path": {
			with("recipe.yaml", "[api.example.org", "[api.example.org/x"), good, "recipes/stop/recipe.yaml:7:9: hosts[0]: must be a host such as",
		},
	} {
		_, _, r := expand(t, tt.files, tt.use)
		if got := r.String(); !r.Failed() || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s\nwant %s", name, got, tt.want)
		}
	}
}

// A hostile recipe cannot read a file, show a secret, or use an action or an entity that the user does not allow. It also cannot exceed
// its limits.
func TestHostileFiles(t *testing.T) {
	const good = `{widget: use, recipe: stop, stop: "1"}`
	many := strings.Repeat(", {widget: clock}", 80)
	for name, tt := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"a secret by its name":   {with("providers.yaml", `"{token}"`, "!secret key"), "'!secret key' cannot be used in this file"},
		"a secret on the wall":   {with("widgets.yaml", "Stop {stop}", "\"{token}\""), "the secret 'token' is for the addresses, headers and logins"},
		"a secret as a whole":    {with("widgets.yaml", "Stop {stop}", "!param token"), "the secret 'token' is for the addresses, headers and logins"},
		"a secret in a program":  {with("widgets.yaml", "== $line", "== $token"), "the secret 'token' is for the addresses, headers and logins"},
		"a file's address":       {with("providers.yaml", "{server}/state", "file:///etc/passwd"), "a recipe may not read files"},
		"a file behind a blank":  {with("providers.yaml", "{server}/state", " FILE:///etc/passwd"), "a recipe may not read files"},
		"certificates":           {with("providers.yaml", "{url: \"{server}", "{ca_file: ca.pem, url: \"{server}"), "a recipe may not read files"},
		"a picture":              {with("widgets.yaml", "widget: list", "widget: image\n    path: secrets.png"), "a recipe may not read files"},
		"a background":           {with("widgets.yaml", "    title", "    background: {picture: x.jpg}\n    title"), "a recipe may not read files"},
		"an icon of a file":      {with("widgets.yaml", "    title", "    icon: own.svg\n    title"), "a recipe may not read files"},
		"photos":                 {with("widgets.yaml", "widget: list", "widget: photos"), "a recipe cannot have a 'photos'"},
		"an address of a widget": {with("widgets.yaml", "widget: list", "widget: rest"), "a recipe cannot have a 'rest'"},
		"an entity":              {with("widgets.yaml", "    title", "    entity: lock.door\n    title"), "a recipe takes its entities from parameters"},
		"an entity by a text":    {with("widgets.yaml", "    title", "    entity: !param stop\n    title"), "'stop' must be a parameter of type entity"},
		"an entity of a rule":    {with("widgets.yaml", "    title", "    when: {entity: lock.door, is: open}\n    title"), "a recipe takes its entities from parameters"},
		"a broker":               {with("providers.yaml", "{url: \"{server}/state\"", "{type: mqtt, topic: \"#\""), "a recipe may have providers of type"},
		"a host by a text":       {with("recipe.yaml", "{server}\"]", "{line}\", \"{lamp}\"]"), "'lamp' is no parameter of type address"},
		"many widgets":           {with("widgets.yaml", "    title", "    children: [{widget: clock}"+many+"]\n    title"), "the recipe stop is too large: 82 widgets, at most 60"},
		"a long file":            {with("widgets.yaml", "    title", "    note: "+strings.Repeat("x", maxFile)+"\n    title"), tooLong},
		"many providers":         {with("providers.yaml", "  own:", strings.Join(lines(9), "")+"  own:"), "the recipe stop is too large: 11 providers, at most 8"},
		"many programs":          {with("widgets.yaml", "    title", "    map: {"+strings.Join(programs(130), ", ")+"}\n    title"), "programs, at most 120"},
		"many aliases":           {with("widgets.yaml", "    title", "    a: &a [x, x, x, x, x, x, x, x, x, x]\n    b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n    c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n    d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n    e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n    f: [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\n    title"), "more than"},
		"a name with a way up":   {with("recipe.yaml", "name: stop", "name: ../stop"), "must be small letters, digits and hyphens"},
		"an unknown key":         {with("recipe.yaml", "license", "run: rm\nlicense"), "unknown key 'run'"},
		"a parameter for a kind": {with("widgets.yaml", "widget: list", "widget: !param line"), "'widget' cannot be a parameter"},
		"a kind in a text": {
			with("recipe.yaml", `Line., default: ""`, "Line., default: rest", "widgets.yaml", "widget: list", `widget: "{line}"`), "a recipe cannot have a 'rest'",
		},
		"an icon in a text": {
			with("recipe.yaml", `Line., default: ""`, "Line., default: own.svg", "widgets.yaml", "    title", "    icon: \"{line}\"\n    title"),
			"a recipe may not read files: use an icon",
		},
		"an icon as a whole": {
			with("recipe.yaml", `Line., default: ""`, "Line., default: own.png", "widgets.yaml", "    title", "    icon: !param line\n    title"),
			"a recipe may not read files: use an icon",
		},
		"a path by a parameter":   {with("widgets.yaml", "    title", "    path: !param line\n    title"), "a recipe may not read files"},
		"a Home Assistant by key": {with("providers.yaml", "{url: \"{server}/state\"", "{type: homeassistant, url: \"{server}\""), "a recipe may have providers of type"},
	} {
		_, _, r := expand(t, tt.files, good)
		if got := r.String(); !r.Failed() || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s\nwant %s", name, got, tt.want)
		}
	}
}

func lines(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("  p%d: {url: \"{server}/%d\"}\n", i, i))
	}
	return all
}

func programs(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("k%d: !data .stop", i))
	}
	return all
}

// A widget keeps its actions for a gesture only if the use allows every action for this gesture.
func TestActions(t *testing.T) {
	files := with("widgets.yaml", "    title", "    on_tap: {action: lock.unlock, entity: !param lamp}\n    on_swipe: {left: {page: next}, right: toggle}\n    title")
	for use, want := range map[string]string{
		`{widget: use, recipe: stop, stop: "1", lamp: light.hall}`:                                                            "false false",
		`{widget: use, recipe: stop, stop: "1", lamp: light.hall, allow: [lock.unlock]}`:                                      "true false",
		`{widget: use, recipe: stop, stop: "1", lamp: light.hall, allow: [""]}`:                                               "false false",
		`{widget: use, recipe: stop, stop: "1", lamp: light.hall, allow: [page]}`:                                             "false false",
		`{widget: use, recipe: stop, stop: "1", lamp: light.hall, allow: [page, homeassistant.toggle]}`:                       "false true",
		`{widget: use, recipe: stop, stop: "1", lamp: light.hall, allow: [light.toggle, lock.unlock, homeassistant.turn_on]}`: "true false",
	} {
		_, root, r := expand(t, files, use)
		w := root.Get("widgets").Items()[0].Get("children").Items()[0]
		if got := fmt.Sprint(w.Has("on_tap"), " ", w.Has("on_swipe")); got != want || r.Failed() {
			t.Errorf("%s: got %s, want %s; %s", use, got, want, r.String())
		}
	}
	_, root, _ := expand(t, files, `{widget: use, recipe: stop, stop: "1", on_tap: {page: home}}`)
	if w := root.Get("widgets").Items()[0].Get("children").Items()[0]; w.Get("on_tap").Get("page").Text() != "home" {
		t.Error("the action of the use is gone")
	}
}

// The data of an action is checked after the parameters are replaced. A new task without a list goes to the recipe's list. If the recipe
// has no list, the task is refused.
func TestResolvedActions(t *testing.T) {
	const data = "    on_tap: {action: light.turn_on, entity: !param lamp, data: {x: !param where}}\n    title"
	for name, tt := range map[string]struct {
		files fstest.MapFS
		want  string // expected error, or expected list of the new task
	}{
		"a target in a default": {with("widgets.yaml", "    title", data, "recipe.yaml", "  lamp:", "  where: {type: color, help: W., default: [{area_id: home}]}\n  lamp:"), "not 'area_id'"},
		"no list":               {with("widgets.yaml", "    title", "    on_tap: {todo: Milk}\n    title"), "a new task needs 'list'"},
		"its own list":          {with("widgets.yaml", "    title", "    on_tap: {todo: Milk}\n    title", "providers.yaml", `jq_expression: ".[$line]"}`, "write: true}"), "stop.own"},
		"its own list, by name": {with("widgets.yaml", "    title", "    on_tap: {todo: Milk, list: own}\n    title"), "stop.own"},
		"a list of the wall":    {with("widgets.yaml", "    title", "    on_tap: {todo: Milk, list: !param stop}\n    title"), "1"},
		"an author's entity":    {with("recipe.yaml", "help: Lamp., default: null", "help: Lamp., default: lock.door"), "an entity has no default"},
		"an author's entities":  {with("recipe.yaml", "type: entity, help: Lamp., default: null", "type: list, of: entity, help: Lamp., default: [lock.door]"), "an entity has no default"},
	} {
		_, root, r := expand(t, tt.files, `{widget: use, recipe: stop, stop: "1", allow: [light.turn_on, todo]}`)
		got := root.Get("widgets").Items()[0].Get("children").Items()[0].Get("on_tap").Get("list").Text()
		if r.Failed() {
			got = r.String()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s\nwant %s", name, got, tt.want)
		}
	}
}

// A provider of a recipe accepts changes of tasks only if the use allows this.
func TestTasksOfRecipes(t *testing.T) {
	files := with("providers.yaml", `jq_expression: ".[$line]"}`, `jq_expression: ".[$line]", write: true, on: {request: {url: "{server}/{id}"}}}`)
	for use, want := range map[string]bool{
		`{widget: use, recipe: stop, stop: "1"}`:                                false,
		`{widget: use, recipe: stop, stop: "1", allow: [homeassistant.toggle]}`: false,
		`{widget: use, recipe: stop, stop: "1", allow: [todo]}`:                 true,
	} {
		e, _, r := expand(t, files, use)
		own := e.Uses[0].Providers[1].Node()
		if own.Has("write") != want || own.Has("on") != want || !own.Has("url") || r.Failed() {
			t.Errorf("%s: got %v, want %v; %s", use, own.Keys(), want, r.String())
		}
		if got := e.Uses[0].Recipe.Actions(); !slices.Equal(got, []string{"todo"}) {
			t.Errorf("the recipe lists the actions %v", got)
		}
	}
}

// An error in an expanded widget names both the line in the recipe and the position of the use.
func TestBothPlaces(t *testing.T) {
	_, root, r := expand(t, with("widgets.yaml", "{text: ", "{widget: text, text: "), `{widget: use, recipe: stop, stop: "1"}`)
	tree := config.Tree(root, r, nil)
	at := tree.Children[0].Children[0].Item
	at.Errorf("text", "is wrong")
	want := "recipes/stop/widgets.yaml:4:32: "
	if got := r.String(); !strings.Contains(got, want) || !strings.Contains(got, "is wrong (used at widgets.yaml:4:9)") {
		t.Errorf("got %s", got)
	}
}

// There are limits for all uses on a wall together.
func TestManyUses(t *testing.T) {
	r := &config.Report{}
	e := NewExpansion(&Library{Wall: with()}, nil, r)
	uses := strings.Repeat("      - {widget: use, recipe: stop, stop: '1'}\n", allProviders/2+1)
	e.Widgets(config.Parse("widgets.yaml", []byte("widgets:\n  - widget: row\n    children:\n"+uses), r, nil))
	if !strings.Contains(r.String(), "the recipes of this wall are too large together: 202 providers, at most 200") {
		t.Errorf("got %s", r.String())
	}
	if e.Uses[1].ID != "stop-2" {
		t.Errorf("the second use is %s", e.Uses[1].ID)
	}
}

func TestLess(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{{"1", "1.0", false}, {"1.9", "1.10", true}, {"2", "1.9.9", false}, {"0.9.1", "0.9.2", true}} {
		if got := Less(tt.a, tt.b); got != tt.want {
			t.Errorf("%s before %s: got %v", tt.a, tt.b, got)
		}
	}
}
