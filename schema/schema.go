// Package schema holds the JSON Schemas of the configuration files, which editors complete and check with. They are written
// by tools/docgen from the types that read the files.
package schema

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
	"sync"
)

// Dir is the folder of a configuration where its files look for the schemas that editors check them with.
const Dir = "schema"

// packed is the folder's schemas once more, in a tenth of their bytes: they are the largest text that the program carries.
//
//go:embed schemas.zip
var packed []byte

// Files are the schemas: conf.json, widgets.json, providers.json, secrets.json, theme.json, icons.json and client.json. The error comes
// from a wrong build of the program.
func Files() (fs.FS, error) { return zip.NewReader(bytes.NewReader(packed), int64(len(packed))) }

// packedOpenAPI describes the HTTP interface. It is a file of its own, because configurations have no use for it.
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
