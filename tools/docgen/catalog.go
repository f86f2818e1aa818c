package main

import (
	"embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template"

	"dashboard/config"
	"dashboard/provider/query"
	"dashboard/tools/fielddoc"
	"dashboard/widgets"
	"dashboard/widgets/classic"
	"dashboard/widgets/kit"
	"dashboard/widgets/list"
)

// pages are the hand-written templates: widgets.md, classic-widgets.md and configuration.md, and notes.md with notes about single
// widgets.
//
//go:embed templates
var pages embed.FS

// examples has an example of each kind of widget, in <kind>.yaml.
//
//go:embed examples/*.yaml
var examples embed.FS

// generated begins every generated page.
const generated = "<!-- Written by tools/docgen: change its templates or the tags in the code, then run `make docs`. -->\n"

// An entry is a kind as the templates use it.
type entry struct {
	kit.Kind
	Children string
	Example  string
	Picture  string
	Table    string // table of its own keys, "" without keys
	Shared   []group
	Notes    string
}

// A group is a set of keys that several kinds have, in a separate table.
type group struct {
	Title  string
	Table  string // table of its own keys
	Shared []group
	typ    reflect.Type
}

// Anchor returns the anchor of the table on its page.
func (g group) Anchor() string {
	return strings.NewReplacer(" ", "-", "'", "").Replace(strings.ToLower(g.Title))
}

// Subject returns the title without its first words.
func (g group) Subject() string { return strings.TrimPrefix(g.Title, "Keys of ") }

func keysOf[T any](subject string) group {
	return group{Title: "Keys of " + subject, typ: reflect.TypeFor[T]()}
}

// modernGroups and classicGroups return the groups of the two pages. Each page has their tables once.
func modernGroups() []group {
	return filled(keysOf[kit.Common]("every widget"), keysOf[kit.Framed]("a card"), keysOf[kit.Typed]("type"), keysOf[kit.Wording]("a value"),
		keysOf[kit.Thing]("an entity"), keysOf[kit.Picking]("calendars"), keysOf[list.RowItem]("a row"), keysOf[kit.Range]("a range"))
}

func classicGroups() []group {
	return filled(keysOf[kit.Lettering]("lettering"), keysOf[kit.Backdrop]("a background"), keysOf[classic.Reading]("a text of values"),
		keysOf[query.Address]("an address"), keysOf[classic.Source]("a provider's value"), keysOf[classic.Choosing]("a choice"),
		keysOf[kit.Fitting]("a picture"))
}

// filled fills in the tables of groups. A group that embeds another one has a link instead of the other's keys.
func filled(groups ...group) []group {
	for i := range groups {
		groups[i].Table, groups[i].Shared = tables(groups[i].typ, groups)
	}
	return groups
}

// A page is the data for a template of a page of widgets.
type page struct {
	Kinds  []entry
	Groups []group
}

// widgetsText returns a page: if modern is set, the page of the kinds that are drawn by the theme's roles, else the page of the
// classic ones.
func widgetsText(name string, modern bool) (string, error) {
	t, err := template.ParseFS(pages, "templates/"+name, "templates/notes.md")
	if err != nil {
		return "", err
	}
	p := page{Groups: classicGroups()}
	if modern {
		p.Groups = modernGroups()
	}
	for _, k := range widgets.Kinds() {
		if k.Modern != modern {
			continue
		}
		e, err := entryOf(t, k, p.Groups)
		if err != nil {
			return "", err
		}
		if i := slices.IndexFunc(p.Kinds, func(k entry) bool { return k.Table == e.Table && e.Table != "" }); i >= 0 {
			e.Table = fmt.Sprintf("Its other keys are the keys of [%[1]s](#%[1]s).\n", p.Kinds[i].Name)
		}
		p.Kinds = append(p.Kinds, e)
	}
	return fill(t.Lookup(name), p)
}

func entryOf(t *template.Template, k kit.Kind, groups []group) (entry, error) {
	yaml, err := example(k.Name)
	if err != nil {
		return entry{}, err
	}
	e := entry{
		Kind: k, Children: k.Children(), Example: strings.TrimSpace(yaml),
		Picture: strings.TrimPrefix(picturePath(k.Name), "docs/"),
	}
	e.Table, e.Shared = tables(reflect.TypeOf(k.Params()), groups)
	if n := t.Lookup(k.Name); n != nil {
		if e.Notes, err = fill(n, nil); err != nil {
			return entry{}, err
		}
		e.Notes = strings.TrimSpace(strings.TrimPrefix(e.Notes, generated))
	}
	return e, nil
}

// tables returns the table of a kind's own keys, and the groups whose tables have its other keys.
func tables(params reflect.Type, groups []group) (own string, shared []group) {
	elsewhere := map[string]string{} // description of a key in a group's table
	for _, g := range embedded(params, groups) {
		shared = append(shared, g)
		for _, f := range fielddoc.Fields(g.typ) {
			elsewhere[f.Name] = f.Doc
		}
	}
	all := fielddoc.Fields(params)
	left := slices.DeleteFunc(slices.Clone(all), func(f config.Field) bool { return elsewhere[f.Name] == f.Doc })
	if len(left) == 0 {
		return "", shared
	}
	return tableHead + rows(left, all), shared
}

// embedded returns the groups whose structs are embedded in a struct. A struct that is embedded in a group belongs to its table.
func embedded(t reflect.Type, groups []group) (found []group) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous || f.Type.Kind() != reflect.Struct {
			continue
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.typ == f.Type })
		if at < 0 {
			found = append(found, embedded(f.Type, groups)...)
		} else {
			found = append(found, groups[at])
		}
	}
	return found
}

// example returns the YAML of a kind's example. It is in a file, or in the indented lines of the comment above the struct of its
// parameters.
func example(kind string) (string, error) {
	data, err := examples.ReadFile("examples/" + kind + ".yaml")
	if err == nil {
		return string(data), nil
	}
	for _, k := range widgets.Kinds() {
		if text := fielddoc.Example(reflect.TypeOf(k.Params())); k.Name == kind && text != "" {
			return text, nil
		}
	}
	return "", fmt.Errorf("the widget %s needs an example: indented lines in the comment above its parameters, or tools/docgen/examples/%s.yaml", kind, kind)
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
