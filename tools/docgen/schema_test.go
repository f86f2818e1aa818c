package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"dashboard/config"
)

// schemaBase is the address at which the schemas are published in the tests.
const schemaBase = "https://wall.example/"

// compiled() returns the schemas by their file names without extension. The compiler also checks that each schema is valid JSON Schema of
// its draft.
func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	all, err := compileOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var compileOnce, schemaTexts = sync.OnceValues(compile), sync.OnceValues(schemas)

func compile() (map[string]*jsonschema.Schema, error) {
	texts, err := schemaTexts()
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	for path, text := range texts {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return nil, err
		}
		if err := c.AddResource(schemaBase+filepath.Base(path), doc); err != nil {
			return nil, err
		}
	}
	all := map[string]*jsonschema.Schema{}
	for path := range texts {
		s, err := c.Compile(schemaBase + filepath.Base(path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = s
	}
	return all, nil
}

// seen() converts a file to the form that an editor's language server sees. In this form, tokens and secrets are replaced by their names.
func seen(n *config.Node) any {
	switch n.Kind() {
	case config.Token:
		return n.Text()
	case config.List:
		list := []any{}
		for _, item := range n.Items() {
			list = append(list, seen(item))
		}
		return list
	case config.Map:
		m := map[string]any{}
		for _, p := range n.Pairs() {
			m[p.Key] = seen(p.Value)
		}
		return m
	}
	data, err := json.Marshal(n.Value())
	if err != nil {
		return nil
	}
	v, _ := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	return v
}

// named() is a secret source for which every secret is its own name.
func named(name string) (any, error) { return name, nil }

// judge validates a file's text.
func judge(s *jsonschema.Schema, text string) error {
	return s.Validate(seen(config.Parse("file", []byte(text), &config.Report{}, named)))
}

// schemaOf returns the name of the schema for a file of a configuration. The schema depends on the file's name. Theme files are
// recognized by their folder.
func schemaOf(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".yaml")
	switch {
	case filepath.Base(filepath.Dir(path)) == "themes":
		return "theme"
	case slices.Contains([]string{"conf", "client", "providers", "secrets"}, name):
		return name
	}
	return "widgets"
}

// Every file of the demo, the starter and the samples is valid. The files of the starter and the samples name their schema in the line in
// which an editor searches for it.
func TestSchemasAcceptSamples(t *testing.T) {
	all := compiled(t)
	count := 0
	for _, root := range []string{"cmd/dashboard/demo", "cmd/dashboard/starter", "samples"} {
		err := filepath.WalkDir(filepath.Join(repository, root), func(path string, d os.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".yaml" {
				return err
			}
			count++
			text := readPage(t, path)
			if err := judge(all[schemaOf(path)], text); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if root != "cmd/dashboard/demo" {
				namesSchema(t, path, text)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if count < 10 {
		t.Errorf("got %d files, want many more", count)
	}
}

// namesSchema checks the first line, from which yaml-language-server reads the schema's address. dashboard init writes the schema next to
// the starter's files.
func namesSchema(t *testing.T, path, text string) {
	t.Helper()
	line, _, _ := strings.Cut(text, "\n")
	ref, ok := strings.CutPrefix(line, "# yaml-language-server: $schema=")
	if !ok {
		t.Errorf("%s: the first line names no schema", path)
		return
	}
	target := filepath.Join(filepath.Dir(path), filepath.FromSlash(ref))
	target = strings.Replace(target, filepath.Join("cmd", "dashboard", "starter", "schema"), "schema", 1)
	if got, want := filepath.Clean(target), filepath.Join(repository, "schema", schemaOf(path)+".json"); got != want {
		t.Errorf("%s: the schema is at %s, want %s", path, got, want)
	}
}

// `unlike` lists the cases of package config that a schema cannot judge. The values are the reasons.
var unlike = map[string]string{"conf/outputs-two-displays": "two types of output count together"}

// The schemas and the program accept and reject the same cases of package config, except the cases in the list `unlike`.
func TestSchemasJudgeAsTheProgram(t *testing.T) {
	all := compiled(t)
	cases, err := filepath.Glob(filepath.Join(repository, "config/testdata/[cp]*/*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, path := range cases {
		kind := filepath.Base(filepath.Dir(path))
		s := all[kind]
		if s == nil {
			continue
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := kind + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar")
		file, want, found := caseOf(archive, kind)
		if !found {
			continue
		}
		judged++
		err = judge(s, file)
		if good := strings.Contains(want, "\n--\n") || strings.HasPrefix(want, "--\n"); good != (err == nil) && unlike[name] == "" {
			t.Errorf("%s: the program says %v, the schema %v\n%s\n%s", name, good, err, file, want)
		}
	}
	if judged < 30 {
		t.Errorf("judged %d cases, want at least 30", judged)
	}
}

// caseOf returns the file of the given kind in a case, and the report that the case expects for this file.
func caseOf(a *txtar.Archive, kind string) (file, want string, found bool) {
	for _, f := range a.Files {
		switch f.Name {
		case kind + ".yaml":
			file, found = string(f.Data), true
		case "want":
			want = string(f.Data)
		}
	}
	return file, want, found
}

// The example of every widget is valid. If an unknown key is added, the example is invalid.
func TestSchemasKnowEveryWidget(t *testing.T) {
	s := compiled(t)["widgets"]
	names, _ := kindNames()
	for _, kind := range names {
		yaml, err := example(kind.(string))
		if err != nil {
			t.Fatal(err)
		}
		if err := judge(s, "widgets:\n-\n"+indent(yaml, 2)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if judge(s, "widgets:\n-\n"+indent(yaml+"\ncolour: red", 2)) == nil {
			t.Errorf("%s: an unknown key passes", kind)
		}
	}
}

// The schemas detect typical mistakes.
func TestSchemasRefuse(t *testing.T) {
	all := compiled(t)
	for _, tc := range []struct{ name, file, text string }{
		{"no widgets", "widgets", "background_color: red\n"},
		{"misspelt top-level key", "widgets", "backround_color: red\nwidgets: [{widget: empty}]\n"},
		{"a widget without a type", "widgets", "widgets: [{rows: 2}]\n"},
		{"an unknown widget", "widgets", "widgets: [{widget: gird}]\n"},
		{"a word where a number belongs", "widgets", "widgets: [{widget: grid, rows: 2 rows}]\n"},
		{"a number out of its range", "widgets", "widgets: [{widget: grid, rows: 0}]\n"},
		{"a word that is not one of the words", "widgets", "widgets: [{widget: text, align: middle}]\n"},
		{"a color with five digits", "widgets", "widgets: [{widget: empty, color: '#12345'}]\n"},
		{"a required key left out", "widgets", "widgets: [{widget: label, children: [{widget: empty}]}]\n"},
		{"too many children", "widgets", "widgets: [{widget: label, text: x, children: [{widget: empty}, {widget: empty}]}]\n"},
		{"a mistake deep inside", "widgets", "widgets: [{widget: grid, children: [{widget: flip, children: [{widget: text, texd: x}]}]}]\n"},
		{"a default that no widget has", "theme", "defaults: {label: {colour: red}}\n"},
		{"a group of an unknown widget", "theme", "groups: {figures: [providers]}\n"},
		{"a theme block in the widgets file", "widgets", "theme: {colors: {a: '#12'}}\nwidgets: [{widget: empty}]\n"},
		{"a theme file with the block's key", "theme", "theme: 3\n"},
		{"a resolution of another word", "conf", "graphics: {resolution: window}\n"},
		{"an unknown output", "conf", "graphics: {resolution: [8, 8]}\noutputs: [{type: steam}]\n"},
		{"another output's key", "conf", "graphics: {resolution: [8, 8]}\noutputs: [{type: stream, device: /dev/fb0}]\n"},
		{"a port out of range", "conf", "graphics: {resolution: [8, 8]}\nserver: {port: 70000}\n"},
		{"an unknown provider", "providers", "providers: {a: {type: mqtt}}\n"},
		{"another provider's key", "providers", "providers: {a: {type: sun, latitude: 1, longitude: 2, url: 'http://a.lan'}}\n"},
		{"rest without an address", "providers", "providers: {a: {update_interval: 5}}\n"},
		{"two screens", "client", "server: {url: 'http://a.lan'}\ngraphics: {resolution: [8, 8]}\noutputs: [{type: window}, {type: window}]\n"},
		{"no address", "client", "server: {url: a.lan:5000}\ngraphics: {resolution: [8, 8]}\noutputs: [{type: window}]\n"},
		{"a secret that is a list", "secrets", "a: [1, 2]\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if judge(all[tc.file], tc.text) == nil {
				t.Errorf("got no complaint about\n%s", tc.text)
			}
		})
	}
}

// Tokens, old names, empty values and anchors are valid.
func TestSchemasAllow(t *testing.T) {
	all := compiled(t)
	for _, tc := range []struct{ name, file, text string }{
		{"tokens", "widgets", "background_color: !color a\nwidgets: [{widget: grid, padding: !size gap, row_ratios: !list rows, drop_shadow: !flag f, children: [{widget: text, color: !color b}]}]\n"},
		{"old names", "widgets", "widgets: [{widget: grid, color: red, widget_color: '#fff'}]\n"},
		{"an old name of a required key", "widgets", "widgets: [{widget: image, image_path: a.png}]\n"},
		{"null", "widgets", "widgets: [{widget: text, color: null, text: }]\n"},
		{"anchors", "widgets", "card: &card {padding: 3}\nwidgets: [{widget: grid, <<: *card}]\n"},
		{"a theme", "widgets", "theme: {colors: {a: red, b: null, c: !color a}, sizes: {gap: 3}, groups: {g: [text, rest]}, defaults: {g: {color: red}, label: {color: !color a}}}\nwidgets: [{widget: empty}]\n"},
		{"numbers as text", "conf", "graphics: {resolution: [8, 8], text-scale: '1.5'}\n"},
		{"a secret address", "providers", "providers: {a: {url: !secret address}}\n"},
		{"no providers", "providers", "providers:\n"},
		{"the type left out", "client", "server: {url: 'http://a.lan'}\ngraphics: {resolution: [8, 8]}\noutputs: [{fullscreen: true}]\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := judge(all[tc.file], tc.text); err != nil {
				t.Errorf("%v, of\n%s", err, tc.text)
			}
		})
	}
}
