package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dashboard/control/verb"
)

// openAPI is the description of the HTTP interface in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1).
const openAPI = "schema/openapi.json"

// packedOpenAPI is the compressed description, which is part of the program.
const packedOpenAPI = schemaDir + "/openapi.zip"

// openAPIText returns the description of all addresses. An address belongs to a verb, or is in the first table of docs/http.md.
func openAPIText(root string) (string, error) {
	page, err := os.ReadFile(filepath.Join(root, httpPage))
	if err != nil {
		return "", err
	}
	paths := map[string]schema{}
	for _, v := range verb.All() {
		for i, r := range v.Addresses() {
			add(paths, r.Path, r.Method, verbOperation(&v, r, i))
		}
	}
	for _, a := range addressRows(string(page)) {
		add(paths, a.path, a.method, a.operation())
	}
	data, err := json.MarshalIndent(schema{
		"openapi": "3.1.0",
		"info":    schema{"title": "dashboard", "version": "1", "description": "Addresses of a wall. docs/http.md explains them."},
		"paths":   paths,
		"components": schema{
			"securitySchemes": schema{"token": schema{
				"type": "http", "scheme": "bearer", "description": "The control or the stream token of conf.yaml.",
			}},
			"schemas": schema{"Error": schema{
				"type": "object", "required": []any{"error", "success"},
				"properties": schema{"error": schema{"type": "string", "description": "The reason."}, "success": schema{"const": false}},
			}},
			"responses": schema{"Error": schema{
				"description": "The request was refused.",
				"content":     schema{"application/json": schema{"schema": schema{"$ref": "#/components/schemas/Error"}}},
			}},
		},
	}, "", " ")
	return string(data) + "\n", err
}

// pathPart matches a named part of a path.
var pathPart = regexp.MustCompile(`:([a-z]+)`)

// add adds an operation to the paths. A named part of the path becomes a parameter.
func add(paths map[string]schema, path, method string, op schema) {
	list, _ := op["parameters"].([]any)
	for _, m := range pathPart.FindAllStringSubmatch(path, -1) {
		list = append(list, schema{"name": m[1], "in": "path", "required": true, "schema": schema{"type": "string"}})
	}
	if list != nil {
		op["parameters"] = list
	}
	path = pathPart.ReplaceAllString(path, "{$1}")
	if paths[path] == nil {
		paths[path] = schema{}
	}
	paths[path][strings.ToLower(method)] = op
}

var viewParameter = schema{
	"name": "view", "in": "query", "description": "Name of the view. Default: the main one.", "schema": schema{"type": "string"},
}

// verbOperation describes one of the routes of a verb.
func verbOperation(v *verb.Verb, r verb.Route, n int) schema {
	op := schema{
		"operationId": v.Name, "summary": v.Help, "tags": []any{"verbs"}, "security": []any{schema{"token": []any{}}, schema{}},
		"responses": schema{"200": answerOf("It is done."), "default": schema{"$ref": "#/components/responses/Error"}},
	}
	if n > 0 {
		op["operationId"] = v.Name + strings.ReplaceAll(pathPart.ReplaceAllString(r.Path, "by-$1"), "/", "-")
	}
	if r.Needs != "" {
		op["description"] = "Needs " + r.Needs + "."
	}
	var parameters []any
	if !v.Whole {
		parameters = append(parameters, viewParameter)
	}
	keys, required := schema{}, []any{}
	for _, p := range v.Params {
		switch {
		case slices.Contains(r.InPath(), p.Name):
		case p.Kind == verb.Body:
			op["requestBody"] = bodyOf(schema{"type": "object"}, true)
		case r.Method != "POST":
			parameters = append(parameters, schema{"name": p.Name, "in": "query", "description": plainHelp(p.Help), "schema": paramSchema(&p)})
		default:
			s := paramSchema(&p)
			s["description"] = plainHelp(p.Help)
			if keys[p.Name] = s; p.Required {
				required = append(required, p.Name)
			}
		}
	}
	if len(keys) > 0 {
		op["requestBody"] = bodyOf(objectOf(keys, required, v, r), len(required) > 0)
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	return op
}

// objectOf describes a body that is an object with the keys of a verb.
func objectOf(keys schema, required []any, v *verb.Verb, r verb.Route) schema {
	body := schema{"type": "object", "properties": keys, "additionalProperties": r.Loose}
	if len(required) > 0 {
		body["required"] = required
	}
	if !v.Whole {
		keys["view"] = schema{"type": "string", "description": "Name of the view, unless the query has it."}
	}
	return body
}

func bodyOf(s schema, required bool) schema {
	return schema{"required": required, "content": schema{"application/json": schema{"schema": s}}}
}

func answerOf(description string) schema {
	return schema{"description": description, "content": schema{"application/json": schema{"schema": schema{
		"type": "object", "required": []any{"success"}, "properties": schema{"success": schema{"const": true}},
	}}}}
}

// paramSchema returns the JSON Schema of a parameter.
func paramSchema(p *verb.Param) schema {
	s := schema{"type": "number"}
	switch p.Kind {
	case verb.Text:
		s = schema{"type": "string", "maxLength": p.Limit()}
		if p.Words != nil {
			s = schema{"enum": anyOf(p.Words)}
		}
	case verb.Share:
		return schema{"anyOf": []any{
			schema{"type": "number", "minimum": 0, "maximum": 1}, schema{"type": "string", "pattern": `^([0-9.]+ *%|auto)$`},
		}}
	case verb.Whole:
		s["type"] = "integer"
	case verb.Object, verb.Body:
		return schema{"type": "object"}
	}
	if p.Max > 0 {
		s["maximum"] = p.Max
		s[map[bool]string{true: "exclusiveMinimum", false: "minimum"}[p.Above]] = p.Min
	}
	return s
}

// markdown matches the markup in help texts: code marks and links.
var markdown = regexp.MustCompile("`|\\[([^\\]]*)\\]\\([^)]*\\)")

func plainHelp(s string) string { return markdown.ReplaceAllString(s, "$1") }

// An addressRow is a row in the first table of docs/http.md.
type addressRow struct{ path, method, token, purpose string }

var (
	tableRow   = regexp.MustCompile("(?m)^\\| (\\[?`/.*?) \\| ([A-Z, ]+) \\| (.*?) \\| (.*?) \\|$")
	rowAddress = regexp.MustCompile("`(/[^`]*)`")
	rowPart    = regexp.MustCompile(`[A-Z]{2,}`)
)

// addressRows reads the first table of docs/http.md. A name in capital letters is a variable part of a path.
func addressRows(page string) (all []addressRow) {
	head, _, _ := strings.Cut(page, "\n## ")
	for _, m := range tableRow.FindAllStringSubmatch(head, -1) {
		for _, a := range rowAddress.FindAllStringSubmatch(m[1], -1) {
			path := rowPart.ReplaceAllStringFunc(a[1], func(s string) string { return ":" + strings.ToLower(s) })
			for method := range strings.SplitSeq(m[2], ", ") {
				all = append(all, addressRow{path, method, m[3], plainHelp(m[4])})
			}
		}
	}
	return all
}

// operation describes an address that belongs to no verb.
func (a addressRow) operation() schema {
	op := schema{
		"summary": a.purpose, "responses": schema{
			"200": schema{"description": "The answer, as docs/http.md describes it."}, "default": schema{"$ref": "#/components/responses/Error"},
		},
	}
	if !strings.HasPrefix(a.token, "none") {
		op["description"] = "Token: " + plainHelp(a.token) + "."
		op["security"] = []any{schema{"token": []any{}}, schema{}}
	}
	return op
}

// generatedRegions returns the pages with generated regions, and the OpenAPI document, which is made from one of these pages.
func generatedRegions(root string) (map[string]string, error) {
	all := map[string]string{}
	for _, path := range regionPages {
		text, err := regionsOf(root, path)
		if err != nil {
			return nil, err
		}
		all[path] = text
	}
	var err error
	if all[openAPI], err = openAPIText(root); err != nil {
		return nil, err
	}
	all[packedOpenAPI], err = pack(map[string]string{openAPI: all[openAPI]})
	return all, err
}
