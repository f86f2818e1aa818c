package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"reflect"
	"slices"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render/icon"
	files "dashboard/schema"
	"dashboard/widgets"
)

// schemaDir is the folder of the schemas, relative to the repository.
const schemaDir = "schema"

// packedSchemas is a file that contains all schemas except iconsFile, in compressed form. It is part of the program.
const packedSchemas = schemaDir + "/schemas.zip"

// iconsFile is the schema with the names of all icons. The other schemas refer to it. `dashboard init` writes this schema.
const iconsFile = schemaDir + "/icons.json"

// A schema is a JSON Schema of draft 7, which editors support.
type schema = map[string]any

// complaint is the keyword for the message that editors show if a text does not match a pattern.
const complaint = "patternErrorMessage"

// schemas() returns all schema files by their paths.
func schemas() (map[string]string, error) {
	widgets, err := widgetsSchema()
	if err != nil {
		return nil, err
	}
	all := map[string]schema{
		"conf":      confSchema(),
		"client":    clientSchema(),
		"providers": providersSchema(),
		"widgets":   widgets,
		"theme":     themeFileSchema(),
		"secrets":   secretsSchema(),
	}
	icons, err := files.Icons(icon.Prefix, icon.Names())
	if err != nil {
		return nil, err
	}
	texts := map[string]string{iconsFile: string(icons)}
	for name, s := range all {
		s["$schema"] = files.Draft
		s["title"] = cmp.Or(schemaTitles[name], name+".yaml")
		s, err := share(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		text, err := schemaText(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		texts[schemaDir+"/"+name+".json"] = text
	}
	return texts, nil
}

// schemaTitles contains the titles of schemas that do not belong to a file NAME.yaml.
var schemaTitles = map[string]string{"theme": "a theme file"}

// pack returns a zip file of JSON texts without spaces. The name of each file is the last part of its path. Equal texts give equal bytes.
func pack(texts map[string]string) (string, error) {
	var b, compact bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		w, err := z.Create(path.Base(name))
		if err := cmp.Or(err, json.Compact(&compact, []byte(texts[name]))); err != nil {
			return "", err
		}
		if _, err := compact.WriteTo(w); err != nil {
			return "", err
		}
	}
	err := z.Close()
	return b.String(), err
}

// schemaText formats a schema. Its keys are sorted, so that a diff shows only real changes.
func schemaText(s schema) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(s)
	return b.String(), err
}

// object() returns the schema of a mapping. The mapping may have only the keys in `fields`.
func (w schemaWriter) object(fields []config.Field) schema {
	properties, required, either := schema{}, []any{}, []any{}
	for _, f := range fields {
		properties[f.Name] = w.field(f)
		for _, old := range f.Aliases {
			properties[old] = schema{"description": "Old name of " + f.Name + ".", "deprecationMessage": "Write " + f.Name + ".", "anyOf": []any{w.value(f)}}
		}
		switch {
		case f.Required && len(f.Aliases) > 0:
			names := append([]string{f.Name}, f.Aliases...)
			var ways []any
			for _, n := range names {
				ways = append(ways, schema{"required": []any{n}})
			}
			either = append(either, schema{"anyOf": ways})
		case f.Required:
			required = append(required, f.Name)
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	if len(either) > 0 {
		s["allOf"] = either
	}
	return s
}

// A schemaWriter describes the fields of one file.
type schemaWriter struct {
	tokens bool // allow a theme token in place of any value
}

// field returns the schema of a key with its description.
func (w schemaWriter) field(f config.Field) schema {
	s := w.value(f)
	s["description"] = f.Doc
	if f.Unit != "" {
		s["description"] = f.Doc + " In " + f.Unit + "."
	}
	if f.HasDef && f.Default != "" {
		s["default"] = defaultValue(f)
	}
	return s
}

// defaultValue returns the default of a key in the form in which a file would contain it.
func defaultValue(f config.Field) any {
	if plain, _ := config.LivePart(f.GoType); plain.Kind() == reflect.String {
		return f.Default
	}
	n := config.Parse("default", []byte(f.Default), &config.Report{}, nil)
	return n.Value()
}

// value returns the schema of the values that a key may have.
func (w schemaWriter) value(f config.Field) schema {
	s := w.typed(f, f.GoType)
	if f.Required && len(f.Aliases) == 0 {
		return s
	}
	return orNull(s)
}

// orNull allows an empty value, which means the same as leaving out the key.
func orNull(s schema) schema {
	switch t := s["type"].(type) {
	case string:
		s["type"] = []any{t, "null"}
	case []any:
		s["type"] = append(t, "null")
	default:
		if any, ok := s["anyOf"].([]any); ok {
			s["anyOf"] = append(any, schema{"type": "null"})
		}
	}
	if words, ok := s["enum"].([]any); ok {
		s["enum"] = append(words, nil)
	}
	return s
}

// name is the schema for the name of a token or a secret. An editor sees only the name, without the YAML tag before it.
var name = schema{"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_.-]*$"}

// orToken changes the schema of a value that is not text, so that it also allows a theme token.
func (w schemaWriter) orToken(s schema) schema {
	if !w.tokens {
		return s
	}
	return schema{"anyOf": []any{s, name}}
}

// typed() returns the schema of a field for the type t. For a list or mapping, t is the type of the list or mapping in the first call,
// and the type of its elements in the second call.
func (w schemaWriter) typed(f config.Field, t reflect.Type) schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if plain, live := config.LivePart(t); live {
		return schema{"anyOf": []any{w.typed(f, plain), schema{"type": "string", "description": "A program: !data and jq."}}}
	}
	if t == reflect.TypeFor[value.Icon]() {
		return schema{"anyOf": []any{schema{"$ref": "icons.json#/definitions/icon"}}}
	}
	if d, ok := reflect.New(t).Interface().(config.Describer); ok {
		return d.JSONSchema()
	}
	if named, ok := namedTypes[typeNameOf(t)]; ok {
		return named()
	}
	switch t.Kind() {
	case reflect.Struct:
		if len(f.Fields) == 0 {
			return schema{} // a node may have any form
		}
		whole := w.object(f.Fields)
		if _, short := reflect.New(t).Interface().(config.Short); short {
			return schema{"anyOf": []any{whole, schema{"type": []any{"string", "number", "boolean"}}}}
		}
		return whole
	case reflect.Slice:
		return w.orToken(bound(schema{"type": "array", "items": w.typed(f, t.Elem())}, f, "minItems", "maxItems"))
	case reflect.Map:
		return w.orToken(schema{"type": "object", "additionalProperties": orNull(w.typed(f, t.Elem()))})
	case reflect.Interface:
		return schema{}
	}
	return w.scalar(f, t)
}

// typeNameOf returns the name that a type's own method returns, or "" if it has no such method.
func typeNameOf(t reflect.Type) string {
	if n, ok := reflect.New(t).Interface().(config.TypeNamer); ok {
		return n.TypeName()
	}
	return ""
}

// scalar returns the schema of a text, a number or a boolean.
func (w schemaWriter) scalar(f config.Field, t reflect.Type) schema {
	switch t.Kind() {
	case reflect.Bool:
		return w.orToken(schema{"type": "boolean"})
	case reflect.String:
		return textSchema(f)
	}
	s := schema{"type": "number"}
	if t.Kind() == reflect.Int {
		s["type"] = "integer"
	}
	if len(f.Enum) > 0 {
		s["enum"] = wordsOf(f, s)
	}
	if f.Min != "" {
		s["minimum"] = json.Number(f.Min)
	}
	if f.Max != "" {
		s["maximum"] = json.Number(f.Max)
	}
	if f.Numeric {
		return schema{"anyOf": []any{s, schema{"type": "string", "pattern": `^-?[0-9.]+$`}}}
	}
	return w.orToken(s)
}

// textSchema returns the schema of a text. Every YAML scalar can be read as text.
func textSchema(f config.Field) schema {
	switch {
	case len(f.Enum) > 0:
		return schema{"type": "string", "enum": wordsOf(f, schema{"type": "string"})}
	case f.URL:
		pattern, rule := f.AddressPattern()
		return schema{"anyOf": []any{schema{"type": "string", "pattern": pattern, complaint: rule}, name}}
	}
	return bound(schema{"type": []any{"string", "number", "boolean"}}, f, "minLength", "maxLength")
}

// wordsOf returns the allowed words of an enumeration.
func wordsOf(f config.Field, s schema) []any {
	all := anyOf(f.Enum)
	for i, word := range f.Enum {
		if s["type"] != "string" {
			all[i] = json.Number(word)
		}
	}
	return all
}

func bound(s schema, f config.Field, least, most string) schema {
	if f.Least != "" {
		s[least] = json.Number(f.Least)
	}
	if f.Most != "" {
		s[most] = json.Number(f.Most)
	}
	return s
}

// namedTypes contains schemas by the name of a type. These types have their own code for reading values.
var namedTypes = map[string]func() schema{
	"color":                    colorSchema,
	"[width, height]":          sizeSchema,
	"host name":                func() schema { return schema{"type": "string", "pattern": `^(\*|[^/:@ *]+)$`} },
	"address range":            func() schema { return schema{"type": "string", "pattern": `^[0-9A-Fa-f.:]+(/[0-9]+)?$`} },
	"list of string":           func() schema { return listOr(schema{"type": []any{"string", "number", "boolean"}}) },
	"mapping or list of color": func() schema { return mappingOrList(orNull(colorSchema())) },
	"mapping or list of integer": func() schema {
		return mappingOrList(schema{"anyOf": []any{schema{"type": []any{"integer", "null"}}, name}})
	},
}

// colorSchema allows forms such as '#rrggbb', the name of a color or token, and a list of numbers.
func colorSchema() schema {
	return schema{"anyOf": []any{
		schema{
			"type": "string", "pattern": "^(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z_][A-Za-z0-9_. -]*)$",
			complaint: "A color is '#rgb', '#rgba', '#rrggbb', '#rrggbbaa', a name, or a list of three or four numbers from 0 to 255.",
		},
		schema{"type": "array", "items": schema{"type": "integer", "minimum": 0, "maximum": 255}, "minItems": 3, "maxItems": 4},
	}}
}

func sizeSchema() schema {
	return schema{"type": "array", "items": schema{"type": "integer", "minimum": 1, "maximum": config.MaxSide}, "minItems": 2, "maxItems": 2}
}

func listOr(items schema) schema {
	return schema{"anyOf": []any{schema{"type": "array", "items": items}, name}}
}

func mappingOrList(item schema) schema {
	return schema{"anyOf": []any{
		schema{"type": "object", "additionalProperties": item}, schema{"type": "array", "items": item}, name,
	}}
}

// chosen() returns a schema for objects in which one key determines the other keys. If the value of this key equals `word`, the object must
// also match another schema (the last parameter).
func chosen(key, word string, then schema) schema {
	return schema{"if": schema{"properties": schema{key: schema{"const": word}}, "required": []any{key}}, "then": then}
}

// with() adds a property to the schema of an object, and returns the schema.
func with(s schema, key string, value schema) schema {
	s["properties"].(schema)[key] = value
	return s
}

// kindNames returns the names of all kinds of widgets except ScreenKind, and their descriptions.
func kindNames() (names, docs []any) {
	for _, k := range widgets.Kinds() {
		if k.Name != config.ScreenKind {
			names, docs = append(names, k.Name), append(docs, k.Doc)
		}
	}
	return names, docs
}
