package main

import (
	"embed"
	"fmt"
	"reflect"
	"strings"
	"text/template"

	"dashboard/widgets"
)

// pages are the hand-written texts: widgets.md and configuration.md, and notes.md with what is to be said of single
// widgets.
//
//go:embed templates
var pages embed.FS

// examples holds a widget of each kind as it would be written, in <kind>.yaml.
//
//go:embed examples
var examples embed.FS

// generated begins every generated page.
const generated = "<!-- Written by tools/docgen: change its templates or the tags in the code, then run `make docs`. -->\n"

// entry is a kind as the template of widgets.md sees it.
type entry struct {
	widgets.Kind
	Children string
	Example  string
	Picture  string
	Size     string
	Table    string
	Notes    string
}

func widgetsText() (string, error) {
	t, err := template.ParseFS(pages, "templates/widgets.md", "templates/notes.md")
	if err != nil {
		return "", err
	}
	var list []entry
	for _, k := range widgets.Kinds() {
		e, err := entryOf(t, k)
		if err != nil {
			return "", err
		}
		list = append(list, e)
	}
	return fill(t.Lookup("widgets.md"), list)
}

func entryOf(t *template.Template, k widgets.Kind) (entry, error) {
	yaml, err := example(k.Name)
	if err != nil {
		return entry{}, err
	}
	e := entry{
		Kind: k, Children: k.Children(), Example: strings.TrimSpace(yaml),
		Picture: strings.TrimPrefix(picturePath(k.Name), "docs/"), Size: size(k.Name),
		Table: table(reflect.TypeOf(k.Params())),
	}
	if n := t.Lookup(k.Name); n != nil {
		if e.Notes, err = fill(n, nil); err != nil {
			return entry{}, err
		}
		e.Notes = strings.TrimSpace(strings.TrimPrefix(e.Notes, generated))
	}
	return e, nil
}

// example is the YAML of a kind's example.
func example(kind string) (string, error) {
	data, err := examples.ReadFile("examples/" + kind + ".yaml")
	if err != nil {
		return "", fmt.Errorf("the widget %s needs an example: write tools/docgen/examples/%s.yaml", kind, kind)
	}
	return string(data), nil
}

func size(kind string) string {
	s := sceneOf(kind).size
	return fmt.Sprintf("%d x %d", s.X, s.Y)
}

// fill executes a template.
func fill(t *template.Template, data any) (string, error) {
	var b strings.Builder
	b.WriteString(generated)
	if err := t.Execute(&b, data); err != nil {
		return "", err
	}
	return b.String(), nil
}
