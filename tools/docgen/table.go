package main

import (
	"fmt"
	"reflect"
	"strings"

	"dashboard/config"
	"dashboard/tools/fielddoc"
)

// tableHead begins every table of keys.
const tableHead = "| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n"

// table is the keys a struct reads, as a table. Keys of nested mappings have their path.
func table(t reflect.Type) string { return tableHead + rows(fielddoc.Fields(t), "") }

func rows(fields []config.Field, prefix string) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(row(f, prefix))
		b.WriteString(rows(f.Fields, prefix+f.Name+f.Inside()))
	}
	return b.String()
}

func row(f config.Field, prefix string) string {
	return fmt.Sprintf("| `%s%s` | %s | %s | %s | %s |\n", prefix, f.Name, typeOf(f), defaultOf(f), allowed(f), meaning(f))
}

// units are the ways the tags write units, and how the reference does.
var units = map[string]string{"seconds": "s", "minutes": "min", "degrees": "°", "degrees north": "° north", "degrees east": "° east"}

// actions is the type of what a touch does; the page about HTTP lists its values.
const actions = "action"

func typeOf(f config.Field) string {
	switch {
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
