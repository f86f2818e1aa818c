package main

import (
	"fmt"
	"reflect"
	"strings"

	"dashboard/config"
	"dashboard/provider/query"
	"dashboard/tools/fielddoc"
	"dashboard/widgets/kit"
	"dashboard/widgets/list"
)

// tableHead begins every table of keys.
const tableHead = "| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n"

// table is the keys a struct reads, as a table. Keys of nested mappings have their path.
func table(t reflect.Type) string { return tableHead + rows(fielddoc.Fields(t), "") }

func rows(fields []config.Field, prefix string) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(row(f, prefix))
		if _, ok := onceOf(f); ok {
			continue
		}
		b.WriteString(rows(f.Fields, prefix+f.Name+f.Inside()))
	}
	return b.String()
}

// A onceType is a mapping whose table stands in the documents once.
type onceType struct{ name, at string }

// once are these mappings.
var once = map[reflect.Type]onceType{
	reflect.TypeFor[query.Auth]():   {"auth", "configuration.md#keys-of-auth"},
	reflect.TypeFor[list.RowItem](): {"row", "widgets.md#keys-of-a-row"},
	reflect.TypeFor[kit.Range]():    {"range", "widgets.md#keys-of-a-range"},
}

// onceOf returns the mapping of a field, or of its list's entries, if its table stands elsewhere.
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

// units are the ways the tags write units, and how the reference does.
var units = map[string]string{"seconds": "s", "minutes": "min", "degrees": "°", "degrees north": "° north", "degrees east": "° east"}

// actions is the type of what a touch does. The page about HTTP lists its values.
const actions = "action"

func typeOf(f config.Field) string {
	once, ok := onceOf(f)
	switch {
	case ok && f.Inside() == ".":
		return "[" + once.name + "](" + once.at + ")"
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

// allowed is the words or the range a value must be of.
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
		parts = append(parts, "http or https URL")
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
