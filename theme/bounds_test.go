package theme

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dashboard/config"
)

// `slowest` is the maximum time for resolving a hostile file, on a busy machine with the race detector. Without limits in the program,
// such files would take years.
const slowest = 5 * time.Minute

func TestTokensCannotMultiply(t *testing.T) {
	var b strings.Builder
	b.WriteString("theme:\n  x:\n    a0: text\n")
	for i := range 40 {
		fmt.Fprintf(&b, "    a%d: [%s]\n", i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("!x a%d, ", i), 10), ", "))
	}
	b.WriteString("widgets: [{widget: text}]\n")
	wantError(t, b.String(), "values with all tokens written out")
}

func TestTokenChainIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("theme:\n  x:\n")
	for i := range 3 * maxChain {
		fmt.Fprintf(&b, "    a%d: !x a%d\n", i, i+1)
	}
	b.WriteString("widgets: [{widget: text}]\n")
	wantError(t, b.String(), "tokens in a row")
}

func TestDefaultsCannotMultiply(t *testing.T) {
	var b strings.Builder
	b.WriteString("theme:\n  defaults:\n    text:\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "      p%d: 1\n", i)
	}
	b.WriteString("widgets:\n")
	for range 2000 {
		b.WriteString("  - {widget: text}\n")
	}
	wantError(t, b.String(), "values with all tokens written out")
}

func wantError(t *testing.T, file, want string) {
	t.Helper()
	var r config.Report
	begin := time.Now()
	Resolve(config.Parse("w.yaml", []byte(file), &r, nil), nil, &r)
	if took := time.Since(begin); took > slowest {
		t.Errorf("took %v", took)
	}
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %.300v, want an error with %q", err, want)
	}
}

func TestCheckTypes(t *testing.T) {
	var r config.Report
	root := config.Parse("w.yaml", []byte(`
theme:
  groups: {texts: [text, lable]}
  defaults: {texts: {a: 1}, gird: {b: 1}, text: {c: 1}}
widgets: []
`), &r, nil)
	CheckTypes(root, []string{"text", "label", "grid"}, &r)
	CheckTypes(config.Parse("none.yaml", []byte("widgets: []"), &r, nil), nil, &r)
	want := `w.yaml:3:26: theme.groups.texts[1]: warning: 'lable' is no widget type and no group; near: label
w.yaml:4:29: theme.defaults.gird: warning: 'gird' is no widget type and no group; near: grid
`
	if got := r.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestResolveTwice checks that one widgets file can be resolved with two themes.
func TestResolveTwice(t *testing.T) {
	var r config.Report
	parse := func(name, text string) *config.Node { return config.Parse(name, []byte(text), &r, nil) }
	widgets := parse("w.yaml", "theme: {colors: {a: base}}\nwidgets: [{widget: text, color: !color a}]\n")
	for _, want := range []string{"day", "night"} {
		root := Resolve(widgets, parse(want+".yaml", "colors: {a: "+want+"}"), &r)
		if got := root.Get("widgets").Items()[0].Get("color").Value(); got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("theme: {colors: {a: !color b, b: [1]}}\nwidgets: [{widget: text, color: !color a}]", "colors: {a: 1, b: 2}")
	f.Add("theme: {groups: {g: [text]}, defaults: {g: {x: !a b}, text: {y: {widget: text}}}}\nwidgets: [{widget: text}]", "")
	f.Add("theme: &t {x: {a: !x a}}\nw: *t", "theme: 1")
	f.Add("widgets: [!a b]", "a: {b: {widget: text}}")
	f.Fuzz(func(t *testing.T, widgets, file string) {
		var r config.Report
		root := config.Parse("w.yaml", []byte(widgets), &r, nil)
		var theme *config.Node
		if file != "" {
			theme = config.Parse("t.yaml", []byte(file), &r, nil)
		}
		if root == nil {
			return
		}
		resolved := Resolve(root, theme, &r)
		if r.Failed() || root.Kind() != config.Map {
			return
		}
		mustHaveNoToken(t, resolved)
	})
}

func mustHaveNoToken(t *testing.T, n *config.Node) {
	if section, name, ok := n.Token(); ok {
		t.Errorf("%s: !%s %s was left", n.Path(), section, name)
	}
	for _, item := range n.Items() {
		mustHaveNoToken(t, item)
	}
	for _, p := range n.Pairs() {
		mustHaveNoToken(t, p.Value)
	}
}

// TestOwnOldNameWins checks that the value of a widget takes precedence over a default. This is also true if the widget uses the old name
// of a parameter and the theme uses the new name.
func TestOwnOldNameWins(t *testing.T) {
	var r config.Report
	root := Resolve(config.Parse("w.yaml", []byte(`
theme: {defaults: {grid: {background_color: theme, padding: deep}}}
widgets:
  - {widget: grid, color: own}
  - {widget: grid}
`), &r, nil), nil, &r)
	type params struct {
		Color   string `yaml:"background_color" alias:"color"`
		Padding int    `yaml:"padding"`
	}
	for i, want := range []string{"own", "theme"} {
		var got params
		ok := root.Get("widgets").Items()[i].Decode(&got, &r, &config.DecodeOptions{Reserved: []string{"widget"}})
		if ok || got.Color != want {
			t.Errorf("widget %d: got %v, %q, want the wrong padding noticed and %q", i, ok, got.Color, want)
		}
	}
	if got, want := r.String(), "w.yaml:2:61: theme.defaults.grid.padding: must be a whole number, not \"deep\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
