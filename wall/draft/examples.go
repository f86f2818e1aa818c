package draft

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"io/fs"
	"sync"
)

// packedExamples contains the files of tools/docgen/examples in compressed form. tools/docgen writes examples.zip.
//
//go:embed examples.zip
var packedExamples []byte

// examples returns an example of each kind of widget, by kind.
var examples = sync.OnceValue(func() (texts map[string]string) {
	files, err := zip.NewReader(bytes.NewReader(packedExamples), int64(len(packedExamples)))
	if err != nil {
		return nil
	}
	data, err := fs.ReadFile(files, "examples.json")
	if err != nil || json.Unmarshal(data, &texts) != nil {
		return nil
	}
	return texts
})
