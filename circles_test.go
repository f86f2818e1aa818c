package dashboard_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// scriptImport matches an import of another script, including an import of types only.
var scriptImport = regexp.MustCompile(`(?m)^(?:import|export)\s+([^'";]*?from\s+)?'(\.[^']+)'`)

// TestScriptsHaveNoCircle: no script of the browser pages imports itself, directly or through other
// scripts. Go's compiler ensures the same for packages.
func TestScriptsHaveNoCircle(t *testing.T) {
	imports := map[string][]string{}
	eachSource(t, func(path string) {
		if filepath.Ext(path) != ".ts" || !strings.HasPrefix(path, "web"+string(filepath.Separator)) {
			return
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		imports[path] = nil
		for _, m := range scriptImport.FindAllStringSubmatch(string(data), -1) {
			imports[path] = append(imports[path], filepath.Join(filepath.Dir(path), m[2]+".ts"))
		}
	})
	if len(imports) < 30 {
		t.Fatalf("found only %d scripts", len(imports))
	}
	done := map[string]bool{}
	var follow func(path string, way []string)
	follow = func(path string, way []string) {
		if at := slices.Index(way, path); at >= 0 {
			t.Errorf("imports in a circle: %s", strings.Join(append(way[at:], path), ", "))
			return
		}
		if done[path] {
			return
		}
		for _, to := range imports[path] {
			follow(to, append(slices.Clone(way), path))
		}
		done[path] = true
	}
	for path := range imports {
		follow(path, nil)
	}
}
