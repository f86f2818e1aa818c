// Package schema contains the JSON Schemas of the configuration files. Editors use them for completion and checks. tools/docgen generates
// them from the Go types of the configuration.
package schema

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
	"sync"
)

// Dir is the name of the folder with the schemas, in the folder of a configuration. The configuration files refer to it.
const Dir = "schema"

// packed contains the schemas of this folder in compressed form. They are the largest text in the program, and compression makes them ten
// times smaller.
//
//go:embed schemas.zip
var packed []byte

// Files returns the schemas: conf.json, widgets.json, providers.json, secrets.json, theme.json, icons.json and client.json. An error means
// that the program was built incorrectly.
func Files() (fs.FS, error) { return zip.NewReader(bytes.NewReader(packed), int64(len(packed))) }

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
