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
	"dashboard/widgets/kit/format"
	"dashboard/widgets/list"
)

// pages are the hand-written templates: widgets.md, classic-widgets.md and configuration.md, and notes.md with notes about single
// widgets.
//
//go:embed templates
var pages embed.FS

// `examples` has the examples of the kinds of widgets. The example of a kind is in the file <kind>.yaml. See example().
//
//go:embed examples/*.yaml
var examples embed.FS

// generated is the first line of every generated page.
const generated = "<!-- Written by tools/docgen: change its templates or the tags in the code, then run `make docs`. -->\n"

// An entry describes a kind of widget for the templates.
type entry struct {
	kit.Kind
	Children string
	Example  string
	Picture  string
	Table    string // table of the kind's own keys, or "" if it has no own keys
	Shared   []group
	Notes    string
}

// A group is a set of keys that several kinds of widgets share. It has a separate table.
type group struct {
	Title  string
	Table  string // table of the group's own keys
	Shared []group
	typ    reflect.Type
}

// Anchor returns the anchor of the group's table on its page.
func (g group) Anchor() string {
	return strings.NewReplacer(" ", "-", "'", "").Replace(strings.ToLower(g.Title))
}

// Subject returns the title without "Keys of ".
func (g group) Subject() string { return strings.TrimPrefix(g.Title, "Keys of ") }

func keysOf[T any](subject string) group {
	return group{Title: "Keys of " + subject, typ: reflect.TypeFor[T]()}
}

// modernGroups and classicGroups return the groups for the two pages of widgets. Each page shows their tables once.
func modernGroups() []group {
	return filled(keysOf[kit.Common]("every widget"), keysOf[kit.Framed]("a card"), keysOf[kit.Typed]("type"), keysOf[format.Wording]("a value"),
		keysOf[kit.Thing]("an entity"), keysOf[kit.Picking]("calendars"), keysOf[list.RowItem]("a row"), keysOf[format.Range]("a range"))
}

func classicGroups() []group {
	return filled(keysOf[kit.Lettering]("lettering"), keysOf[kit.Backdrop]("a background"), keysOf[classic.Reading]("a text of values"),
		keysOf[query.Address]("an address"), keysOf[classic.Source]("a provider's value"), keysOf[classic.Choosing]("a choice"),
		keysOf[kit.Fitting]("a picture"))
}

// filled() fills in the tables of the groups. If a group embeds another group, its table has a link instead of the keys of the embedded
// group.
func filled(groups ...group) []group {
	for i := range groups {
		groups[i].Table, groups[i].Shared = tables(groups[i].typ, groups)
	}
	return groups
}

// A page is the input for the template of a page of widgets.
type page struct {
	Kinds  []entry
	Groups []group
}

// widgetsText returns a page about widgets. If `modern` is true, the page describes the widgets that are drawn with the roles of a theme.
// Otherwise it describes the classic widgets.
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
			e.Table = fmt.Sprintf("Other keys: the keys of [%[1]s](#%[1]s).\n", p.Kinds[i].Name)
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
	e := entry{Kind: k, Children: k.Children(), Example: strings.TrimSpace(yaml), Picture: strings.TrimPrefix(picturePath(k.Name), "docs/")}
	e.Table, e.Shared = tables(reflect.TypeOf(k.Params()), groups)
	if n := t.Lookup(k.Name); n != nil {
		if e.Notes, err = fill(n, nil); err != nil {
			return entry{}, err
		}
		e.Notes = strings.TrimSpace(strings.TrimPrefix(e.Notes, generated))
	}
	return e, nil
}

// tables() returns the table of a kind's own keys. It also returns the kind's groups, whose tables contain the other keys.
func tables(params reflect.Type, groups []group) (own string, shared []group) {
	elsewhere := map[string]string{} // descriptions of keys in the tables of groups
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

// embedded() returns the groups whose structs are embedded in a struct. Structs inside such a group belong to the table of the group.
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

// packExamples joins the files of examples/ into one file and zips it. The result is smaller than a zip file of many files.
func packExamples() (string, error) {
	texts := schema{}
	for _, k := range widgets.Kinds() {
		if data, err := examples.ReadFile("examples/" + k.Name + ".yaml"); err == nil {
			texts[k.Name] = string(data)
		}
	}
	text, _ := schemaText(texts) // texts can always be encoded
	return pack(map[string]string{"examples.json": text})
}

// example returns the example of a kind as YAML: from a file, or from the indented lines above the struct of its parameters.
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
