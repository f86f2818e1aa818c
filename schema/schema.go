// Package schema contains the JSON Schemas of the configuration files. Editors use them for completion and checks. tools/docgen generates
// them from the Go types of the configuration.
package schema

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"io/fs"
	"sync"
)

// Dir is the name of the folder with the schemas, in the folder of a configuration. The configuration files refer to it.
const Dir = "schema"

// Draft names the version of JSON Schema of every file.
const Draft = "http://json-schema.org/draft-07/schema#"

// packed contains the schemas of this folder, except icons.json, in compressed form and without spaces between their tokens. The schemas
// are the largest text in the program. The compression makes them ten times smaller.
//
//go:embed schemas.zip
var packed []byte

// Files returns the schemas: conf.json, widgets.json, providers.json, secrets.json, theme.json and client.json. They refer to the schema
// icons.json, which Icons returns. An error means that the program was built incorrectly.
func Files() (fs.FS, error) { return zip.NewReader(bytes.NewReader(packed), int64(len(packed))) }

// Icons returns the text of icons.json, the schema of an icon. `prefix` is the prefix of the icons, such as "mdi:". `names` contains the
// names of all icons without this prefix. Another part of the program already contains these names, so `packed` does not contain
// icons.json.
func Icons(prefix string, names []string) ([]byte, error) {
	type object = map[string]any
	whole := make([]string, len(names))
	for i, n := range names {
		whole[i] = prefix + n
	}
	name := object{"type": "string", "enum": whole}
	file := object{
		"type": "string", "pattern": `\.([sS][vV][gG]|[pP][nN][gG])$`,
		"patternErrorMessage": "An icon is mdi:NAME, one of those that 'dashboard icons WORD' lists, or an SVG or PNG file.",
	}
	text, err := json.MarshalIndent(object{
		"$schema": Draft, "title": "names of icons",
		"definitions": object{"icon": object{"anyOf": []any{name, file}}},
	}, "", " ")
	return append(text, '\n'), err
}

// packedOpenAPI contains the description of the HTTP interface. It is a separate file, because configurations do not use it.
//
//go:embed openapi.zip
var packedOpenAPI []byte

var openAPI = sync.OnceValue(func() []byte {
	files, err := zip.NewReader(bytes.NewReader(packedOpenAPI), int64(len(packedOpenAPI)))
	if err != nil {
		return nil
	}
	text, _ := fs.ReadFile(files, "openapi.json")
	return text
})

// OpenAPI returns the description of the HTTP interface in the format of OpenAPI 3.1. The caller must not change it.
func OpenAPI() []byte { return openAPI() }

// Read returns a schema by the name of its file, such as widgets.json.
func Read(name string) ([]byte, error) {
	files, err := Files()
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(files, name)
}
