// Package schema holds the JSON Schemas of the configuration files, for completion and checks in editors. tools/docgen writes them
// from the types that decode the files.
package schema

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
	"sync"
)

// Dir is the folder of a configuration in which its files refer to the schemas.
const Dir = "schema"

// packed has the schemas of this folder, compressed to a tenth of their size, because they are the largest text in the program.
//
//go:embed schemas.zip
var packed []byte

// Files are the schemas: conf.json, widgets.json, providers.json, secrets.json, theme.json, icons.json and client.json. An error
// means that the program was built incorrectly.
func Files() (fs.FS, error) { return zip.NewReader(bytes.NewReader(packed), int64(len(packed))) }

// packedOpenAPI describes the HTTP interface. It is a separate file, because configurations do not use it.
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

// OpenAPI returns the description of the HTTP interface, by OpenAPI 3.1. The caller must not change it.
func OpenAPI() []byte { return openAPI() }

// Read returns the schema of a file, such as widgets.json.
func Read(name string) ([]byte, error) {
	files, err := Files()
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(files, name)
}
