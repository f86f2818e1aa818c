// Package fielddoc describes the keys of a struct. It reads the comments above the fields from the source files.
package fielddoc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"dashboard/config"
)

// module is the prefix of the import paths of this repository.
const module = "dashboard/"

// Fields returns config.Fields with a description of each field. The description is the tag `doc`, or the comment above the field.
func Fields(t reflect.Type) []config.Field { return described(config.Fields(t)) }

func described(fields []config.Field) []config.Field {
	for i := range fields {
		f := &fields[i]
		if f.Doc == "" {
			f.Doc = commentOf(f.Owner, f.GoName)
		}
		described(f.Fields)
	}
	return fields
}

// Example returns the indented lines in the comment above a struct, or "".
func Example(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	folder, ok := strings.CutPrefix(t.PkgPath(), module)
	if !ok {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(commentsOf(folder)[t.Name()]) {
		if code, ok := strings.CutPrefix(line, "\t"); ok {
			b.WriteString(code)
		}
	}
	return b.String()
}

// commentOf returns the comment above a field of a struct as one line, or "".
func commentOf(owner reflect.Type, field string) string {
	folder, ok := strings.CutPrefix(owner.PkgPath(), module)
	if !ok || owner.Name() == "" {
		return ""
	}
	name, _, _ := strings.Cut(owner.Name(), "[") // cut off the type parameters
	return commentsOf(folder)[name+"."+field]
}

var (
	known   = map[string]map[string]string{} // results of commentsOf by folder
	knownMu sync.Mutex
)

// commentsOf returns the comments in a folder, by key: TYPE for a comment above a struct, TYPE.FIELD for a comment above a field.
func commentsOf(folder string) map[string]string {
	knownMu.Lock()
	defer knownMu.Unlock()
	if all, ok := known[folder]; ok {
		return all
	}
	all := map[string]string{}
	files, err := filepath.Glob(filepath.Join(root(), folder, "*.go"))
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		var f *ast.File
		if f, err = parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			break
		}
		addComments(all, f)
	}
	if err != nil || len(files) == 0 {
		panic(fmt.Sprintf("fielddoc: cannot read the sources in %s: %v", folder, err))
	}
	known[folder] = all
	return all
}

func addComments(all map[string]string, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.TYPE && len(d.Specs) == 1 {
			all[d.Specs[0].(*ast.TypeSpec).Name.Name] = d.Doc.Text()
		}
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				for _, name := range field.Names {
					all[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
				}
			}
		}
		return true
	})
}

// root returns the top folder of the repository: the nearest folder at or above the working directory with a go.mod.
var root = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	return "."
})
