package main

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var fuzzNamed = regexp.MustCompile("`([a-z0-9/]*)\\.(Fuzz[A-Za-z0-9]+)`")

// TestFuzzTargetsAreListed: docs/dev/soak.md names every fuzz target by the end of its package's path, and no other.
func TestFuzzTargetsAreListed(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(repository, "docs/dev/soak.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## The fuzz targets")
	table, _, _ = strings.Cut(table[strings.Index(table, "\n| bytes")+1:], "\n\n") // that ends it
	listed, folder := map[string]bool{}, ""
	for _, m := range fuzzNamed.FindAllStringSubmatch(table, -1) {
		if m[1] != "" { // else it is of the package before
			folder = m[1]
		}
		listed[folder+"."+m[2]] = false
	}
	for _, target := range fuzzTargets(t) {
		found := false
		for name := range listed {
			if strings.HasSuffix("/"+target, "/"+name) {
				listed[name], found = true, true
			}
		}
		if !found {
			t.Errorf("docs/dev/soak.md does not list %s", target)
		}
	}
	for name, is := range listed {
		if !is {
			t.Errorf("docs/dev/soak.md lists %s, which is not there", name)
		}
	}
}

// fuzzTargets are the fuzz targets of all packages, as folder.name.
func fuzzTargets(t *testing.T) (all []string) {
	t.Helper()
	eachFile(t, true, func(path string, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				folder, err := filepath.Rel(repository, filepath.Dir(path))
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, filepath.ToSlash(folder)+"."+fn.Name.Name)
			}
		}
	})
	return all
}
