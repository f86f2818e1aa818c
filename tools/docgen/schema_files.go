package main

import (
	"reflect"
	"strings"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/control/power"
	"dashboard/provider/sources"
	"dashboard/theme/look"
	"dashboard/tools/fielddoc"
	"dashboard/widgets"
	"dashboard/widgets/kit"
)

func confSchema() schema {
	s := schemaWriter{}.object(fielddoc.Fields(fileTypes["conf"]))
	appearance := s["properties"].(schema)["appearance"].(schema)
	shown := schemaWriter{}.object(fielddoc.Fields(reflect.TypeFor[power.Settings]()))
	shown["description"] = "When the screen is on and how bright."
	shown["type"] = []any{"object", "null"}
	with(s, "display", shown)
	with(s, "theme", themeOfConf(s["properties"].(schema)["theme"].(schema)))
	with(s["properties"].(schema)["views"].(schema)["additionalProperties"].(schema), "display", shown)
	appearance["dependencies"] = schema{"latitude": []any{"longitude"}, "longitude": []any{"latitude"}}
	return with(s, "outputs", schema{
		"description": "Where frames go.", "type": "array", "minItems": 1, "items": outputSchema(config.OutputTypes()),
	})
}

// themeOfConf returns the schema of the key `theme` in conf.yaml: one name, or a name for the day and a name for the night.
func themeOfConf(plain schema) schema {
	pair := schema{"type": "object", "additionalProperties": false, "properties": schema{"day": schema{"anyOf": themeName()}, "night": schema{"anyOf": themeName()}}}
	return schema{"description": plain["description"], "anyOf": append(themeName(), pair, schema{"type": "null"})}
}

func clientSchema() schema {
	s := schemaWriter{}.object(fielddoc.Fields(fileTypes["client"]))
	return with(s, "outputs", schema{
		"description": "The screen: exactly one window or framebuffer.", "type": "array", "minItems": 1, "maxItems": 1,
		"items": optional(outputSchema([]string{config.OutputWindow, config.OutputFramebuffer})),
	})
}

// optional() makes the key `type` of an output optional. The default is the first type.
func optional(s schema) schema {
	delete(s, "required")
	delete(s["allOf"].([]any)[0].(schema)["if"].(schema), "required")
	return s
}

// outputSchema returns the schema of an entry of outputs.
func outputSchema(types []string) schema {
	var all []any
	for _, name := range types {
		part := parts[name]
		if name == config.OutputFramebuffer {
			part = parts[config.OutputWindow]
		}
		all = append(all, chosen("type", name, with(schemaWriter{}.object(fielddoc.Fields(part)), "type", schema{"const": name})))
	}
	return schema{
		"type": "object", "required": []any{"type"}, "allOf": all,
		"properties": schema{"type": schema{"description": "What kind of output it is.", "enum": anyOf(types)}},
	}
}

func providersSchema() schema {
	var all []any
	for _, name := range sources.TypeNames() {
		keys := with(schemaWriter{}.object(fielddoc.Fields(parts[providerPart(name)])), "type", schema{"enum": []any{name}})
		c := chosen("type", name, keys)
		if name == config.DefaultProviderType {
			delete(c["if"].(schema), "required") // this type also applies if the key is missing
			keys["anyOf"] = []any{schema{"required": []any{"url"}}, schema{"required": []any{"steps"}}}
		}
		all = append(all, c)
	}
	provider := schema{
		"type": "object", "allOf": all,
		"properties": schema{"type": schema{"description": "What kind of source it is.", "enum": anyOf(sources.TypeNames()), "default": config.DefaultProviderType}},
	}
	return schema{
		"type": "object", "required": []any{"providers"}, "additionalProperties": false,
		"properties": schema{"providers": schema{
			"description": "Definitions by name; widgets refer to the name.", "type": []any{"object", "null"}, "additionalProperties": provider,
		}},
	}
}

// themeName returns the schemas for the name of a theme: a built-in theme or a file.
func themeName() []any {
	return []any{
		schema{"type": "string", "description": "A built-in theme.", "enum": anyOf(look.Names())},
		schema{"type": "string", "description": "A theme file.", "pattern": `[./]`, complaint: "A theme is one of " + strings.Join(look.Names(), ", ") + ", or a file."},
	}
}

func secretsSchema() schema {
	return schema{
		"type": "object", "description": "Values by name, for !secret name in the other files.",
		"additionalProperties": schema{"type": []any{"string", "number", "boolean", "null"}},
	}
}

func widgetsSchema() (schema, error) {
	names, docs := kindNames()
	definitions := schema{}
	var all []any
	for _, k := range widgets.Kinds() {
		if k.Name != config.ScreenKind {
			definitions[k.Name] = kindSchema(k)
			all = append(all, chosen("widget", k.Name, schema{"$ref": "#/definitions/" + k.Name}))
		}
	}
	for key, of := range commonSchemas() {
		definitions[commonKey+key] = of
	}
	use, err := useSchema()
	if err != nil {
		return nil, err
	}
	definitions[recipe.Kind] = use
	all = append(all, chosen("widget", recipe.Kind, schema{"$ref": "#/definitions/" + recipe.Kind}))
	names, docs = append(names, recipe.Kind), append(docs, "A recipe: a shared widget with its sources.")
	definitions["widget"] = schema{
		"type": "object", "required": []any{"widget"}, "allOf": all,
		"properties": schema{"widget": schema{"description": "What kind of widget it is.", "enum": names, "enumDescriptions": docs}},
	}
	screen, _ := kindOfName(config.ScreenKind)
	s := schemaWriter{tokens: true}.object(fielddoc.Fields(reflect.TypeOf(screen.Params())))
	with(s, "theme", schema{"anyOf": append(themeName(), schema{"$ref": "theme.json#/definitions/theme"})})
	with(s, "widgets", schema{
		"description": "The one widget that fills the screen, usually a layout.", "type": "array", "minItems": 1, "items": schema{"$ref": "#/definitions/widget"},
	})
	s["required"] = []any{"widgets"}
	s["definitions"] = definitions
	// An unknown key may hold an anchor, so any name is valid. The value must be a mapping or a list.
	s["additionalProperties"] = schema{
		"type": []any{"object", "array"}, "errorMessage": "There is no such key. A key of your own must be a mapping or a list that holds an anchor.",
	}
	return s, nil
}

func kindOfName(name string) (kit.Kind, bool) {
	for _, k := range widgets.Kinds() {
		if k.Name == name {
			return k, true
		}
	}
	return kit.Kind{}, false
}

// commonKey is the prefix of the names of definitions for keys that all widgets have.
const commonKey = "every."

// commonSchemas returns the schemas of the keys that all widgets have. A schema file contains them only once.
func commonSchemas() schema {
	return schemaWriter{tokens: true}.object(fielddoc.Fields(reflect.TypeFor[kit.Common]()))["properties"].(schema)
}

// kindSchema returns the schema of a kind of widget with all its keys.
func kindSchema(k kit.Kind) schema {
	s := schemaWriter{tokens: true}.object(fielddoc.Fields(reflect.TypeOf(k.Params())))
	for key := range commonSchemas() {
		if _, own := s["properties"].(schema)[key]; !own {
			with(s, key, schema{"$ref": "#/definitions/" + commonKey + key})
		}
	}
	if item, ok := s["properties"].(schema)["item"]; ok && k.Name == "list" {
		with(s, "item", schema{"anyOf": []any{item, schema{"$ref": "#/definitions/widget"}}})
	}
	s["description"] = k.Doc
	with(s, "widget", schema{"const": k.Name, "description": k.Doc})
	with(s, "name", schema{"description": "A name by which others find this widget.", "type": []any{"string", "number", "boolean", "null"}})
	children := schema{"description": "The widgets inside it.", "type": "array", "items": schema{"$ref": "#/definitions/widget"}}
	if k.Least > 0 {
		children["minItems"] = k.Least
		required, _ := s["required"].([]any)
		s["required"] = append(required, "children")
	}
	if k.Most < kit.Unlimited {
		children["maxItems"] = k.Most
	}
	if k.Least == 0 {
		children = orNull(children)
	}
	return with(s, "children", children)
}

// themeSchema returns the schema of the key `theme`, with sections of values, groups and defaults.
func themeSchema() schema {
	names, docs := kindNames()
	defaults := schema{}
	for _, k := range widgets.Kinds() {
		if k.Name == config.ScreenKind {
			continue
		}
		keys := schemaWriter{tokens: true}.object(fielddoc.Fields(reflect.TypeOf(k.Params())))
		delete(keys, "required") // defaults need not contain all keys
		delete(keys, "allOf")
		keys["description"] = k.Doc
		defaults[k.Name] = orNull(keys)
	}
	anything := []any{"object", "null"}
	return schema{
		"type": anything,
		"properties": schema{
			"from":     schema{"description": "The built-in theme that this is laid over.", "enum": anyOf(look.Names())},
			"typeface": schema{"description": "inter, liberation, or {path: FILE, italic: FILE}.", "type": []any{"string", "object", "null"}},
			"day":      schema{"description": "The same keys for the day alone, or a theme.", "type": []any{"object", "string", "null"}},
			"night":    schema{"description": "The same keys for the night alone, or a theme.", "type": []any{"object", "string", "null"}},
			"colors":   schema{"description": "Colors by name, for !color name.", "type": anything, "additionalProperties": orNull(colorSchema())},
			"groups": schema{
				"description": "Names for several kinds of widgets, for use in defaults.", "type": anything,
				"additionalProperties": schema{"type": "array", "items": schema{"enum": names, "enumDescriptions": docs}},
			},
			"defaults": schema{
				"description": "Values that widgets of a kind or group have unless they say otherwise.", "type": anything,
				"properties": defaults, "additionalProperties": schema{"type": anything},
			},
		},
		"additionalProperties": schema{"description": "Values by name: !size name looks in sizes.", "type": anything},
	}
}

// anyOf returns words as a slice of type []any.
func anyOf(words []string) []any {
	all := make([]any, len(words))
	for i, w := range words {
		all[i] = w
	}
	return all
}

// themeFileSchema returns the schema of a theme file. It has the keys that are below "theme:" in other files.
func themeFileSchema() schema {
	return schema{
		"type": "object", "allOf": []any{schema{"$ref": "#/definitions/theme"}}, "definitions": schema{"theme": themeSchema()},
	}
}
