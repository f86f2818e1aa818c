package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/provider/query"
	"dashboard/tools/fielddoc"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/list"
)

// tableHead is the head of every table of keys.
const tableHead = "| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n"

// table returns a table of the keys that a struct reads. A key inside a mapping is written with its path.
func table(t reflect.Type) string {
	fields := fielddoc.Fields(t)
	return tableHead + rows(fields, fields)
}

// rows() returns the rows for fields. A key of a nested mapping gets no row if the list `all` contains this key with the same meaning.
func rows(fields, all []config.Field) string {
	var b strings.Builder
	addRows(&b, fields, all, "")
	return b.String()
}

func addRows(b *strings.Builder, fields, all []config.Field, prefix string) {
	for _, f := range fields {
		own, also := split(f, all)
		f.Doc += also
		b.WriteString(row(f, prefix))
		addRows(b, own, all, prefix+f.Name+f.Inside())
	}
}

// split returns the keys of a mapping that need separate rows, and a sentence about its other keys.
func split(f config.Field, all []config.Field) (own []config.Field, also string) {
	if _, ok := onceOf(f); ok {
		return nil, ""
	}
	var same []string
	for _, k := range f.Fields {
		part, ok := partsOnce[k.Owner]
		switch {
		case ok && !slices.Contains(same, part.link()):
			same = append(same, part.link())
		case ok:
		case slices.ContainsFunc(all, func(a config.Field) bool { return a.Name == k.Name && a.Doc == k.Doc }):
			same = append(same, code(k.Name))
		default:
			own = append(own, k)
		}
	}
	if len(same) > 0 {
		also = " Also: " + strings.Join(same, ", ") + "."
	}
	return own, also
}

// A onceType is the name and the link of a table that appears only once in the documents.
type onceType struct{ name, at string }

func (o onceType) link() string { return "[" + o.name + "](" + o.at + ")" }

// partsOnce lists embedded structs whose keys appear only once in the documents.
var partsOnce = map[reflect.Type]onceType{
	reflect.TypeFor[kit.Thing]():           {"keys of an entity", "widgets.md#keys-of-an-entity"},
	reflect.TypeFor[format.Wording]():      {"keys of a value", "widgets.md#keys-of-a-value"},
	reflect.TypeFor[config.Shows]():        {"`view`", "configuration.md#outputs"},
	reflect.TypeFor[config.ImageOptions](): {"keys of JPEG", "configuration.md#outputs"},
}

// The list `once` has the types of mappings whose keys appear only once in the documents.
var once = map[reflect.Type]onceType{
	reflect.TypeFor[query.Auth]():   {"auth", "configuration.md#keys-of-auth"},
	reflect.TypeFor[list.RowItem](): {"row", "widgets.md#keys-of-a-row"},
	reflect.TypeFor[format.Range](): {"range", "widgets.md#keys-of-a-range"},
}

// onceOf returns the table for a field's values or list entries. ok is false if `once` has no table for their type.
func onceOf(f config.Field) (onceType, bool) {
	t := f.GoType
	if plain, live := config.LivePart(t); live {
		t = plain
	}
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	o, ok := once[t]
	return o, ok
}

func row(f config.Field, prefix string) string {
	return fmt.Sprintf("| `%s%s` | %s | %s | %s | %s |\n", prefix, f.Name, typeOf(f), defaultOf(f), allowed(f), meaning(f))
}

// units maps units in struct tags to their form in the reference.
var units = map[string]string{"seconds": "s", "minutes": "min", "degrees": "°", "degrees north": "° north", "degrees east": "° east"}

// actions is the type name of touch actions. The page about HTTP lists the actions.
const actions = "action"

func typeOf(f config.Field) string {
	once, ok := onceOf(f)
	switch {
	case ok && f.Inside() == ".":
		return once.link()
	case ok:
		return "list of [" + once.name + "s](" + once.at + ")"
	case f.Type == actions:
		return "[action](http.md#actions)"
	case f.Unit == "":
		return f.Type
	}
	unit := f.Unit
	if u, ok := units[unit]; ok {
		unit = u
	}
	return f.Type + ", " + unit
}

func defaultOf(f config.Field) string {
	switch {
	case f.Required:
		return "**required**"
	case !f.HasDef:
		return ""
	case f.Default == "":
		return "empty"
	}
	return code(f.Default)
}

// allowed() returns the allowed words of a key, or its allowed range.
func allowed(f config.Field) string {
	var parts []string
	if len(f.Enum) > 0 {
		words := make([]string, len(f.Enum))
		for i, w := range f.Enum {
			words[i] = code(w)
		}
		parts = append(parts, strings.Join(words, ", "))
	}
	switch {
	case f.Min != "" && f.Max != "":
		parts = append(parts, f.Min+" to "+f.Max)
	case f.Min != "":
		parts = append(parts, "at least "+f.Min)
	case f.Max != "":
		parts = append(parts, "at most "+f.Max)
	}
	if f.URL {
		parts = append(parts, f.Address())
	}
	return strings.Join(parts, "; ")
}

func meaning(f config.Field) string {
	text := f.Doc
	for _, old := range f.Aliases {
		text += " Old name: " + code(old) + "."
	}
	return strings.ReplaceAll(text, "|", `\|`)
}

func code(s string) string { return "`" + s + "`" }
