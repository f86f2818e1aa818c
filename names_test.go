package dashboard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// replaced lists earlier names of types and functions. The glossary has the current names.
var replaced = []string{"crowd", "desk", "newsroom", "news", "workshop", "shop", "worn", "wear"}

// TestReplacedNames: shipped code does not use the replaced names.
func TestReplacedNames(t *testing.T) {
	eachFile(t, func(path string) {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && slices.Contains(replaced, strings.ToLower(id.Name)) {
				t.Errorf("%s: %s: the glossary has another word", files.Position(id.Pos()), id.Name)
			}
			return true
		})
	})
}

// TestWidgetsMakeNoProviders checks that widgets create no objects of the packages below provider, and do not use types such as Provider.
// The only exception is provider.NewCell, which creates a cell with a constant value.
func TestWidgetsMakeNoProviders(t *testing.T) {
	eachFile(t, func(path string) {
		if !strings.HasPrefix(path, "widgets") || strings.HasPrefix(filepath.ToSlash(path), wallTest) {
			return
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ours := map[string]bool{}
		for _, spec := range f.Imports {
			if to := strings.Trim(spec.Path.Value, `"`); strings.HasPrefix(to, "dashboard/provider") {
				ours[to[strings.LastIndexByte(to, '/')+1:]] = true
				if spec.Name != nil {
					t.Errorf("%s: import %s by its own name", path, to)
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := s.X.(*ast.Ident)
			if !ok || !ours[from.Name] || from.Name == "provider" && s.Sel.Name == "NewCell" {
				return true
			}
			if strings.HasPrefix(s.Sel.Name, "New") || slices.Contains([]string{"Provider", "Manager", "Poll", "Set"}, s.Sel.Name) {
				t.Errorf("%s: a widget makes a %s.%s", files.Position(s.Pos()), from.Name, s.Sel.Name)
			}
			return true
		})
	})
}
